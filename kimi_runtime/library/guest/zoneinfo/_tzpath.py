"""Where time zone data comes from: the host reads it on the guest's behalf."""
from io import BytesIO as _BytesIO

import _zones

from . import _common

TZPATH = ()


def reset_tzpath(to=None):
    """Set the folders of time zone data: a guest has none."""
    raise PermissionError("zoneinfo.reset_tzpath is not open to guests: the host reads the data of time zones")


def find_tzfile(key):
    """The file of a time zone: None, because guests have no files."""
    return None


def available_timezones():
    """Names of all time zones."""
    return set(_zones.names())


class InvalidTZPathWarning(RuntimeWarning):
    """Warning raised if an invalid path is specified in PYTHONTZPATH."""


def load_tzdata(key):
    """The data of a time zone as a file."""
    data = _zones.read(key)
    if data is None:
        raise _common.ZoneInfoNotFoundError(f"No time zone found with key {key}")
    return _BytesIO(data)
