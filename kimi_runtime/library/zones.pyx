# cython: binding=False, wraparound=True, boundscheck=True
"""Reads the host's time zone data for guests: no other file, and no name that is not a time zone's."""


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
    from zoneinfo import ZoneInfoNotFoundError, _common, _tzpath

    if not isinstance(key, str):
        raise TypeError(f"the key of a time zone must be str, not {type(key).__name__}")
    key = str.__str__(key)
    path = _tzpath.find_tzfile(key)
    try:
        if path is not None:
            with open(path, "rb") as file:
                data = file.read()
        else:
            with _common.load_tzdata(key) as file:
                data = file.read()
    except (ZoneInfoNotFoundError, OSError, ValueError, ImportError):
        return None
    return data if data.startswith(b"TZif") else None


def names():
    """Names of all time zones that the host has data for."""
    from zoneinfo import available_timezones

    return frozenset(available_timezones())
