"""Object files of the hot tier in a folder: what one process has compiled, the next one loads.

The text of a function has no address in it (see ``llvm_text``), so with the processor and the versions it says all of its machine
code: a file's name is the hash of these. Nothing of LLVM is imported to find one.
"""
from __future__ import annotations

import functools
import hashlib
import os
import platform
import sys
import zlib

from .. import __version__
from ..cache.folder import Folder

__all__ = ["ObjectStore"]

OF_PROCESSOR = ("vendor_id", "cpu family", "model", "stepping", "flags")


@functools.cache
def host() -> bytes:
    """What machine code depends on beside its text: the processor and the versions."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        back_end = version("llvmlite")
    except PackageNotFoundError:
        back_end = "unknown"
    processor = []
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if not line.strip():
                    break                       # of the first one
                name, _, value = line.partition(":")
                if name.strip() in OF_PROCESSOR:
                    processor.append(value.strip())
    except OSError:
        processor.append(platform.processor())
    return repr((__version__, sys.implementation.cache_tag, platform.machine(), back_end, processor)).encode()


class ObjectStore(Folder):
    """A folder of object files. folder, max_size: see Folder."""

    magic = b"KIMIO\x01"
    suffix = ".kio"

    def __init__(self, folder: str | os.PathLike[str], max_size: int | None = None) -> None:
        super().__init__(folder, max_size, hashlib.blake2b(host(), digest_size=16).digest(), "it is compiled anew")

    def path_of(self, text: str, opt_level: int) -> str:
        """Where the object file of a text is, or would be."""
        return self.place(hashlib.blake2b(text.encode(), digest_size=20, key=self.form, salt=b"%d" % opt_level).hexdigest())

    def get(self, text: str, opt_level: int) -> bytes | None:
        """The object file, or None; with a warning when what is there cannot be used."""
        path = self.path_of(text, opt_level)
        data = self.read(path)
        if data is None:
            return None
        try:
            code = zlib.decompress(self.unwrap(data))
        except (ValueError, zlib.error) as error:
            self.complain(path, str(error))
            return None
        self.used(path)
        return code

    def put(self, text: str, opt_level: int, code: bytes) -> None:
        """Writes it; a warning says why it could not be written."""
        path = self.path_of(text, opt_level)
        try:
            self.write(path, self.wrap(zlib.compress(code, 1)))
        except OSError as error:
            self.complain(path, f"cannot be written: {error}")
