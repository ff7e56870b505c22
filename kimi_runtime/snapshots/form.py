"""The bytes of a snapshot: a header with a checksum or a signature, and an lz4 frame.

===========  ==================================================================
8 bytes      ``KIMISNAP``
2 bytes      version of the format, little-endian
1 byte       1 when it is signed with a key, else 0
32 bytes     SHA-256 of what follows; with a key the HMAC-SHA-256 of everything else
the rest     an lz4 frame of what ``writer.pyx`` writes
===========  ==================================================================
"""

from __future__ import annotations

import hashlib
import hmac

from ..errors import SnapshotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"KIMISNAP"
VERSION = 4
#: Versions from this one on are read. The fourth names functions of the library by name, and has the calls of host functions.
OLDEST = 3
HEADER = len(MAGIC) + 3
DIGEST = 32
LARGEST = 1 << 31


_lz4: Any = None  # the module, once it is loaded


def import_lz4() -> Any:
    """The module ``lz4.frame``. Raises ImportError that says how to get it."""
    global _lz4
    if _lz4 is None:
        try:
            import lz4.frame
        except ImportError:
            raise ImportError("snapshots need the package lz4: pip install 'kimi-runtime[cache]'") from None
        _lz4 = lz4.frame
    return _lz4


def mark(head: bytes, payload: bytes, key: bytes | None) -> bytes:
    """The checksum or signature."""
    return hashlib.sha256(payload).digest() if key is None else hmac.new(key, head + payload, "sha256").digest()


def pack(data: bytes, key: bytes | None) -> bytes:
    """A snapshot of what a writer has written."""
    payload: bytes = import_lz4().compress(data)
    head = MAGIC + VERSION.to_bytes(2, "little") + bytes([key is not None])
    return head + mark(head, payload, key) + payload


def version_of(data: bytes) -> int:
    """The version of the format of what ``unpack`` has accepted."""
    return int.from_bytes(data[len(MAGIC) : len(MAGIC) + 2], "little")


def content_size(frame: bytes) -> int:
    """What an lz4 frame says of the size of its contents, 0 where it says nothing: ``lz4.frame.get_frame_info`` takes as long to
    tell as all of a small frame to decompress. (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md)"""
    return int.from_bytes(frame[6:14], "little") if len(frame) > 4 and frame[4] & 0x08 else 0


def unpack(data: bytes, key: bytes | None) -> bytes:
    """What a writer has written. Raises SnapshotError that says what is wrong with the snapshot."""
    lz4 = import_lz4()
    if len(data) < HEADER + DIGEST or not data.startswith(MAGIC):
        raise SnapshotError("these bytes are no snapshot of kimi_runtime, or only the beginning of one")
    version = version_of(data)
    if not OLDEST <= version <= VERSION:
        raise SnapshotError(
            f"the snapshot has version {version} of the format; this kimi_runtime reads versions {OLDEST} to {VERSION}")
    head, digest, payload = data[:HEADER], data[HEADER : HEADER + DIGEST], data[HEADER + DIGEST :]
    signed = head[-1] == 1
    if key is not None and not signed:
        raise SnapshotError("the snapshot is not signed, and a key was given: it was not saved with that key")
    if key is None and signed:
        raise SnapshotError("the snapshot is signed: give the key that it was saved with")
    if not hmac.compare_digest(mark(head, payload, key), digest):
        raise SnapshotError(
            "the snapshot is damaged or was altered: its checksum does not match"
            if key is None
            else "the signature of the snapshot does not match: it was altered, or saved with another key"
        )
    try:
        # What the frame says of its contents is memory that is taken for it; lz4 makes no byte of 255.
        if content_size(payload) > min(LARGEST, 256 * len(payload)):
            raise SnapshotError("the snapshot is too large, or damaged")
        found: bytes = lz4.decompress(payload)
    except (RuntimeError, ValueError, MemoryError) as error:
        raise SnapshotError(f"the snapshot is damaged: {error}") from None
    return found
