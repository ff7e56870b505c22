"""Files of guests in workers, on the host's side: what they are given, what is done for them in mounted folders, and what
they have changed."""
from __future__ import annotations

import math
from typing import Any

from ..files.given import GivenFiles
from ..files.loading import contents_given
from ..files.serving import MountServer, quota_of_guest
from .codec import BadMessage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..limits import Limits

__all__ = ["ChangedFiles", "FileServer", "files_to_value"]

#: Longer contents are sent when the guest first needs them.
SENT_AT_ONCE = 1 << 16
#: Room for paths of the guest that are no names of files.
PATHS = 8192


def files_to_value(given: GivenFiles | None) -> tuple[Any, ...] | None:
    """What a worker is told of the files that the host gives: contents by path, None where it asks for them; mounted folders."""
    if given is None:
        return None
    files = {path: contents if type(contents) is bytes and len(contents) <= SENT_AT_ONCE else None
             for path, contents in given.files.items()}
    return files, [(path, mount.mode, mount.limit) for path, mount in given.mounts.items()]


class FileServer:
    """What the host gives one guest as files.

    Args:
        given: the files, or None.
    """

    def __init__(self, given: GivenFiles | None) -> None:
        self.given = given
        self.more: dict[str, Any] = {}      # contents that the host has put among the files of a session
        self.quota: Any = None
        self.servers: dict[str, MountServer] = {}

    def contents(self, path: Any) -> bytes:
        """The contents of a file.

        Raises:
            BadMessage: the host gives no such file.
            Exception: what a function of the host raises, and TypeError when it gives something else.
        """
        given = {} if self.given is None else self.given.files
        found = self.more.get(path, given.get(path)) if type(path) is str else None
        if found is None:
            raise BadMessage("a file that is not there")
        if type(found) is bytes:
            return found
        return contents_given(found.function(), path)

    def count(self) -> int:
        """How many files the host has given."""
        return len(self.more) + (0 if self.given is None else len(self.given.files))

    def perform(self, asked: Any, limits: Limits) -> Any:
        """Does something in a mounted folder.

        Raises:
            OSError: as the guest gets it.
            BadMessage: there is no such folder, or nothing that could be done.
        """
        if type(asked) is not tuple or len(asked) != 3 or type(asked[0]) is not str or type(asked[1]) is not str \
                or type(asked[2]) is not tuple:
            raise BadMessage("not an operation on files")
        path, what, args = asked
        server = self.servers.get(path)
        if server is None:
            mount = None if self.given is None else self.given.mounts.get(path)
            if mount is None:
                raise BadMessage("a folder that is not mounted")
            if self.quota is None:
                self.quota = quota_of_guest()
            server = self.servers[path] = MountServer(self.quota, mount)
        try:
            return server.perform(what, args, limits)
        except (TypeError, ValueError, OverflowError, AttributeError, LookupError) as error:
            raise BadMessage(f"not an operation on files ({type(error).__name__})") from None

    def reset(self) -> None:
        """The guest begins anew."""
        self.more.clear()
        self.servers.clear()
        self.quota = None


def _is_path(path: str) -> bool:
    """Whether it is the path of a file from the root, as guests have them: hosts make names of their own of it."""
    return (path.startswith("/") and "\0" not in path and "//" not in path
            and not any(part in ("", ".", "..") for part in path[1:].split("/")))


class ChangedFiles:
    """What a worker tells of the files that its guest has changed, put together.

    Attributes:
        files: path -> contents.
        names: pairs of a path and whether the guest has changed it, where these were asked for.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.names: list[tuple[str, bool]] = []
        self.parts: list[bytes] = []
        self.paths_of: dict[int, int] = {}  # id of contents -> how many paths have them
        self.size = 0
        self.most_size: int | None = 0
        self.most_count: int | None = 0
        self.most_names: float = 0          # that may be told: none unless they are asked for

    def use(self, limits: Limits) -> None:
        """A guest with these limits runs: what was there before stays."""
        for name, most in (("most_size", limits.files_size), ("most_count", limits.files_count)):
            known = getattr(self, name)
            setattr(self, name, None if known is None or most is None else max(known, most))

    def take(self, head: Any) -> None:
        """A message. Raises BadMessage when it is none, or more than the limits allow."""
        if type(head) is not tuple or len(head) != 3 or type(head[1]) is not str or len(head[1]) > PATHS:
            raise BadMessage("not a file")
        what, path, more = head
        if not _is_path(path):
            raise BadMessage("not the path of a file")
        if what == "part" and type(more) is bytes and more:
            self.add(more)
        elif what == "end" and type(more) is bytes:
            self.add(more)
            self.enter(path, b"".join(self.parts))
            self.parts = []
        elif what == "same" and type(more) is str and more in self.files:
            self.enter(path, self.files[more])
        elif what == "gone":
            self.drop(path)
        elif what == "name" and type(more) is bool and len(self.names) < self.most_names:
            self.names.append((path, more))
        else:
            raise BadMessage("not a file")
        if self.most_count is not None and len(self.files) > self.most_count:
            raise BadMessage("more files than the limit")

    def ask_for_names(self, changed: ChangedFiles, given: FileServer) -> None:
        """The names of all files are asked for, of a guest that may have changed and was given so many."""
        self.most_names = math.inf if changed.most_count is None else changed.most_count + given.count()

    def add(self, part: bytes) -> None:
        self.size += len(part)
        # A file that has changed is here twice for a moment.
        if self.most_size is not None and self.size > 2 * self.most_size:
            raise BadMessage("more files than the limit")
        self.parts.append(part)

    def enter(self, path: str, contents: bytes) -> None:
        self.drop(path)
        self.files[path] = contents
        self.paths_of[id(contents)] = self.paths_of.get(id(contents), 0) + 1

    def drop(self, path: str) -> None:
        old = self.files.pop(path, None)
        if old is None:
            return
        left = self.paths_of[id(old)] = self.paths_of[id(old)] - 1
        if not left:
            del self.paths_of[id(old)]
            self.size -= len(old)

    def whole(self) -> bytes:
        """The one file that was asked for."""
        [found] = self.files.values()
        return found
