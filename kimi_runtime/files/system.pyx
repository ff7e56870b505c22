# cython: binding=False, wraparound=True, boundscheck=True
"""A guest's file system: paths, the operations on what they lead to, and open files.

Paths are resolved here, one name after the other, also those of mounted folders and of links in them: a link of the host leads to
what its text stands for in the guest's file system, as after ``chroot``.
"""
cimport cython
from cpython.bytes cimport PyBytes_GET_SIZE
from libc.string cimport memcpy

import errno
import os
import weakref

from kimi_runtime.files.tree cimport (
    MemoryLink,
    FOLDER, LINK, REGULAR, TYPE_MASK, Folder, MemoryFile, MemoryFolder, Node, Quota, count_lookup, fail, new_file)
from kimi_runtime.objects.context cimport RunContext, current_context

from kimi_runtime.files.tree import new_folder, new_null, new_root, enter

cdef enum:
    MOST_LINKS = 40
    LONGEST_PATH = 4096
    O_ACCMODE = 3
    O_WRONLY = 1
    O_RDWR = 2
    MOST_DESCRIPTORS = 1 << 20

cdef int O_CREAT = os.O_CREAT, O_EXCL = os.O_EXCL, O_TRUNC = os.O_TRUNC, O_APPEND = os.O_APPEND
cdef int O_DIRECTORY = os.O_DIRECTORY, O_NOFOLLOW = os.O_NOFOLLOW, O_PATH = os.O_PATH
cdef int O_TMPFILE = os.O_TMPFILE & ~os.O_DIRECTORY
cdef int ENOENT = errno.ENOENT, ENOTDIR = errno.ENOTDIR, EISDIR = errno.EISDIR, EEXIST = errno.EEXIST, EACCES = errno.EACCES
cdef int EBADF = errno.EBADF, EINVAL = errno.EINVAL

#: Where guests begin, and the folders that they find.
HOME = "/home"
FOLDERS = ("/home", "/tmp", "/dev")


@cython.final
@cython.auto_pickle(False)
cdef class Place:
    """Where a path leads."""


@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class Handle:
    """An open file."""

    def __dealloc__(self):
        if not self.is_closed and self.quota is not None:
            self.is_closed = True
            self.quota.handles -= 1
            try:
                self.content.close()
            except OSError:         # nobody is there to tell
                pass

    cdef object read(self, Py_ssize_t size):
        """The next bytes, so many at most; -1 for all that there are."""
        if not self.readable:
            fail(EBADF)
        if self.node.mode & TYPE_MASK == FOLDER:
            fail(EISDIR)
        found = self.content.read_rest(self.at) if size < 0 else self.content.read_at(self.at, size)
        self.at += PyBytes_GET_SIZE(found)
        return found

    cdef Py_ssize_t read_into(self, char *target, Py_ssize_t size) except -1:
        if not self.readable:
            fail(EBADF)
        if self.node.mode & TYPE_MASK == FOLDER:
            fail(EISDIR)
        size = self.content.read_into(self.at, target, size)
        self.at += size
        return size

    cdef Py_ssize_t write(self, const char *source, Py_ssize_t size) except -1:
        if not self.writable:
            fail(EBADF)
        if self.appends:
            self.at = self.content.length()
        size = self.content.write_at(self.at, source, size)
        self.at += size
        return size

    cdef long long seek(self, long long offset, int whence) except -1:
        cdef long long target = offset
        if not self.seekable:
            fail(errno.ESPIPE)
        if whence == 1:
            target += self.at
        elif whence == 2:
            target += self.content.length()
        elif whence != 0:
            fail(EINVAL)
        if target < 0:
            fail(EINVAL)
        self.at = target
        return target

    cdef int resize(self, long long size) except -1:
        if not self.writable:
            fail(EINVAL)
        return self.content.resize(size)

    cdef int close(self) except -1:
        if not self.is_closed:
            self.is_closed = True
            self.quota.handles -= 1
            self.content.close()
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class StreamHandle(Handle):
    """A descriptor of the guest's standard streams."""
    cdef object stream

    cdef object read(self, Py_ssize_t size):
        if not self.readable:
            fail(EBADF)
        return self.stream.buffer.read(size)

    cdef Py_ssize_t read_into(self, char *target, Py_ssize_t size) except -1:
        cdef bytes found = self.read(size)
        memcpy(target, <const char *>found, PyBytes_GET_SIZE(found))
        return PyBytes_GET_SIZE(found)

    cdef Py_ssize_t write(self, const char *source, Py_ssize_t size) except -1:
        if not self.writable:
            fail(EBADF)
        self.stream.buffer.write(source[:size])
        return size

    cdef long long seek(self, long long offset, int whence) except -1:
        return fail(errno.ESPIPE)

    cdef int resize(self, long long size) except -1:
        return fail(EINVAL)

    cdef int close(self) except -1:
        self.is_closed = True
        return 0


@cython.final
@cython.no_gc_clear                     # files that close while garbage is collected still ask it
@cython.auto_pickle(False)
cdef class FileSystem:
    """The files of one guest."""

    def __cinit__(self):
        self.quota = Quota.__new__(Quota)
        self.root = new_root(self.quota)
        self.handles = {}
        self.lowest = 3
        self.umask = 0o022
        for path in FOLDERS:
            self.host_folder(path)
        enter(self.root.find("dev"), "null", new_null(self.quota))
        (<Node>self.root.find("tmp")).mode |= 0o1777
        self.folder = self.host_folder(HOME)

    # ---- for the host ------------------------------------------------------------------------------------
    def host_folder(self, str path):
        """The folder in memory of a path; what is missing is made.

        Raises:
            NotADirectoryError: something else is in the way.
        """
        cdef Folder folder
        cdef Node found
        folder, names = self.beginning_of(path)
        for name in names:
            if name:
                found = folder.find(name)
                if found is None:
                    found = new_folder(self.quota, 0o755)
                    enter(folder, name, found)
                if not isinstance(found, MemoryFolder):
                    raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), path)
                folder = found
        return folder

    def put(self, str path, contents):
        """Puts a file there, which does not count as changed by the guest.

        contents: bytes, or a function that gives them when they are first needed.

        Raises:
            OSError: there is a folder of that name, or something else where a folder is needed.
        """
        cdef MemoryFolder folder
        cdef Node old, made
        above, _, name = path.rpartition("/")
        folder = self.host_folder(above)
        old = folder.find(name)
        if isinstance(old, Folder):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
        if type(contents) is bytes:
            made = new_file(self.quota, 0o644, contents)
        else:
            made = new_file(self.quota, 0o644, b"", contents)
        if old is not None:
            folder.drop(name, old)
        folder.adopt(name, made)

    def file(self, str path):
        """The file of a path, None when there is none. Links are not followed."""
        cdef Node found
        found, names = self.beginning_of(path)
        for name in names:
            if name:
                if not isinstance(found, MemoryFolder):
                    return None
                found = (<MemoryFolder>found).find(name)
        return found if isinstance(found, MemoryFile) else None

    def drop(self, str path):
        """Removes a file: whether there was one."""
        cdef Node found = self.file(path)
        if found is None:
            return False
        above, _, name = path.rpartition("/")
        self.host_folder(above).drop_entry(name)
        return True

    def files(self):
        """All files in memory: pairs of path and node."""
        cdef MemoryFolder folder
        cdef list found = []
        cdef list waiting = self.beginnings()
        while waiting:
            path, folder = waiting.pop()
            folders = []
            for name, node in folder.entries.items():
                if isinstance(node, MemoryFolder):
                    folders.append((f"{path}/{name}", node))
                elif isinstance(node, MemoryFile) and not (<MemoryFile>node).is_below:
                    found.append((f"{path}/{name}", node))
            waiting.extend(reversed(folders))
        return found

    def state(self):
        """What is in memory: folders that have none of the host's below, as pairs of path and node; files; links, as triples with
        their targets; paths of what is hidden in overlays; path of the current folder, umask, open descriptors."""
        cdef MemoryFolder folder
        cdef list folders = [], files = [], links = [], hidden = []
        cdef list waiting = self.beginnings()
        while waiting:
            path, folder = waiting.pop()
            hidden += [f"{path}/{name}" for name in folder.hidden_names() if name not in folder.entries]
            for name, node in folder.entries.items():
                below = f"{path}/{name}"
                if isinstance(node, MemoryFolder):
                    waiting.append((below, node))
                    if (<Node>node).device == folder.device and (<Node>node).counted or type(node) is MemoryFolder:
                        folders.append((below, node))
                elif isinstance(node, MemoryFile) and not (<MemoryFile>node).is_below:
                    files.append((below, node))
                elif isinstance(node, MemoryLink):
                    links.append((below, node, (<MemoryLink>node).path))
        return folders, files, links, hidden, self.path_of(self.folder), self.umask, sorted(self.handles)

    def go_to(self, str path, unsigned int umask):
        """Sets the current folder and the umask. OSError: there is no such folder."""
        self.folder = <Folder?>self.node_of(path, None, True)
        self.umask = umask & 0o777

    def contents(self, MemoryFile node not None):
        """The bytes of a file."""
        if node.is_below:
            return node.loader()
        node.load()
        return bytes(node.data)

    def mount(self, str path, mount):
        """Puts a folder of the host there. mount: a ``Mount``."""
        cdef Folder made, above
        folder, _, name = path.rpartition("/")
        if self.mounted and self.in_mounted(folder):
            self.mount_within(path, mount, folder, name)
            return
        above = self.host_folder(folder)
        self.mounted += 1
        made = mount._folder_in(self.quota, self.mounted + 1, above, name)
        old = above.find(name)
        enter(above, name, made)
        if old is self.folder:
            self.folder = made

    cdef bint in_mounted(self, str path):
        """Whether the path is that of a mounted folder, or of something in one."""
        cdef Node found = self.root
        for name in path.split("/"):
            if name and isinstance(found, MemoryFolder):
                found = (<MemoryFolder>found).entries.get(name)
                if found is not None and found.device != self.quota.device:
                    return True
        return False

    cdef int mount_within(self, str path, mount, str folder, str name) except -1:
        """Puts a folder of the host there, in a folder that is one of the host's itself. OSError: that is not there."""
        cdef Folder above = <Folder?>self.node_of(folder, None, False)
        cdef Folder made
        self.mounted += 1
        made = mount._folder_in(self.quota, self.mounted + 1, above, name)
        if self.nested is None:
            self.nested, self.nested_places = {}, []
        self.nested[above.device, above.ino, name] = made
        self.nested_places.append((path, above, made))          # they know the folder weakly
        return 0

    cdef list beginnings(self):
        """Where one can begin to look for all that is in memory: pairs of path and folder."""
        found = [("", self.root)]
        if self.nested is not None:
            found += [(path, made) for path, _, made in self.nested_places if isinstance(made, MemoryFolder)]
        return found

    cdef tuple beginning_of(self, str path):
        """The mounted folder in a mounted one that the path leads through, or the root, and the names from there."""
        cdef str longest = ""
        cdef Folder found = self.root
        if self.nested is not None:
            for place, _, made in self.nested_places:
                if len(place) > len(longest) and (path == place or path.startswith(place + "/")):
                    longest, found = place, made
        return found, path[len(longest):].split("/")

    cdef Node entry_of(self, Folder folder, str name):
        """What a name stands for in a folder, or None."""
        if self.nested is not None:
            made = self.nested.get((folder.device, folder.ino, name))
            if made is not None:
                return made
        return folder.find(name)

    cdef list names_of(self, Folder folder):
        """The names in a folder."""
        cdef list found = folder.names()
        if self.nested is not None:
            found += [name for device, ino, name in self.nested
                      if device == folder.device and ino == folder.ino and name not in found]
        return found

    def use_limits(self, limits):
        """Says which ``Limits`` count from now on."""
        if self.quota.limits is not limits:
            self.quota.use(limits)

    @property
    def root(self):
        return self.root

    @property
    def quota(self):
        return self.quota

    @property
    def open_files(self):
        """How many files are open."""
        return self.quota.handles

    # ---- paths -------------------------------------------------------------------------------------------
    cdef str path_of(self, Folder folder):
        """The path of a folder. FileNotFoundError when it was removed."""
        cdef list names = []
        cdef Folder above
        while folder is not self.root:
            above = folder.parent()
            names.append(folder.name())
            folder = above
        names.append("")
        return "/".join(reversed(names)) if len(names) > 1 else "/"

    cdef Place locate(self, str path, Folder start, bint follow):
        """What a path leads to. The entry itself may be missing, not a folder on the way.

        start: folder that the path starts from, or None for the current one. follow: a link at the end of the path too.
        """
        if not self.mounted:
            return self.look_up(path, start, follow)
        count_lookup()
        try:
            return self.look_up(path, start, follow)
        finally:
            count_lookup()

    cdef Place look_up(self, str path, Folder start, bint follow):
        cdef Place place = Place.__new__(Place)
        cdef Folder folder = self.folder if start is None else start
        cdef Node found
        cdef list parts
        cdef Py_ssize_t i = 0
        cdef int links = 0
        cdef str part
        cdef bint is_last
        if not path:
            fail(ENOENT)
        if len(path) >= LONGEST_PATH:
            fail(errno.ENAMETOOLONG)
        if path[0] == "/":
            folder = self.root
        parts = path.split("/")
        if not parts[len(parts) - 1]:
            place.as_folder = True
        place.node = folder
        place.name = ""
        while i < len(parts):
            part = parts[i]
            i += 1
            if not part or part == ".":
                continue
            if not folder.mode & 0o100:
                fail(EACCES)
            if part == "..":
                folder = folder.parent()
                place.node = folder
                place.parent = None
                place.name = ""
                continue
            is_last = True
            for more in parts[i:]:
                if more:
                    is_last = False
                    break
            if not is_last and folder.device != self.quota.device:
                folder.expect(parts, i - 1)
            found = self.entry_of(folder, part)
            if found is None:
                if not is_last:
                    fail(ENOENT)
                place.parent, place.name, place.node = folder, part, None
                return place
            if found.mode & TYPE_MASK == LINK and (follow or not is_last or place.as_folder):
                links += 1
                if links > MOST_LINKS:
                    fail(errno.ELOOP)
                target = found.target()
                if not target:
                    fail(ENOENT)
                if len(target) >= LONGEST_PATH:
                    fail(errno.ENAMETOOLONG)
                if target[0] == "/":
                    folder = self.root
                parts = target.split("/") + parts[i:]
                i = 0
                place.node = folder
                place.parent = None
                place.name = ""
                continue
            place.parent, place.name, place.node = folder, part, found
            if found.mode & TYPE_MASK == FOLDER:
                folder = found
            elif not is_last:
                fail(ENOTDIR)
        return place

    cdef Node node_of(self, str path, Folder start, bint follow):
        """What is there. OSError when there is nothing."""
        cdef Place place = self.locate(path, start, follow)
        if place.node is None:
            fail(ENOENT)
        if place.as_folder and place.node.mode & TYPE_MASK != FOLDER:
            fail(ENOTDIR)
        return place.node

    # ---- open files --------------------------------------------------------------------------------------
    cdef Handle open_handle(self, str path, Folder start, int flags, unsigned int mode):
        """Opens a file: the flags are those of ``os.open``."""
        cdef int access = flags & O_ACCMODE
        cdef bint writes = access == O_WRONLY or access == O_RDWR
        cdef Place place
        cdef Node node
        cdef Handle handle
        if flags & O_TMPFILE:
            fail(errno.EOPNOTSUPP)
        place = self.locate(path, start, not (flags & O_NOFOLLOW or (flags & O_CREAT and flags & O_EXCL)))
        node = place.node
        if self.quota.handles >= self.quota.most_handles:
            fail(errno.EMFILE)
        if node is None:
            if not flags & O_CREAT:
                fail(ENOENT)
            if place.as_folder:
                fail(EISDIR)
            may_change(place.parent)
            try:
                node = place.parent.add_file(place.name, mode & ~self.umask)
            except FileExistsError:
                if flags & O_EXCL:
                    raise
                # Somebody else has made it in the folder of the host meanwhile.
                return self.open_handle(path, start, flags & ~O_CREAT, mode)
        else:
            if flags & O_CREAT and flags & O_EXCL:
                fail(EEXIST)
            if node.mode & TYPE_MASK == LINK:
                fail(errno.ELOOP)
            if node.mode & TYPE_MASK == FOLDER:
                if writes or flags & O_CREAT:
                    fail(EISDIR)
            elif place.as_folder or flags & O_DIRECTORY:
                fail(ENOTDIR)
            if writes:
                node.may_write()
            if (access != O_WRONLY and not node.mode & 0o400) or (writes and not node.mode & 0o200):
                fail(EACCES)
        handle = Handle.__new__(Handle)
        handle.flags = flags
        handle.readable = access != O_WRONLY
        handle.writable = writes
        handle.appends = flags & O_APPEND != 0
        handle.seekable = True
        handle.node = handle.content = node.opened(flags)
        handle.quota = self.quota
        self.quota.handles += 1
        if flags & O_TRUNC and writes and node.mode & TYPE_MASK == REGULAR:
            handle.content.resize(0)
        return handle

    cdef int new_descriptor(self, Handle handle) except -1:
        """A number for an open file: the lowest that is free."""
        cdef int number = self.lowest
        while number in self.handles:
            number += 1
        self.handles[number] = handle
        self.lowest = number + 1
        handle.descriptors += 1
        return number

    cdef Handle find(self, int descriptor):
        return self.handles.get(descriptor)

    cdef Handle handle(self, int descriptor):
        """The open file of a number. OSError when there is none."""
        found = self.handles.get(descriptor)
        if found is None:
            if not 0 <= descriptor <= 2 or self.streams is None:
                fail(EBADF)
            found = self.handles[descriptor] = self.standard(descriptor)
        return found

    cdef Handle standard(self, int descriptor):
        cdef StreamHandle handle = StreamHandle.__new__(StreamHandle)
        context = self.streams()
        if context is None:
            fail(EBADF)
        handle.stream = (context.stdin, context.stdout, context.stderr)[descriptor]
        handle.readable = descriptor == 0
        handle.writable = descriptor != 0
        handle.flags = O_WRONLY if descriptor else 0
        handle.descriptors = 1
        handle.node = handle.content = new_null(self.quota)
        return handle

    cdef int close(self, int descriptor) except -1:
        cdef Handle handle = self.handle(descriptor)
        if descriptor <= 2:
            return 0                # the streams stay
        del self.handles[descriptor]
        if descriptor < self.lowest:
            self.lowest = max(3, descriptor)
        handle.descriptors -= 1
        if handle.descriptors == 0:
            handle.close()
        return 0

    # ---- changes -----------------------------------------------------------------------------------------
    cdef int make_folder(self, str path, Folder start, unsigned int mode) except -1:
        cdef Place place = self.locate(path, start, False)
        if place.node is not None:
            fail(EEXIST)
        may_change(place.parent)
        place.parent.add_folder(place.name, mode & 0o1777 & ~self.umask)
        return 0

    cdef int make_link(self, str target, str path, Folder start) except -1:
        cdef Place place
        if not target:
            fail(ENOENT)
        place = self.locate(path, start, False)
        if place.node is not None:
            fail(EEXIST)
        if place.as_folder:
            fail(ENOENT)
        if len(target) >= LONGEST_PATH:
            fail(errno.ENAMETOOLONG)
        may_change(place.parent)
        place.parent.add_link(place.name, target)
        return 0

    cdef int hard_link(self, str old, Folder old_start, str new, Folder new_start, bint follow) except -1:
        cdef Node node = self.node_of(old, old_start, follow)
        cdef Place place = self.locate(new, new_start, False)
        if place.node is not None:
            fail(EEXIST)
        if node.mode & TYPE_MASK == FOLDER:
            fail(errno.EPERM)
        if place.as_folder:
            fail(ENOENT)
        may_change(place.parent)
        if node.device != place.parent.device:
            fail(errno.EXDEV)
        place.parent.add_node(place.name, node)
        return 0

    cdef int remove(self, str path, Folder start, bint folders) except -1:
        """``unlink``, or ``rmdir``."""
        cdef Place place = self.locate(path, start, False)
        cdef bint is_folder
        if place.parent is not None:
            place.parent.may_write()
        if place.node is None:
            fail(ENOENT)
        is_folder = place.node.mode & TYPE_MASK == FOLDER
        if place.as_folder and not is_folder:
            fail(ENOTDIR)
        if folders:
            if not is_folder:
                fail(ENOTDIR)
            if place.parent is None:
                last = path.rstrip("/").rpartition("/")[2]
                fail(errno.ENOTEMPTY if last == ".." else EINVAL if last == "." else errno.EBUSY)
            if place.node.device != place.parent.device:
                fail(errno.EBUSY)   # a mounted folder
            if self.names_of(<Folder>place.node):
                fail(errno.ENOTEMPTY)
        elif is_folder:
            fail(EISDIR)
        may_change(place.parent)
        place.parent.drop(place.name, place.node)
        return 0

    cdef int rename(self, str old, Folder old_start, str new, Folder new_start) except -1:
        cdef Place source = self.locate(old, old_start, False)
        cdef Place target
        cdef Folder above
        cdef bint is_folder
        target = self.locate(new, new_start, False)
        if source.parent is not None and target.parent is not None:
            if source.parent.device != target.parent.device:
                fail(errno.EXDEV)
            source.parent.may_write()
            target.parent.may_write()
        if source.node is None:
            fail(ENOENT)
        is_folder = source.node.mode & TYPE_MASK == FOLDER
        if not is_folder and (source.as_folder or target.as_folder):
            fail(ENOTDIR)
        if source.parent is None or target.parent is None:
            fail(errno.EBUSY)
        if source.node is target.node:
            return 0
        if source.node.device != source.parent.device:
            fail(errno.EBUSY)       # a mounted folder
        may_change(source.parent)
        may_change(target.parent)
        if is_folder:
            above = target.parent
            while True:
                if above.ino == source.node.ino and above.device == source.node.device:
                    fail(EINVAL)    # into itself
                if above is self.root:
                    break
                above = above.parent()
        if target.node is not None:
            if target.node.device == source.node.device and target.node.ino == source.node.ino:
                return 0            # two names of one file
            if target.node.device != source.node.device:
                fail(errno.EBUSY)
            if is_folder:
                if target.node.mode & TYPE_MASK != FOLDER:
                    fail(ENOTDIR)
                if self.names_of(<Folder>target.node):
                    fail(errno.ENOTEMPTY)
            elif target.node.mode & TYPE_MASK == FOLDER:
                fail(EISDIR)
        target.parent.take(target.name, source.node, source.parent, source.name, target.node)
        if is_folder:
            # Nodes of mounted folders are made on the way; those of the current folder live on.
            above = self.folder
            while above is not self.root and above is not None:
                if above is not source.node and above.ino == source.node.ino and above.device == source.node.device:
                    above.moved(target.name, target.parent)
                    break
                above = None if isinstance(above, MemoryFolder) else above.parent()
        return 0


cdef int may_change(Folder folder) except -1:
    """OSError when no entry of the folder may be made or removed."""
    folder.may_write()
    if folder.mode & 0o300 != 0o300:
        fail(EACCES)
    return 0


cdef object make_system = None


cdef str sound_path(str path):
    if not path.isascii():
        path.encode("utf-8", "surrogateescape")         # raises for other surrogates
    if "\0" in path:
        raise ValueError("embedded null byte")
    return path


def use_maker(function):
    """Sets what makes the file system of a guest from what the host has given: function(given) -> FileSystem."""
    global make_system
    make_system = function


cdef FileSystem running_system():
    cdef RunContext context = current_context()
    if context is None:
        fail(EACCES)
    return system_of(context)


cpdef FileSystem system_of(RunContext context):
    """The file system of a guest; made when it is first needed. PermissionError: the host gives it none."""
    cdef FileSystem system
    files = context.files
    if files is None:
        raise PermissionError(errno.EACCES, "files are not available to this guest: its host gives it none, as by Runtime(files={})")
    if type(files) is not FileSystem:
        if make_system is None:
            import kimi_runtime.files.given  # no-cython-lint: gives the maker
        system = make_system(files)
        system.streams = weakref.ref(context)
        context.files = system
    else:
        system = <FileSystem>files
    if context.limits is not None and system.quota.limits is not context.limits:
        system.quota.use(context.limits)
    return system
