"""Functions that run when the program of the guest has ended."""
import sys as _sys

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
            import traceback
            print(f"Exception ignored in atexit callback: {func!r}", file=_sys.stderr)
            traceback.print_exception(error, file=_sys.stderr)
