"""The one user whom guests know, for modules of the library that ask where the home folder is."""
from collections import namedtuple as _namedtuple

struct_passwd = _namedtuple("struct_passwd", "pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell")
_USER = struct_passwd("guest", "x", 1000, 1000, "", "/home", "")


def getpwuid(uid, /):
    """The entry of a user by number; KeyError for all but the guest's."""
    if uid != _USER.pw_uid:
        raise KeyError(f"getpwuid(): uid not found: {uid}")
    return _USER


def getpwnam(name, /):
    """The entry of a user by name; KeyError for all but the guest's."""
    if name != _USER.pw_name:
        raise KeyError(f"getpwnam(): name not found: {name!r}")
    return _USER


def getpwall():
    """The entries of all users."""
    return [_USER]
