"""Streams in memory, and the base classes of streams.

There are no streams on files: ``open`` is the guest's own, and ``FileIO`` cannot be made.
"""
import _io
import abc
import builtins as _builtins
import errno as _errno
from _io import (BlockingIOError, BufferedRandom, BufferedReader, BufferedRWPair, BufferedWriter, BytesIO,
                 DEFAULT_BUFFER_SIZE, IncrementalNewlineDecoder, StringIO, TextIOWrapper, UnsupportedOperation,
                 text_encoding)

__all__ = ["BlockingIOError", "open", "open_code", "IOBase", "RawIOBase", "FileIO", "BytesIO", "StringIO",
           "BufferedIOBase", "BufferedReader", "BufferedWriter", "BufferedRWPair", "BufferedRandom", "TextIOBase",
           "TextIOWrapper", "UnsupportedOperation", "SEEK_SET", "SEEK_CUR", "SEEK_END", "DEFAULT_BUFFER_SIZE",
           "IncrementalNewlineDecoder"]

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
open = _builtins.open


def open_code(path):
    """PermissionError: a guest has no files."""
    raise PermissionError(_errno.EACCES, "io.open_code is not open to guests: it would reach the host")


class IOBase(_io._IOBase, metaclass=abc.ABCMeta):
    __doc__ = _io._IOBase.__doc__


class RawIOBase(_io._RawIOBase, IOBase):
    __doc__ = _io._RawIOBase.__doc__


class BufferedIOBase(_io._BufferedIOBase, IOBase):
    __doc__ = _io._BufferedIOBase.__doc__


class TextIOBase(_io._TextIOBase, IOBase):
    __doc__ = _io._TextIOBase.__doc__


class FileIO(RawIOBase):
    """A stream on a file of the host, which a guest cannot have."""

    def __init__(self, *args, **kwargs):
        raise PermissionError(_errno.EACCES, "io.FileIO is not open to guests: it would reach the host")


for _class in (BytesIO, BufferedReader, BufferedWriter, BufferedRandom, BufferedRWPair):
    BufferedIOBase.register(_class)
for _class in (StringIO, TextIOWrapper):
    TextIOBase.register(_class)
del _class
