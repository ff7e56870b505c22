"""What the host sees of a guest's files."""
from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from kimi_runtime.files.given import absolute, contents_of
from kimi_runtime.files.system import FileSystem

__all__ = ["Files", "changed_files"]


def changed_files(system: Any) -> dict[str, bytes]:
    """The files that a guest has made or changed: path -> contents.

    Args:
        system: its file system; something else as long as it has used no file.
    """
    if not isinstance(system, FileSystem):
        return {}
    return {path: system.contents(node) for path, node in system.files() if node.changed}


class Files(MutableMapping[str, bytes]):
    """The files of a session: absolute path -> contents.

    Paths that do not begin with a slash start at ``/home``, where guests begin. What is set is seen by the guest's next run;
    contents as for ``Runtime(files=…)``.

        >>> import kimi_runtime as kr
        >>> with kr.Runtime(files={"in.txt": "4 5"}).session() as s:
        ...     s.run("open('out.txt', 'w').write(open('in.txt').read()[::-1])").value
        ...     s.files["out.txt"], s.files.changed()
        3
        (b'5 4', ['/home/out.txt'])
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find  # gives the guest's file system

    def __getitem__(self, path: str) -> bytes:
        """The contents of a file. Raises KeyError when there is none."""
        system = self._find()
        node = system.file(absolute(path))
        if node is None:
            raise KeyError(path)
        found: bytes = system.contents(node)
        return found

    def __setitem__(self, path: str, contents: Any) -> None:
        """Makes a file, or replaces one.

        Raises:
            TypeError, ValueError: as for ``Runtime(files=…)``.
            OSError: there is a folder of that name, or a file where a folder is needed.
        """
        path = absolute(path)
        self._find().put(path, contents_of(path, contents))

    def __delitem__(self, path: str) -> None:
        """Removes a file. Raises KeyError when there is none."""
        if not self._find().drop(absolute(path)):
            raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        return iter([path for path, _ in self._find().files()])

    def __len__(self) -> int:
        return len(self._find().files())

    def __contains__(self, path: object) -> bool:
        try:
            return self._find().file(absolute(path)) is not None
        except (TypeError, ValueError):
            return False

    def changed(self) -> list[str]:
        """The paths of the files that the guest has made or changed."""
        return [path for path, node in self._find().files() if node.changed]

    def __repr__(self) -> str:
        return f"<Files: {len(self)} files>"
