"""Exceptions of the host's code, as guests get them: type and message, and nothing of the host.

A builtin exception class is the same on both sides. For a class of the host's own the guest gets a *mirror*: a class with
the same name that derives from the same builtin classes and can be caught by them.
"""
from __future__ import annotations

import builtins
from _thread import allocate_lock
from weakref import WeakKeyDictionary

from kimi_runtime.bridge.gate import let_through
from kimi_runtime.objects.class_builder import freeze_class
from kimi_runtime.objects.tracebacks import is_guest_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUILTIN = {each for each in vars(builtins).values() if isinstance(each, type) and issubclass(each, BaseException)}
LEAVES = (str, int, float, bool, type(None), bytes, complex)
LONGEST = 10_000    # characters of a message that crosses
DEEPEST = 20        # exception groups in one another

_mirrors: WeakKeyDictionary[type, type] = WeakKeyDictionary()
_lock = allocate_lock()


def mirror_of(cls: type) -> type:
    """The guests' class for an exception class of the host. It is made once in the process, and cannot be changed."""
    if cls in BUILTIN:
        return cls
    found = _mirrors.get(cls)
    if found is not None:
        return found
    from kimi_runtime import _core

    suspended = _core.suspend_meter()  # it stays for the process, and is no memory of this guest
    try:
        return _new_mirror(cls)
    finally:
        _core.resume_meter(suspended)


def _new_mirror(cls: type) -> type:
    bases = tuple(mirror_of(each) for each in cls.__bases__ if issubclass(each, BaseException))
    names = {"__module__": "builtins", "__doc__": None, "__slots__": ()}
    try:
        made = type.__new__(type, str(cls.__name__), bases, names)
    except TypeError:  # the order of its bases needs those left out here
        made = type.__new__(type, str(cls.__name__), (_nearest_builtin(cls),), names)
    freeze_class(made)
    let_through(made)
    with _lock:
        return _mirrors.setdefault(cls, made)


def _nearest_builtin(cls: type) -> type:
    return next(each for each in cls.__mro__ if each in BUILTIN)


def raise_for_guest(error: BaseException) -> None:
    """Raises what an exception of the host's code is for the running guest; what is not for guests ends its run."""
    crossed = for_guest(error)
    if crossed is None:
        from kimi_runtime import _core

        _core.stop_for_host(error)
    raise crossed  # type: ignore[misc]


def for_guest(error: BaseException, depth: int = 0) -> BaseException | None:
    """The exception that a guest gets when the host's code has raised one.

    Args:
        error: what was raised.
        depth: of exception groups around it.

    Returns:
        An exception of a builtin class or a mirror; the same one when guest code has raised it and the host's code only let it
        pass; None when it is not for the guest: KeyboardInterrupt, SystemExit and the like.
    """
    original = getattr(error, "_guest_exception", None)
    if isinstance(original, BaseException):  # of a GuestException, by which a call of a GuestObject fails
        return _cleaned(original)
    if _raised_by_guest(error):
        return _cleaned(error)
    if not isinstance(error, Exception):
        return None
    cls = mirror_of(type(error))
    args = _plain_args(error, depth)
    if args is not None:
        try:
            made = cls(*args)
        except Exception:  # of builtin classes that want other arguments than their instance kept
            made = None
        if isinstance(made, BaseException):
            return made
    if issubclass(cls, BaseExceptionGroup):
        cls = RuntimeError
    made = cls.__new__(cls)
    made.args = (_message(error),)
    return made


def _plain_args(error: BaseException, depth: int) -> tuple[Any, ...] | None:
    """The arguments of the exception when the message is made of them, and they are immutable plain data."""
    cls = type(error)
    if isinstance(error, BaseExceptionGroup):
        if depth >= DEEPEST:
            return None
        parts = [for_guest(each, depth + 1) for each in error.exceptions]
        return str(error.message), [each for each in parts if isinstance(each, Exception)] or [RuntimeError("")]
    if cls.__str__ is not _nearest_builtin(cls).__str__:
        return (_message(error),)
    args = error.args
    if isinstance(error, OSError) and len(args) == 2 and error.filename is not None:
        args = (*args, error.filename) if error.filename2 is None else (*args, error.filename, None, error.filename2)
    if not all(type(each) in LEAVES for each in args) or sum(len(each) for each in args if type(each) in (str, bytes)) > LONGEST:
        if isinstance(error, SyntaxError):
            return (str(error.msg)[:LONGEST],)
        return (_message(error),)
    return args


def _message(error: BaseException) -> str:
    try:
        return str(error)[:LONGEST]
    except Exception:  # the host's own __str__ is at fault, and no affair of the guest's
        return f"<exception str() failed: {type(error).__name__}>"


def _raised_by_guest(error: BaseException) -> bool:
    """Whether the innermost frame of its traceback is a guest's."""
    entry = error.__traceback__
    if entry is None:
        return False
    while entry.tb_next is not None:
        entry = entry.tb_next
    return bool(is_guest_frame(entry.tb_frame))


def _cleaned(error: BaseException) -> BaseException:
    """An exception of the guest without what code of the host may have hung on it."""
    error.__traceback__ = error.__cause__ = error.__context__ = None
    error.__suppress_context__ = False  # which an assignment to __cause__ sets
    notes = getattr(error, "__notes__", None)
    if type(notes) is list:
        notes[:] = [str(each) for each in notes if type(each) is str]
    return error
