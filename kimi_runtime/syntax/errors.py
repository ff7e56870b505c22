"""Building SyntaxErrors with the fields that CPython fills in.

Used by the tokenizer and parser, and by the analyzer for the errors that CPython's
compiler raises (``'return' outside function`` and the like).
"""


def source_line(source, lineno):
    """Return line ``lineno`` (from 1) of ``source`` with its newline, or None.

    Args:
        source: the text (str, or UTF-8 bytes), or its lines as a list.
        lineno: number of the line.
    """
    if isinstance(source, bytes):
        source = source.decode("utf-8", "replace")
    if isinstance(source, str):
        start = 0
        for _ in range(lineno - 1):
            start = source.find("\n", start) + 1
            if not start:
                return None
        end = source.find("\n", start)
        return source[start:] + "\n" if end < 0 else source[start : end + 1]
    return source[lineno - 1] if 0 < lineno <= len(source) else None


def character_offset(line, col_offset):
    """Return the character index in ``line`` of the UTF-8 byte offset ``col_offset``."""
    if line is None or line.isascii():
        return col_offset
    data = line.encode("utf-8", "replace")
    text = data[:col_offset].decode("utf-8", "replace")
    return len(text) + max(0, col_offset - len(data))


def syntax_error(
    message, filename, source, lineno, col_offset, end_lineno=None, end_col_offset=None, cls=SyntaxError
):
    """Return a SyntaxError with location and source line, as CPython's parser makes it.

    Args:
        message: the text.
        filename: the name given to ``parse``.
        source: str, UTF-8 bytes or list of lines; None when there is no text.
        lineno: line, from 1.
        col_offset: offset in UTF-8 bytes, from 0.
        end_lineno: last line, or None for ``lineno``.
        end_col_offset: offset after the last byte; None when not known (stored as 0-based -1).
        cls: SyntaxError or a subclass.

    Returns:
        The exception (not raised).
    """
    text = None if source is None else source_line(source, lineno)
    if end_lineno is None:
        end_lineno = lineno
    offset = character_offset(text, col_offset) + 1
    if end_col_offset is None:
        end_offset = -1
    else:
        # CPython counts both in the first line
        end_offset = character_offset(text, end_col_offset) + 1
        if text is not None and end_lineno != lineno:
            end_offset = min(end_offset, len(text))
    return cls(message, (filename, lineno, offset, text, end_lineno, end_offset))
