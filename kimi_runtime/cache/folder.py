"""Files of a cache in a folder: whole or not there, checked when they are read, bounded in their size.

A file holds a header (magic, the form of what follows, a checksum) and a payload. Files are written beside their place and then
renamed, so that several processes may share a folder; what is damaged, or of another form, is reported and made anew.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DiskCacheWarning", "Folder"]

DIGEST = 16
PRUNE_EVERY = 64    # writes between two looks at the folder's size


class DiskCacheWarning(UserWarning):
    """A file of a disk cache could not be read or written; what it stands for was made as if it were not there."""


class Folder:
    """A folder of files that can be made again.

    Args:
        folder: its path; made when it is missing. Whoever can write to it decides what is executed, so it must be the host's own.
        max_size: bytes of all files together; the oldest go first. None for no bound.
        made_anew: what a warning says happens instead.

    Raises OSError: the folder cannot be made.
    """

    magic = b"KIMIC\x01"
    suffix = ".kic"

    def __init__(self, folder: str | os.PathLike[str], max_size: int | None, form: bytes, made_anew: str) -> None:
        self.folder = os.path.abspath(os.fspath(folder))
        self.max_size = max_size
        self.form = form
        self.made_anew = made_anew
        self.hits = self.writes = self.errors = 0
        os.makedirs(self.folder, exist_ok=True)

    def place(self, name: str) -> str:
        """Where the file of a name is, or would be."""
        return os.path.join(self.folder, name[:2], name + self.suffix)

    def read(self, path: str) -> bytes | None:
        """A file's content, or None when it is not there, with a warning when it cannot be read."""
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self.complain(path, f"cannot be read: {error.strerror}")
            return None

    def used(self, path: str) -> None:
        """Notes that a file was good for something."""
        self.hits += 1
        with contextlib.suppress(OSError):  # another process may have taken it away; its age is a hint only
            os.utime(path)

    def write(self, path: str, content: bytes) -> None:
        """Writes a file. Raises OSError."""
        temporary = None
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
            with open(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            if temporary is not None:
                with contextlib.suppress(OSError):  # a full disk, say: the error tells
                    os.unlink(temporary)
            raise
        self.writes += 1
        if self.max_size is not None and self.writes % PRUNE_EVERY == 0:
            self.prune(self.max_size)

    def wrap(self, payload: bytes) -> bytes:
        """A file's content."""
        return self.magic + self.form + hashlib.blake2b(payload, digest_size=DIGEST).digest() + payload

    def unwrap(self, data: bytes) -> bytes:
        """The payload of a file's content. Raises ValueError that says what is wrong with it."""
        begin = len(self.magic) + len(self.form)
        if not data.startswith(self.magic):
            raise ValueError("is no file of this cache")
        if data[len(self.magic):begin] != self.form:
            raise ValueError("was written by another build of kimi_runtime or another Python")
        payload = data[begin + DIGEST:]
        if hashlib.blake2b(payload, digest_size=DIGEST).digest() != data[begin:begin + DIGEST]:
            raise ValueError("is damaged: its checksum does not match")
        return payload

    def files(self) -> Iterator[os.DirEntry[str]]:
        """The files of the cache."""
        for part in os.scandir(self.folder):
            if part.is_dir(follow_symlinks=False) and len(part.name) == 2:
                with os.scandir(part.path) as found:
                    yield from (entry for entry in found if entry.name.endswith(self.suffix))

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

    def complain(self, path: str, problem: str) -> None:
        """Warns of a file that cannot be used."""
        self.errors += 1
        warnings.warn(f"{path} {problem}; {self.made_anew}", DiskCacheWarning, stacklevel=5)
