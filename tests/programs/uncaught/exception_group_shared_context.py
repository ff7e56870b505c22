# What a group came from is also in it: each exception's own history is shown once, where the text first mentions it.
import sys


def fail(error, cause=None):
    raise error from cause


def chain(*errors):
    """Errors that came one while the one before was handled."""
    made = None
    for error in errors:
        try:
            if made is None:
                raise error
            try:
                raise made
            except Exception:
                raise error
        except Exception as caught:
            made = caught
    return made


first = chain(ValueError("first"), KeyError("second"))
alone = chain(OSError("alone"))
deep = ExceptionGroup("deep", [alone, ExceptionGroup("deeper", [first, alone])])
try:
    fail(TypeError("outer"), deep)
except TypeError as error:
    last = error
many = ExceptionGroup("many", [chain(IndexError(i), ZeroDivisionError(i)) for i in range(17)])
hidden = chain(LookupError("hidden"))
try:
    fail(hidden.with_traceback(None), many)
except LookupError:
    pass
print("so far", file=sys.stderr)
try:
    raise first
except KeyError:
    raise ExceptionGroup("at the end", [first, last, deep, hidden, many.exceptions[16], many])
