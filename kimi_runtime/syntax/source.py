"""Decoding source given as bytes (PEP 263)."""

#: Contents of files that were read beforehand, by path: a process that cannot open any has what it needs here.
held = {}


def read_file(path):
    """The bytes of a file. Raises OSError when it cannot be read."""
    data = held.get(path)
    if data is None:
        with open(path, "rb") as file:
            data = file.read()
    return data


_BOM = b"\xef\xbb\xbf"
_IN_NAMES = b"-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"  # of encodings


def _normalized(name):
    """The spelling that CPython's messages use for the common encodings."""
    name = name.lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        return "utf-8"
    for latin in ("latin-1", "iso-8859-1", "iso-latin-1"):
        if name == latin or name.startswith(latin + "-"):
            return "iso-8859-1"
    return None


def declared_encoding(data):
    """Return the name in the cookie of the first two lines of ``data``, or None."""
    start = data[:4096]
    if b"coding" not in start:
        return None
    for line in start.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 2)[:2]:
        text = line.lstrip(b" \t\f")
        if text and not text.startswith(b"#"):
            break
        place = text.find(b"coding")
        while place >= 0:
            place += len(b"coding")
            if text[place : place + 1] in (b":", b"="):
                rest = text[place + 1 :].lstrip(b" \t")
                name = rest[: len(rest) - len(rest.lstrip(_IN_NAMES))]
                if name:
                    return name.decode("ascii")
            place = text.find(b"coding", place)
    return None


def decode_source(data, filename):
    """Return the text of a source given as bytes-like object.

    Args:
        data: bytes, bytearray or memoryview.
        filename: name for errors.

    Raises:
        SyntaxError: unknown encoding, a cookie that contradicts the byte order mark, or
            bytes that the encoding does not allow.
        TypeError: not text or bytes.
    """
    if isinstance(data, str):
        return str(data)
    data = bytes(memoryview(data))
    if b"\0" in data:
        raise SyntaxError("source code string cannot contain null bytes")
    has_bom = data.startswith(_BOM)
    if has_bom:
        data = data[len(_BOM) :]
    name = declared_encoding(data)
    encoding = "utf-8" if name is None else (_normalized(name) or name)
    if has_bom and encoding != "utf-8":
        raise SyntaxError(f"encoding problem: {encoding} with BOM", (filename, 0, -1, None))
    try:
        text = data.decode(encoding)
    except LookupError:
        raise SyntaxError(f"unknown encoding: {name}", (filename, 0, -1, None)) from None
    except UnicodeDecodeError as error:
        if name is not None and encoding != "utf-8":
            raise SyntaxError(f"encoding problem: {name}", (filename, 0, -1, None)) from None
        line = data[: error.start].count(b"\n") + 1
        shown = data.split(b"\n")[line - 1].decode("utf-8", "replace") + "\n"
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise SyntaxError(f"(unicode error) {error}", (filename, line, column, shown, line, -1)) from None
    if "\0" in text:
        raise SyntaxError("source code string cannot contain null bytes")
    return text


def decode_file(data, filename):
    """Return the text of a program file, whose errors CPython words otherwise than those of a source in memory.

    Args:
        data: bytes.
        filename: name for errors.

    Raises:
        SyntaxError: as ``decode_source``, and for null bytes.
    """
    has_bom = data.startswith(_BOM)
    if not has_bom and declared_encoding(data) is None:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise SyntaxError(
                f"Non-UTF-8 code starting with '\\x{data[error.start]:02x}' in file {filename} on line {line}, but no encoding "
                "declared; see https://peps.python.org/pep-0263/ for details"
            ) from None
    null = data.find(b"\0")
    try:
        text = decode_source(data if null < 0 else data[:null], filename)
    except SyntaxError as error:
        if error.lineno:
            raise
        # The declaration itself is wrong: no place is shown.
        raise SyntaxError(error.msg.replace("unknown encoding:", "encoding problem:")) from None
    if null >= 0:
        raise SyntaxError(
            "source code cannot contain null bytes", (filename, text.count("\n") + 1, None, text.rpartition("\n")[2])
        )
    return text


class SourceFile:
    """The text of a source that stays in its file until somebody wants to see a line of it."""

    __slots__ = ("path",)

    def __init__(self, path):
        self.path = path

    def read(self):
        """The text, or an empty string when the file is gone."""
        try:
            return decode_source(read_file(self.path), self.path)
        except (OSError, SyntaxError):
            return ""


class Evaluated:
    """The text of what a guest has compiled by `exec`, `eval` or `compile`: tracebacks show no lines of it, as in CPython.

    Attributes:
        text, mode, flags, level: what it was compiled from and how; level is that of the options -O and -OO.
    """

    __slots__ = ("text", "mode", "flags", "level")

    def __init__(self, text, mode, flags, level):
        self.text = text
        self.mode = mode
        self.flags = flags
        self.level = level
