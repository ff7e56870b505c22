"""A guest's files as plain data, for snapshots: what lies in memory and does not come from the host anyway."""

from __future__ import annotations

import stat

from kimi_runtime.files.system import FileSystem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["files_to_save", "restore_files"]


def files_to_save(system: Any, given: Any) -> dict[str, Any] | None:
    """What has to be saved of a file system; None for nothing.

    Files that the host has given, and that are as it gave them, are left out: it gives them again. So is what lies in mounted
    folders, but what an overlay has in memory.

    Args:
        system: the guest's file system; something else as long as it has used no file.
        given: the ``GivenFiles`` of the session, or None.

    Raises:
        ValueError: a file is open.
    """
    if not isinstance(system, FileSystem):
        return None
    folders, files, links, hidden, current, umask, handles = system.state()
    if handles:
        raise ValueError(f"the file descriptor {handles[0]} is open")
    kept = {node.given for path, node in files if node.given == path and not node.changed}
    first: dict[int, str] = {}
    saved = []
    for path, node in files:
        if path in kept:
            continue
        other = first.setdefault(node.ino, path)
        saved.append((path, other) if other != path else (path, system.contents(node), node.changed, *times_of(node)))
    return {
        "gone": [path for path in (given.files if given is not None else ()) if path not in kept],
        "hidden": hidden,
        "folders": [(path, *times_of(node)) for path, node in folders],
        "files": saved,
        "links": [(path, target) for path, _, target in links],
        "current": current,
        "umask": umask,
    }


def times_of(node: Any) -> tuple[int, int, int]:
    return stat.S_IMODE(node.mode), node.atime, node.mtime


def restore_files(system: FileSystem, saved: Any) -> None:
    """Puts into a new file system what ``files_to_save`` has found.

    Raises:
        OSError: there is no room, or no folder, for it.
        ValueError, TypeError, KeyError, AttributeError: it is no such data.
    """
    for path in (*saved["gone"], *saved["hidden"]):
        above, _, name = path.rpartition("/")
        system.host_folder(above).host_drop(name)
    made = []
    for path, *times in saved["folders"]:
        made.append((system.host_folder(path), times))
    for path, *rest in saved["files"]:
        above, _, name = path.rpartition("/")
        folder = system.host_folder(above)
        folder.host_drop(name)
        if len(rest) == 1:
            folder.host_name(name, system.file(rest[0]))
            continue
        contents, changed, *times = rest
        if type(contents) is not bytes:
            raise TypeError("contents that are no bytes")
        if changed:
            node = folder.host_file(name, times[0], contents)
        else:
            system.put(path, contents)
            node = folder.host_node(name)
        made.append((node, times))
    for path, target in saved["links"]:
        above, _, name = path.rpartition("/")
        folder = system.host_folder(above)
        folder.host_drop(name)
        folder.host_link(name, target)
    for node, (mode, accessed, modified) in made:
        node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        node.atime, node.mtime = accessed, modified
    system.go_to(saved["current"], saved["umask"])
