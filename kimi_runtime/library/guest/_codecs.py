"""The codecs of the host, and a registry that finds them as guest classes."""
from _host_codecs import *

_found = {}


def register(search_function, /):
    """Register a codec search function: nobody's is kept but that of `encodings`, which is asked by its name. All guests share
    this module, and `str.encode` would not ask another."""
    if not callable(search_function):
        raise TypeError("argument must be callable")
    import encodings
    if not encodings.__spec__._initializing:
        raise PermissionError("codecs.register is not open to guests: codecs are shared by all that run in the process")


def unregister(search_function, /):
    """Unregister a codec search function."""


def lookup(encoding, /):
    """Look up a codec by its name, and return a CodecInfo object."""
    if type(encoding) is not str:
        if not isinstance(encoding, str):
            raise TypeError(f"lookup() argument must be str, not {type(encoding).__name__}")
        encoding = str(encoding)
    if "\0" in encoding:
        raise ValueError("embedded null character")
    encoding = "".join(c.lower() if c.isascii() and c.isalnum() else c for c in encoding).replace(" ", "_")
    info = _found.get(encoding)
    if info is None:
        import encodings
        try:
            info = encodings.search_function(encoding)
        finally:
            encodings._cache.clear()        # it would keep every name that any guest ever asked for
        if info is None:
            raise LookupError(f"unknown encoding: {encoding}")
        if len(_found) < 500 and len(encoding) < 50:
            _found[encoding] = info
    return info


def _strict(error):
    raise error


_handlers = {"strict": _strict}


def register_error(errors, handler, /):
    """Register an error handler: not open to guests, since all that run in the process share them."""
    raise PermissionError("codecs.register_error is not open to guests: error handlers are shared by all that run in "
                          "the process")


def lookup_error(name, /):
    """The error handler of a name, as a guest function."""
    if not isinstance(name, str):
        raise TypeError(f"lookup_error() argument must be str, not {type(name).__name__}")
    if name not in _NAMES:
        raise LookupError(f"unknown error handler name '{name}'")
    return _strict if name == "strict" else _Handler(name)


_NAMES = {"strict", "ignore", "replace", "xmlcharrefreplace", "backslashreplace", "namereplace", "surrogateescape",
          "surrogatepass"}


class _Handler:
    """What an error handler of the host puts in place of what cannot be encoded or decoded."""

    def __init__(self, name):
        self.name = name

    def __call__(self, error):
        if not isinstance(error, UnicodeError) or not hasattr(error, "end"):
            raise TypeError(f"don't know how to handle {type(error).__name__} in error callback")
        part = error.object[error.start:error.end]
        if self.name == "ignore":
            return "", error.end
        if isinstance(error, UnicodeEncodeError):
            if self.name == "replace":
                return "?" * len(part), error.end
            encoding = error.encoding if self.name.startswith("surrogate") else "ascii"
            try:
                done = part.encode(encoding, self.name)
            except UnicodeEncodeError:
                raise error from None
            return done if self.name.startswith("surrogate") else done.decode("ascii"), error.end
        if isinstance(error, UnicodeTranslateError):
            if self.name == "replace":
                return "\ufffd" * len(part), error.end
            return part.encode("ascii", self.name).decode("ascii"), error.end
        if self.name == "replace":
            return "\ufffd", error.end
        if self.name in ("xmlcharrefreplace", "namereplace"):
            raise TypeError(f"don't know how to handle {type(error).__name__} in error callback")
        if self.name == "surrogatepass":
            raise error
        return part.decode("ascii", self.name), error.end

    def __repr__(self):
        return f"<built-in function {self.name}_errors>"
