"""Folders of the host among the guests' files: ``Mount``."""
from __future__ import annotations

import os

from kimi_runtime.files.mounted import Usage, mount_folder, open_folder
from kimi_runtime.files.overlay import overlay_folder
from kimi_runtime.limits import parse_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Mount"]

MODES = ("ro", "rw", "overlay")


class Mount:
    """A folder of the host that guests find among their files. See docs/files.md.

        >>> import kimi_runtime as kr
        >>> rt = kr.Runtime(mounts=[kr.Mount("examples", "/examples")])
        >>> rt.run("import os; 'ledger.py' in os.listdir('/examples')").value
        True
        >>> rt.run("open('/examples/new.txt', 'w')").error.message
        "[Errno 30] Read-only file system: '/examples/new.txt'"

    Nothing outside of the folder can be reached through it: links are followed among the guest's own files, and devices, pipes,
    sockets and other file systems inside it cannot be opened.

    Args:
        folder: of the host. It is opened here: renaming it does not concern the guests.
        path: where guests find it, absolute.
        mode: "ro", to read; "overlay", to read, and what a guest changes is in its memory and comes back as its files;
            "rw", to change it.
        limit: bytes that may be added, as an int or text such as "10MB": with "rw" by all guests together, with "overlay"
            by each. Besides, ``Limits.files_size`` counts. None for no limit of its own.

    Raises:
        TypeError, ValueError: an argument is of another type, or has no such value.
        OSError: there is no such folder.
        NotImplementedError: the system is not Linux.
    """

    __slots__ = ("folder", "path", "mode", "limit", "_descriptor", "_usage")

    def __init__(
        self, folder: str | os.PathLike[str], path: str, mode: str = "ro", limit: int | str | None = None
    ) -> None:
        from kimi_runtime.files.given import absolute

        if mode not in MODES:
            raise ValueError(f"mounts: mode must be one of {', '.join(MODES)}, not {mode!r}")
        if not isinstance(folder, (str, os.PathLike)):
            raise TypeError(f"mounts: the folder must be a path, not {type(folder).__name__}")
        if not isinstance(path, str):
            raise TypeError(f"mounts: the guests' path must be a str, not {type(path).__name__}")
        if not path.startswith("/"):
            raise ValueError(f"mounts: the guests' path must be absolute, not {path!r}")
        self.folder = os.fspath(folder)
        self.path = absolute(path.rstrip("/"), "mounts")
        if self.path == "/dev" or self.path.startswith("/dev/"):
            raise ValueError("mounts: /dev belongs to the guests")
        self.mode = mode
        self.limit = parse_size("limit", limit)
        self._descriptor = open_folder(os.fsencode(self.folder))
        self._usage = Usage(self.limit if mode == "rw" else None)

    @property
    def added(self) -> int:
        """Bytes that guests have added, with mode "rw"."""
        return self._usage.used

    def _folder_in(self, quota: Any, number: int, above: Any, name: str) -> Any:
        """The node for a file system."""
        if self.mode == "overlay":
            return overlay_folder(quota, number, self._descriptor, self.limit, above, name)
        return mount_folder(quota, number, self._descriptor, self._usage, above, name, self.mode == "rw")

    def __repr__(self) -> str:
        limit = "" if self.limit is None else f", limit={self.limit}"
        return f"Mount({self.folder!r}, {self.path!r}, mode={self.mode!r}{limit})"
