"""Functions that run when the program of the guest has ended."""
import sys as _sys
from types import SimpleNamespace as _SimpleNamespace

_callbacks = []


def register(func, /, *args, **kwargs):
    """Register a function to be executed upon normal program termination; returns it, so that it can be a decorator."""
    if not callable(func):
        raise TypeError("the first argument must be callable")
    _callbacks.append((func, args, kwargs))
    return func


def unregister(func):
    """Unregister a function which was previously registered; it is compared with ==."""
    _callbacks[:] = [each for each in _callbacks if not each[0] == func]


def _clear():
    _callbacks.clear()


def _ncallbacks():
    return len(_callbacks)


def _run_exitfuncs():
    """Runs them, the last registered first; what one raises goes to sys.unraisablehook and does not stop the others."""
    threading = _sys.modules.get("threading")
    if threading is not None:
        try:
            threading._shutdown()           # waits for threads that are not daemons
        except RuntimeError as error:
            print(f"Exception ignored in: {threading!r}\n{type(error).__name__}: {error}", file=_sys.stderr)
    while _callbacks:
        func, args, kwargs = _callbacks.pop()
        try:
            func(*args, **kwargs)
        except BaseException as error:
            _tell(func, error)


def _tell(func, error):
    import traceback
    what, where = "Exception ignored in atexit callback", func
    if _sys.version_info >= (3, 13):
        what, where = f"{what} {func!r}", None
    hook = getattr(_sys, "unraisablehook", None)
    if hook is None or hook is _sys.__unraisablehook__:
        print(what, end=":\n" if where is None else f": {where!r}\n", file=_sys.stderr)
        traceback.print_exception(error, file=_sys.stderr)
        return
    try:
        hook(_SimpleNamespace(exc_type=type(error), exc_value=error, exc_traceback=error.__traceback__, err_msg=what,
                              object=where))
    except BaseException as another:
        print(f"Exception ignored in sys.unraisablehook: {hook!r}", file=_sys.stderr)
        traceback.print_exception(another, file=_sys.stderr)
