# cython: binding=False, wraparound=True, boundscheck=True
"""Reads the host's time zone data for guests: no other file, and no name that is not a time zone's."""

from kimi_runtime._core import host_module

_held = {}      # data by name, once all were read beforehand
_all_held = False


def hold_all():
    """Reads the data of all time zones, so that no file is opened any more."""
    global _all_held
    for key in names():
        _held[key] = read(key)
    _all_held = True


def read(key):
    """The data of a time zone.

    Args:
        key: name of the zone, such as ``"Europe/Berlin"``.

    Returns:
        The contents of its file, or None when there is no such zone.

    Raises:
        ValueError: the name is no relative path, or leads out of the folder of time zones.
        TypeError: the name is not a string.
    """
    zoneinfo = host_module("zoneinfo")
    if not isinstance(key, str):
        raise TypeError(f"the key of a time zone must be str, not {type(key).__name__}")
    key = str.__str__(key)
    path = zoneinfo._tzpath.find_tzfile(key)     # which checks the name
    if _all_held:
        return _held.get(key)
    try:
        if path is not None:
            with open(path, "rb") as file:
                data = file.read()
        else:
            with zoneinfo._common.load_tzdata(key) as file:
                data = file.read()
    except (zoneinfo.ZoneInfoNotFoundError, OSError, ValueError, ImportError):
        return None
    return data if data.startswith(b"TZif") else None


def names():
    """Names of all time zones that the host has data for."""
    if _all_held:
        return frozenset(_held)
    return frozenset(host_module("zoneinfo").available_timezones())
