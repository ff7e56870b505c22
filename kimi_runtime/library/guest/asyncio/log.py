"""What the loop has to say: to the guest's logging if the guest uses it, otherwise to its standard error."""
import sys

from _asyncio import format_exception

__all__ = ()


class _Logger:
    """Stands for ``logging.getLogger("asyncio")`` without importing logging."""

    name = "asyncio"

    def _log(self, method, level, message, args, exc_info):
        logging = sys.modules.get("logging")
        if logging is not None:
            getattr(logging.getLogger("asyncio"), method)(message, *args, exc_info=exc_info)
            return
        if level < 30:
            return
        if exc_info is True:
            exc_info = sys.exc_info()
        if isinstance(exc_info, tuple):
            exc_info = exc_info[1]
        text = message % args if args else message
        if exc_info:
            text = f"{text}\n{format_exception(exc_info)}".rstrip("\n")
        if sys.stderr is not None:
            sys.stderr.write(text + "\n")

    def debug(self, message, *args, exc_info=None):
        self._log("debug", 10, message, args, exc_info)

    def info(self, message, *args, exc_info=None):
        self._log("info", 20, message, args, exc_info)

    def warning(self, message, *args, exc_info=None):
        self._log("warning", 30, message, args, exc_info)

    def error(self, message, *args, exc_info=None):
        self._log("error", 40, message, args, exc_info)

    def critical(self, message, *args, exc_info=None):
        self._log("critical", 50, message, args, exc_info)

    def isEnabledFor(self, level):
        logging = sys.modules.get("logging")
        return level >= 30 if logging is None else logging.getLogger("asyncio").isEnabledFor(level)


logger = _Logger()
