# cython: binding=False, wraparound=True, boundscheck=True
"""Mounted folders in a worker process: nodes that ask the host, which does it (`serving`).

What these know of the host's folder is what the host has told. The limits are looked at here as everywhere, and once more there.
"""
cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize, PyBytes_GET_SIZE

from kimi_runtime.files.tree cimport (
    FOLDER, LINK, REGULAR, TYPE_MASK, Folder, Node, OuterContent, OuterFolder, Quota, fail, lookups)

import errno
import weakref

cdef enum:
    O_ACCMODE = 3
    READ_AT_ONCE = 1 << 20
    WRITE_AT_ONCE = 1 << 18         # a message to the host must not be long


@cython.final
@cython.auto_pickle(False)
cdef class RemoteMount:
    """What the nodes of one mounted folder share.

    ask: function(operation, arguments) -> value, bytes and files that were added.
    """
    cdef object ask
    cdef Quota quota
    cdef bint writable
    cdef unsigned int number
    cdef list unused                # open files of the host that nobody needs any more: told with the next question

    cdef object do(self, str what, tuple args):
        cdef long long size, count
        cdef Quota each
        if self.unused:
            unused, self.unused = tuple(self.unused), []
            self.ask("close", (unused,))
        value, size, count = self.ask(what, args)
        each = self.quota
        size -= each.size
        count -= each.count
        while each is not None:
            each.size += size
            each.count += count
            each = each.outer
        return value

    cdef long long room(self):
        """Bytes that the guest may still add."""
        cdef Quota each = self.quota
        cdef long long least = each.most_size - each.size
        while each.outer is not None:
            each = each.outer
            least = min(least, each.most_size - each.size)
        return max(0, least)

    cdef int may_write(self) except -1:
        if not self.writable:
            fail(errno.EROFS)
        return 0

    cdef int may_add(self) except -1:
        """OSError when the guest may have no more files."""
        self.may_write()
        self.quota.add_node()
        self.quota.drop_node()
        return 0


cdef int fill(Node node, RemoteMount mount, tuple state) except -1:
    """What the host has told of a node."""
    node.mode, node.ino = state[0], state[1]
    node.atime, node.mtime, node.ctime = state[4], state[5], state[6]
    node.device = mount.number
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class RemoteFolder(OuterFolder):
    """A folder of the host."""
    cdef RemoteMount mount
    cdef tuple ahead                # a name and what it stands for, asked for ahead of need; or None
    cdef long long ahead_of         # for which path: see `expect`

    cdef tuple path(self):
        """The names that lead to it."""
        cdef list names = []
        cdef RemoteFolder folder = self
        while folder.above is not None:
            names.append(folder.own_name)
            folder = <RemoteFolder>folder.above
        names.reverse()
        return tuple(names)

    cdef Node node_for(self, str name, tuple state):
        cdef RemoteFolder inner
        cdef RemoteFile file
        cdef RemoteLink link
        cdef Node made
        cdef unsigned int kind = state[0] & TYPE_MASK
        if kind == REGULAR:
            file = RemoteFile.__new__(RemoteFile)
            file.folder, file.own_name = self, name
            file.link_count, file.size = state[2], state[3]
            made = file
        elif kind == FOLDER:
            inner = RemoteFolder.__new__(RemoteFolder)
            inner.mount, inner.above, inner.own_name, inner.link_count = self.mount, self, name, state[2]
            made = inner
        elif kind == LINK:
            link = RemoteLink.__new__(RemoteLink)
            link.folder, link.own_name, link.text = self, name, state[7]
            made = link
        else:
            made = RemoteOther.__new__(RemoteOther)
        fill(made, self.mount, state)
        return made

    cdef int refresh(self) except -1:
        cdef tuple state
        if self.mode & 0o7777:      # else something is mounted there in the host
            state = self.mount.do("refresh", (self.path(), self.ino))
            fill(self, self.mount, state)
            self.link_count = state[2]
        return 0

    cdef int expect(self, list parts, Py_ssize_t at) except -1:
        cdef RemoteFolder folder = self
        cdef list names = []
        if self.ahead is not None and self.ahead_of == lookups:
            return 0                # asked for together with this folder
        for name in parts[at:]:
            if name == "..":
                break
            if name and name != ".":
                names.append(name)
        if len(names) < 2:
            return 0
        states = self.mount.do("find_path", (self.path(), self.ino, tuple(names)))
        for name, state in zip(names, states):
            node = None if state is None else folder.node_for(name, state)
            folder.ahead = name, node
            folder.ahead_of = lookups
            if not isinstance(node, RemoteFolder):
                break
            folder = node
        return 0

    cdef Node find(self, str name):
        if self.ahead is not None:
            known, node = self.ahead
            self.ahead = None
            if known == name and self.ahead_of == lookups:
                return node
        state = self.mount.do("find", (self.path(), self.ino, name))
        return None if state is None else self.node_for(name, state)

    cdef list names(self):
        return self.mount.do("names", (self.path(), self.ino))

    cdef int may_write(self) except -1:
        return self.mount.may_write()

    cdef Node add_file(self, str name, unsigned int permissions):
        cdef RemoteFile made
        self.mount.may_add()
        number, state = self.mount.do("add_file", (self.path(), self.ino, name, permissions))
        made = <RemoteFile?>self.node_for(name, state)
        made.made = number
        return made

    cdef Folder add_folder(self, str name, unsigned int permissions):
        self.mount.may_add()
        self.mount.do("add_folder", (self.path(), self.ino, name, permissions))
        return None

    cdef Node add_link(self, str name, str target):
        self.mount.may_add()
        self.mount.do("add_link", (self.path(), self.ino, name, target))
        return None

    cdef int add_node(self, str name, Node node) except -1:
        cdef RemoteFile file
        self.mount.may_add()
        if not isinstance(node, RemoteFile) or (<RemoteFile>node).folder.mount is not self.mount:
            fail(errno.EPERM)
        file = <RemoteFile>node
        self.mount.do("add_name", (self.path(), self.ino, name, file.folder.path(), file.folder.ino, file.own_name))
        return 0

    cdef int drop(self, str name, Node node) except -1:
        self.mount.may_write()
        self.mount.do("drop", (self.path(), self.ino, name))
        return 0

    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1:
        cdef RemoteFolder source
        self.mount.may_write()
        if not isinstance(parent, RemoteFolder) or (<RemoteFolder>parent).mount is not self.mount:
            fail(errno.EXDEV)
        source = <RemoteFolder>parent
        self.mount.do("take", (self.path(), self.ino, name, source.path(), source.ino, old_name))
        return 0

    cdef int set_mode(self, unsigned int permissions) except -1:
        self.mount.may_write()
        self.mount.do("set_mode", (self.path(), self.ino, None, permissions))
        return self.refresh()

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.mount.may_write()
        self.mount.do("set_times", (self.path(), self.ino, None, atime, mtime))
        return self.refresh()


@cython.final
@cython.auto_pickle(False)
cdef class RemoteFile(Node):
    """A file of the host."""
    cdef RemoteFolder folder
    cdef str own_name
    cdef long long size
    cdef int link_count
    cdef long long made             # number by which the host knows that it was made just now, or 0

    cdef long long length(self) except -1:
        return self.size

    cdef int links(self) except -1:
        return self.link_count

    cdef int may_write(self) except -1:
        return self.folder.mount.may_write()

    cdef Node opened(self, int flags):
        cdef RemoteContent content
        if flags & O_ACCMODE:
            self.may_write()
        number, state = self.folder.mount.do("open", (self.folder.path(), self.folder.ino, self.own_name, flags, self.made))
        self.made = 0
        content = RemoteContent.__new__(RemoteContent)
        content.mount = self.folder.mount
        content.number = number
        content.take(state)
        return content

    cdef int set_mode(self, unsigned int permissions) except -1:
        self.may_write()
        self.folder.mount.do("set_mode", (self.folder.path(), self.folder.ino, self.own_name, permissions))
        return 0

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.may_write()
        self.folder.mount.do("set_times", (self.folder.path(), self.folder.ino, self.own_name, atime, mtime))
        return 0


@cython.final
@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class RemoteContent(OuterContent):
    """An open file of the host."""
    cdef RemoteMount mount
    cdef long long number           # 0 when it is closed

    def __dealloc__(self):
        if self.number and self.mount is not None:
            self.mount.unused.append(self.number)

    cdef int take(self, tuple state) except -1:
        fill(self, self.mount, state)
        self.link_count, self.size = state[2], state[3]
        return 0

    cdef object do(self, str what, tuple args):
        if not self.number:
            fail(errno.EBADF)
        return self.mount.do(what, (self.number, *args))

    cdef int refresh(self) except -1:
        return self.take(self.do("state", ()))

    cdef int may_write(self) except -1:
        return self.mount.may_write()

    cdef object read_at(self, long long at, Py_ssize_t size):
        return self.read_bytes(at, size)

    cdef object read_bytes(self, long long at, Py_ssize_t size):
        cdef list parts = []
        cdef Py_ssize_t n
        cdef bytes part
        while size > 0:
            n = min(size, <Py_ssize_t>READ_AT_ONCE)
            part = self.do("read", (at, n))
            parts.append(part)
            at += PyBytes_GET_SIZE(part)
            size -= PyBytes_GET_SIZE(part)
            if PyBytes_GET_SIZE(part) < n:
                break
        return parts[0] if len(parts) == 1 else b"".join(parts)

    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1:
        cdef Py_ssize_t n, done = 0, written
        self.mount.may_write()
        while done < size:
            n = min(size - done, <Py_ssize_t>WRITE_AT_ONCE)
            try:
                written = self.do("write", (at + done, PyBytes_FromStringAndSize(source + done, n), self.mount.room()))
            except OSError:
                if done == 0:
                    raise
                break               # what was written counts; the next attempt says what is in the way
            done += written
            if written < n:
                break
        return done

    cdef int resize(self, long long size) except -1:
        self.mount.may_write()
        self.do("resize", (size, self.mount.room()))
        return 0

    cdef int close(self) except -1:
        if self.number:
            # By itself: it is called where objects are released, in the middle of another question perhaps.
            self.mount.unused.append(self.number)
            self.number = 0
        return 0

    cdef int sync(self) except -1:
        self.do("sync", ())
        return 0

    cdef int set_mode(self, unsigned int permissions) except -1:
        self.mount.may_write()
        self.do("set_mode_of", (permissions,))
        return 0

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.mount.may_write()
        self.do("set_times_of", (atime, mtime))
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class RemoteLink(Node):
    """A symbolic link of the host."""
    cdef RemoteFolder folder
    cdef str own_name
    cdef str text

    cdef long long length(self) except -1:
        return len(self.text.encode("utf-8", "surrogateescape"))

    cdef int may_write(self) except -1:
        return self.folder.mount.may_write()

    cdef str target(self):
        return self.text

    cdef int set_mode(self, unsigned int permissions) except -1:
        return fail(errno.EOPNOTSUPP)

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.may_write()
        self.folder.mount.do("set_times", (self.folder.path(), self.folder.ino, self.own_name, atime, mtime))
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class RemoteOther(Node):
    """A device, pipe or socket of the host, which guests see and cannot open."""

    cdef Node opened(self, int flags):
        fail(errno.EACCES)

    cdef int set_mode(self, unsigned int permissions) except -1:
        return fail(errno.EPERM)

    cdef int set_times(self, long long atime, long long mtime) except -1:
        return fail(errno.EPERM)


def remote_folder(Quota quota not None, number, ask, bint writable, Folder above not None, str name):
    """The node of a mounted folder.

    quota: of the whole file system. number: the device that the guest sees. ask: see ``RemoteMount``. above, name: where it is
    mounted.
    """
    cdef RemoteMount mount = RemoteMount.__new__(RemoteMount)
    cdef RemoteFolder made = RemoteFolder.__new__(RemoteFolder)
    cdef tuple state
    mount.quota = quota.bounded(number, None)
    mount.ask = ask
    mount.writable = writable
    mount.number = number
    mount.unused = []
    made.mount = mount
    made.above_ref = weakref.ref(above)
    made.own_name = name
    state = mount.do("root", ())
    fill(made, mount, state)
    made.link_count = state[2]
    return made
