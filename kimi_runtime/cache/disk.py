"""Compiled code in a folder: the second level of the parse cache.

The payload of a file (see ``folder``) is an lz4 frame with what ``bytecode.storage`` writes. Its name is the hash of the source
and its file name.
"""
from __future__ import annotations

import hashlib
import os

from ..bytecode import storage
from .folder import DiskCacheWarning, Folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["DiskCache", "DiskCacheWarning"]


def import_lz4() -> Any:
    """The module ``lz4.frame``. Raises ImportError that says how to get it."""
    try:
        import lz4.frame
    except ImportError:
        raise ImportError("a cache folder needs the package lz4: pip install 'kimi-runtime[cache]'") from None
    return lz4.frame


class DiskCache(Folder):
    """A folder of compiled code.

    Args:
        folder, max_size: see Folder.

    Raises:
        ImportError: the package lz4 is missing.
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str], max_size: int | None = None) -> None:
        self._lz4 = import_lz4()
        form = hashlib.sha256(storage.description()).digest()[:16]
        super().__init__(folder, max_size, form, "the source is compiled instead")

    def path_of(self, source: str | bytes, filename: str) -> str:
        """Where the code of a source is, or would be."""
        content = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
        name = hashlib.blake2b(filename.encode("utf-8", "surrogatepass") + b"\0" + content, digest_size=20,
                               person=b"bytes" if isinstance(source, bytes) else b"text").hexdigest()
        return self.place(name)

    def get(self, source: str | bytes, filename: str) -> Any | None:
        """The code, or None when it is not there; with a warning when what is there cannot be used."""
        path = self.path_of(source, filename)
        data = self.read(path)
        if data is None:
            return None
        try:
            code = self.decode(data)
        except ValueError as error:
            self.complain(path, str(error))
            return None
        self.used(path)
        return code

    def put(self, source: str | bytes, filename: str, code: Any) -> None:
        """Writes the code; a warning says why it could not be written."""
        path = self.path_of(source, filename)
        try:
            self.write(path, self.encode(code))
        except (OSError, ValueError, RecursionError) as error:
            self.complain(path, f"cannot be written: {error}")

    def encode(self, code: Any) -> bytes:
        """A file's content."""
        return self.wrap(self._lz4.compress(storage.dump(code)))

    def decode(self, data: bytes) -> Any:
        """The code of a file's content. Raises ValueError that says what is wrong with it."""
        payload = self.unwrap(data)
        try:
            return storage.load(self._lz4.decompress(payload))
        except RuntimeError as error:  # of lz4; the checksum was right, so it was written so
            raise ValueError(f"is damaged: {error}") from None
