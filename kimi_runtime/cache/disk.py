"""Compiled code in a folder: the second level of the parse cache.

A file holds a header (magic, the build's format, a checksum) and an lz4 frame with what ``bytecode.storage`` writes. Its
name is the hash of the source and its file name. Files are written beside their place and then renamed, so that
several processes may share a folder; what is damaged, or from another build, is reported and compiled anew.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings

from ..bytecode import storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

__all__ = ["DiskCache", "DiskCacheWarning"]

MAGIC = b"KIMIC\x01"
DIGEST = 16
HEADER = len(MAGIC) + len(storage.FORMAT) + DIGEST
SUFFIX = ".kic"
PRUNE_EVERY = 64    # writes between two looks at the folder's size


class DiskCacheWarning(UserWarning):
    """A file of a disk cache could not be read or written; the source was compiled as if it were not there."""


def import_lz4() -> Any:
    """The module ``lz4.frame``. Raises ImportError that says how to get it."""
    try:
        import lz4.frame
    except ImportError:
        raise ImportError("a cache folder needs the package lz4: pip install 'kimi-runtime[cache]'") from None
    return lz4.frame


class DiskCache:
    """A folder of compiled code.

    Args:
        folder: its path; made when it is missing. Whoever can write to it decides what guests execute, so it must be the
            host's own.
        max_size: bytes of all files together; the oldest go first. None for no bound.

    Raises:
        ImportError: the package lz4 is missing.
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str], max_size: int | None = None) -> None:
        self._lz4 = import_lz4()
        self.folder = os.path.abspath(os.fspath(folder))
        self.max_size = max_size
        self.hits = self.writes = self.errors = 0
        os.makedirs(self.folder, exist_ok=True)

    def path_of(self, source: str | bytes, filename: str) -> str:
        """Where the code of a source is, or would be."""
        content = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
        name = hashlib.blake2b(filename.encode("utf-8", "surrogatepass") + b"\0" + content, digest_size=20,
                               person=b"bytes" if isinstance(source, bytes) else b"text").hexdigest()
        return os.path.join(self.folder, name[:2], name + SUFFIX)

    def get(self, source: str | bytes, filename: str) -> Any | None:
        """The code, or None when it is not there; with a warning when what is there cannot be used."""
        path = self.path_of(source, filename)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(path, f"cannot be read: {error.strerror}")
            return None
        try:
            code = self.decode(data)
        except ValueError as error:
            self._complain(path, str(error))
            return None
        self.hits += 1
        with contextlib.suppress(OSError):  # another process may have taken it away; its age is a hint only
            os.utime(path)
        return code

    def put(self, source: str | bytes, filename: str, code: Any) -> None:
        """Writes the code; a warning says why it could not be written."""
        path = self.path_of(source, filename)
        temporary = None
        try:
            data = self.encode(code)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except (OSError, ValueError, RecursionError) as error:
            if temporary is not None:
                with contextlib.suppress(OSError):  # a full disk, say: the warning below tells
                    os.unlink(temporary)
            self._complain(path, f"cannot be written: {error}")
            return
        self.writes += 1
        if self.max_size is not None and self.writes % PRUNE_EVERY == 0:
            self.prune(self.max_size)

    def encode(self, code: Any) -> bytes:
        """A file's content."""
        payload: bytes = self._lz4.compress(storage.dump(code))
        form: bytes = storage.FORMAT
        return MAGIC + form + hashlib.blake2b(payload, digest_size=DIGEST).digest() + payload

    def decode(self, data: bytes) -> Any:
        """The code of a file's content. Raises ValueError that says what is wrong with it."""
        if not data.startswith(MAGIC):
            raise ValueError("is no file of this cache")
        if data[len(MAGIC):HEADER - DIGEST] != storage.FORMAT:
            raise ValueError("was written by another build of kimi_runtime or another Python")
        payload = data[HEADER:]
        if hashlib.blake2b(payload, digest_size=DIGEST).digest() != data[HEADER - DIGEST:HEADER]:
            raise ValueError("is damaged: its checksum does not match")
        try:
            return storage.load(self._lz4.decompress(payload))
        except RuntimeError as error:  # of lz4; the checksum was right, so it was written so
            raise ValueError(f"is damaged: {error}") from None

    def files(self) -> Iterator[os.DirEntry[str]]:
        """The files of the cache."""
        for part in os.scandir(self.folder):
            if part.is_dir(follow_symlinks=False) and len(part.name) == 2:
                with os.scandir(part.path) as found:
                    yield from (entry for entry in found if entry.name.endswith(SUFFIX))

    def stats(self) -> dict[str, int]:
        """Number of files and their bytes, and what this process did: hits, writes, errors."""
        sizes = [size for _, size, _ in self._sizes()]
        return {"files": len(sizes), "bytes": sum(sizes), "hits": self.hits, "writes": self.writes, "errors": self.errors}

    def _sizes(self) -> list[tuple[float, int, str]]:
        found = []
        for entry in self.files():
            with contextlib.suppress(FileNotFoundError):  # another process has removed it
                status = entry.stat()
                found.append((status.st_mtime, status.st_size, entry.path))
        return found

    def prune(self, most: int) -> int:
        """Removes the files that were not used for longest, until the others hold ``most`` bytes. Returns how many went."""
        found = sorted(self._sizes())
        total = sum(size for _, size, _ in found)
        gone = 0
        for _, size, path in found:
            if total <= most:
                break
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
                gone += 1
            total -= size
        return gone

    def clear(self) -> int:
        """Removes all files of the cache, and nothing else in the folder. Returns how many."""
        return self.prune(0)

    def _complain(self, path: str, problem: str) -> None:
        self.errors += 1
        warnings.warn(f"{path} {problem}; the source is compiled instead", DiskCacheWarning, stacklevel=4)
