"""What a guest may know about the platform: the version of Python, and what ``sys`` tells anyway."""
import collections as _collections
import sys as _sys

uname_result = _collections.namedtuple("uname_result", "system node release version machine processor")
uname_result.__module__ = __name__


def system():
    """Name of the operating system."""
    return {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}.get(_sys.platform, "")


def _unknown():
    """An empty string: guests cannot find out."""
    return ""


node = release = version = machine = processor = python_branch = python_revision = python_compiler = _unknown


def uname():
    """The six values of the host's uname, as far as guests may know them."""
    return uname_result(system(), node(), release(), version(), machine(), processor())


def platform(aliased=False, terse=False):
    """One string for the platform."""
    return system()


def architecture(executable="", bits="", linkage=""):
    """Width of a pointer, and an empty string for the linkage."""
    return bits or ("64bit" if _sys.maxsize > 2**32 else "32bit"), linkage


def python_implementation():
    """Name of the implementation whose language this is."""
    return "CPython"


def python_version():
    """Version of Python as text."""
    return ".".join(map(str, _sys.version_info[:3]))


def python_version_tuple():
    """Version of Python as a tuple of strings."""
    return tuple(map(str, _sys.version_info[:3]))


def python_build():
    """Number and date of the build: empty strings."""
    return "", ""


def libc_ver(executable=None, lib="", version="", chunksize=16384):
    """Name and version of the C library: what was passed."""
    return lib, version


def win32_ver(release="", version="", csd="", ptype=""):
    """Version of Windows: what was passed."""
    return release, version, csd, ptype


def win32_edition():
    """Edition of Windows: None."""
    return None


def win32_is_iot():
    """Whether this is Windows IoT."""
    return False


def mac_ver(release="", versioninfo=("", "", ""), machine=""):
    """Version of macOS: what was passed."""
    return release, versioninfo, machine


def freedesktop_os_release():
    """OSError: guests cannot find out."""
    raise OSError("freedesktop_os_release is not open to guests: it would reach the host")
