"""Time zones, with data that the host reads."""
from . import _common, _tzpath
from ._common import ZoneInfoNotFoundError
from ._zoneinfo import ZoneInfo

__all__ = ["ZoneInfo", "reset_tzpath", "available_timezones", "TZPATH", "ZoneInfoNotFoundError", "InvalidTZPathWarning"]

TZPATH = ()
reset_tzpath = _tzpath.reset_tzpath
available_timezones = _tzpath.available_timezones
InvalidTZPathWarning = _tzpath.InvalidTZPathWarning
_common.load_tzdata = _tzpath.load_tzdata


def _repr(self):
    module = "zoneinfo." if type(self) is ZoneInfo else ""
    how = "from_file" if self.key is None else f"key={self.key!r}"
    return f"{module}{type(self).__qualname__}({how})" if self.key is not None else (
        f"{module}{type(self).__qualname__}.from_file({self._file_repr})")


_repr.__name__, _repr.__qualname__ = "__repr__", "ZoneInfo.__repr__"
ZoneInfo.__repr__ = _repr
ZoneInfo.__module__ = "zoneinfo"
