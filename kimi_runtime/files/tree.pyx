# cython: binding=False, wraparound=True, boundscheck=True
"""The nodes of a guest's file system: folders, files and links in memory.

What they hold is allocated while the guest runs, so that it counts for its memory. Errors are OSErrors without a file name, which
whoever was called with the name puts in.
"""
cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memcpy, memset

from kimi_runtime.objects.clocks cimport GuestClock
from kimi_runtime.objects.context cimport RunContext, current_context

import errno
import weakref
from os import strerror

cdef enum:
    LONGEST_NAME = 255              # bytes

cdef long long LARGEST_FILE = <long long>1 << 48        # what is larger is refused whatever the quota says
ENOSPC, EFBIG, EACCES, EINVAL, ENOTDIR = errno.ENOSPC, errno.EFBIG, errno.EACCES, errno.EINVAL, errno.ENOTDIR

cdef extern from *:
    """
    #include <time.h>
    static long long k_wall_ns(void) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
    }
    """
    long long k_wall_ns() noexcept


cdef long long now() except? -1:
    """Nanoseconds of the running guest's wall clock."""
    cdef RunContext context = current_context()
    cdef GuestClock clock
    cdef long long found
    if context is None or context.clock is None:
        return k_wall_ns()
    clock = context.clock
    found = clock.wall()
    clock.passed -= clock.step      # the guest has not read it
    return found


cdef int fail(int code) except -1:
    """Raises the OSError of a code."""
    raise OSError(code, strerror(code))


cdef int check_name(str name) except -1:
    """OSError for a name that is too long for an entry of a folder."""
    if len(name) > LONGEST_NAME or (not name.isascii() and len(name.encode("utf-8", "surrogateescape")) > LONGEST_NAME):
        fail(errno.ENAMETOOLONG)
    return 0


# Not a matter of the garbage collector, which would take it away from nodes that give their place back when they go.
@cython.final
@cython.no_gc
@cython.auto_pickle(False)
cdef class Quota:
    """What the files of a guest may take. None of the limits: no limit."""

    def __cinit__(self):
        self.most_size = self.most_count = self.most_handles = LARGEST_FILE
        self.last_ino = 1
        self.device = 1

    def bounded(self, device, most_size):
        """A quota within this one, for a mounted folder. most_size: bytes, or None."""
        cdef Quota made = Quota.__new__(Quota)
        made.outer = self
        made.device = device
        if most_size is not None:
            made.most_size = most_size
        return made

    def use(self, limits):
        """From now on these limits count; what is there already stays."""
        self.limits = limits
        self.most_size = LARGEST_FILE if limits.files_size is None else limits.files_size
        self.most_count = LARGEST_FILE if limits.files_count is None else limits.files_count
        self.most_handles = LARGEST_FILE if limits.open_files is None else limits.open_files

    cdef int check(self, long long more) except -1:
        """OSError when so many more bytes are too many."""
        if more > 0 and self.size + more > self.most_size:
            fail(ENOSPC)
        if self.outer is not None:
            self.outer.check(more)
        return 0

    cdef int charge(self, long long more) except -1:
        self.size += more
        if self.outer is not None:
            self.outer.charge(more)
        return 0

    cdef int add_node(self) except -1:
        if self.count >= self.most_count:
            fail(ENOSPC)
        if self.outer is not None:
            self.outer.add_node()
        self.count += 1
        return 0

    cdef int drop_node(self) except -1:
        self.count -= 1
        if self.outer is not None:
            self.outer.drop_node()
        return 0

    cdef unsigned long long next_ino(self):
        self.last_ino += 1
        return self.last_ino


cdef void count_lookup() noexcept:
    global lookups
    lookups += 1


@cython.no_gc_clear                     # as above
@cython.auto_pickle(False)
cdef class Node:
    """What a path leads to."""

    def __dealloc__(self):
        if self.counted and self.quota is not None:
            self.quota.drop_node()

    cdef long long length(self) except -1:
        return 0

    cdef int links(self) except -1:
        return 1

    cdef Node opened(self, int flags):
        return self

    cdef object read_at(self, long long at, Py_ssize_t size):
        fail(EINVAL)

    cdef object read_rest(self, long long at):
        """All bytes from there on."""
        return self.read_at(at, <Py_ssize_t>max(0, self.length() - at))

    cdef Py_ssize_t read_into(self, long long at, char *target, Py_ssize_t size) except -1:
        """Reads into memory: how many bytes there were."""
        cdef bytes found = self.read_at(at, size)
        memcpy(target, PyBytes_AS_STRING(found), PyBytes_GET_SIZE(found))
        return PyBytes_GET_SIZE(found)

    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1:
        return fail(EINVAL)

    cdef int resize(self, long long size) except -1:
        return fail(EINVAL)

    cdef int close(self) except -1:
        return 0

    cdef int refresh(self) except -1:
        return 0

    cdef int sync(self) except -1:
        return 0

    cdef int settle(self) except -1:
        return 0

    cdef int may_write(self) except -1:
        return 0

    cdef int set_mode(self, unsigned int permissions) except -1:
        self.mode = (self.mode & TYPE_MASK) | (permissions & PERMISSIONS)
        self.ctime = now()
        return 0

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.atime = atime
        self.mtime = mtime
        self.ctime = now()
        return 0

    cdef str target(self):
        fail(EINVAL)


cdef int begin(Node node, Quota quota, unsigned int mode) except -1:
    """What a new node in memory has."""
    quota.add_node()
    node.quota = quota
    node.counted = True
    node.mode = mode
    node.ino = quota.next_ino()
    node.device = quota.device
    node.atime = node.mtime = node.ctime = now()
    return 0


@cython.auto_pickle(False)
cdef class Folder(Node):
    """What has entries."""

    cdef long long length(self) except -1:
        return 4096

    cdef Node find(self, str name):
        return None

    cdef int expect(self, list parts, Py_ssize_t at) except -1:
        return 0

    cdef list names(self):
        return []

    cdef Node add_file(self, str name, unsigned int permissions):
        fail(EACCES)

    cdef Folder add_folder(self, str name, unsigned int permissions):
        fail(EACCES)

    cdef Node add_link(self, str name, str target):
        fail(EACCES)

    cdef int add_node(self, str name, Node node) except -1:
        return fail(errno.EXDEV)

    cdef int drop(self, str name, Node node) except -1:
        return fail(EACCES)

    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1:
        return fail(errno.EXDEV)

    cdef Folder parent(self):
        return self

    cdef str name(self):
        return ""

    cdef int moved(self, str name, Folder parent) except -1:
        return 0


@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class OuterFolder(Folder):
    """A folder in a mounted one, or that itself."""

    cdef int links(self) except -1:
        return self.link_count

    cdef Folder parent(self):
        if self.above is not None:
            return self.above
        found = self.above_ref()
        if found is None:
            fail(errno.ENOENT)
        return found

    cdef str name(self):
        return self.own_name

    cdef int moved(self, str name, Folder parent) except -1:
        self.own_name = name
        self.above = parent
        return 0


@cython.auto_pickle(False)
cdef class OuterContent(Node):
    """An open file of a mounted folder."""

    cdef object read_bytes(self, long long at, Py_ssize_t size):
        fail(EINVAL)

    cdef long long length(self) except -1:
        self.refresh()
        return self.size

    cdef int links(self) except -1:
        return self.link_count

    cdef object read_rest(self, long long at):
        cdef bytes found, more
        cdef Py_ssize_t size = <Py_ssize_t>max(0, self.size - at) + 1
        # One byte more than is known to be there: a short answer is the end, without asking for the size again.
        found = self.read_bytes(at, size)
        while PyBytes_GET_SIZE(found) == size:
            more = self.read_bytes(at + size, <Py_ssize_t>max(0, self.length() - at - size) + 1)
            if not more:
                break
            found += more
            size = PyBytes_GET_SIZE(found)
        return found


@cython.auto_pickle(False)
cdef class MemoryFolder(Folder):
    """A folder in memory."""

    def __cinit__(self):
        self.entries = {}

    cdef int links(self) except -1:
        cdef int count = 2
        for each in self.entries.values():
            if isinstance(each, Folder):
                count += 1
        return count

    cdef Node find(self, str name):
        return self.entries.get(name)

    cdef list names(self):
        return list(self.entries)

    cdef Node add_file(self, str name, unsigned int permissions):
        check_name(name)
        cdef MemoryFile made = new_file(self.quota, permissions)
        made.note_change()
        self.adopt(name, made)
        return made

    cdef Folder add_folder(self, str name, unsigned int permissions):
        check_name(name)
        cdef MemoryFolder made = new_folder(self.quota, permissions)
        self.adopt(name, made)
        return made

    cdef Node add_link(self, str name, str target):
        check_name(name)
        cdef MemoryLink made = MemoryLink.__new__(MemoryLink)
        begin(made, self.quota, LINK | 0o777)
        made.path = target
        self.adopt(name, made)
        return made

    cdef int add_node(self, str name, Node node) except -1:
        """A hard link."""
        check_name(name)
        if not isinstance(node, MemoryFile):
            fail(errno.EPERM)
        node.settle()
        self.adopt(name, node)
        return 0

    cdef int adopt(self, str name, Node node) except -1:
        """Enters a node."""
        if self.is_removed:
            fail(errno.ENOENT)
        self.entries[name] = node
        if isinstance(node, MemoryFolder):
            (<MemoryFolder>node).parent_ref = weakref.ref(self)
            (<MemoryFolder>node).own_name = name
        elif isinstance(node, MemoryFile):
            (<MemoryFile>node).names_of_it += 1
            node.ctime = now()
        self.mtime = self.ctime = now()
        return 0

    cdef int drop(self, str name, Node node) except -1:
        del self.entries[name]
        self.leave(node)
        self.mtime = self.ctime = now()
        return 0

    def host_node(self, str name):
        """What a name stands for, for the host; None when there is nothing."""
        return self.find(name)

    def host_file(self, str name, unsigned int permissions, data):
        """A file with these bytes, as if the guest had written it. OSError: there is no room for it."""
        cdef Node made = self.add_file(name, permissions)
        made.write_at(0, <char *><bytes>data, len(data))
        (<MemoryFile>made).note_change()
        return made

    def host_link(self, str name, str target):
        """A link, as if the guest had made it."""
        return self.add_link(name, target)

    def host_name(self, str name, Node node not None):
        """One more name of a file."""
        self.add_node(name, node)

    def host_drop(self, str name):
        """Takes a name away, whatever it stands for."""
        cdef Node node = self.find(name)
        if node is not None:
            self.drop(name, node)

    def hidden_names(self):
        """Names of a folder below that are gone."""
        return []

    def drop_entry(self, str name):
        """Removes an entry, for the host."""
        self.drop(name, self.entries[name])

    cdef int leave(self, Node node) except -1:
        """An entry stands for the node no longer."""
        if isinstance(node, MemoryFolder):
            (<MemoryFolder>node).is_removed = True
            (<MemoryFolder>node).parent_ref = None
        elif isinstance(node, MemoryFile):
            (<MemoryFile>node).names_of_it -= 1
            node.ctime = now()
        return 0

    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1:
        cdef MemoryFolder source
        if not isinstance(parent, MemoryFolder):
            fail(errno.EXDEV)
        check_name(name)
        if self.is_removed:
            fail(errno.ENOENT)
        source = <MemoryFolder>parent
        node.settle()
        if isinstance(node, MemoryFile):
            (<MemoryFile>node).note_change()
        if replaced is not None:
            del self.entries[name]
            self.leave(replaced)
        del source.entries[old_name]
        self.entries[name] = node
        if isinstance(node, MemoryFolder):
            (<MemoryFolder>node).parent_ref = weakref.ref(self)
            (<MemoryFolder>node).own_name = name
        source.mtime = source.ctime = self.mtime = self.ctime = node.ctime = now()
        return 0

    cdef Folder parent(self):
        if self.is_root:
            return self
        found = None if self.parent_ref is None else self.parent_ref()
        if found is None:
            fail(errno.ENOENT)
        return found

    cdef str name(self):
        return self.own_name


@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class MemoryFile(Node):
    """A file in memory."""

    def __cinit__(self):
        self.data = b""

    def __dealloc__(self):
        if self.charged and self.quota is not None:
            self.quota.charge(-self.charged)

    cdef int links(self) except -1:
        return self.names_of_it

    cdef int load(self) except -1:
        """Asks the host for the contents, when it has given a function for them."""
        if self.loader is not None:
            data = self.loader()
            self.data = data
            self.loader = None
            self.is_below = False
        return 0

    cdef long long length(self) except -1:
        if self.loader is not None:
            self.load()
        return len(self.data)

    cdef object read_at(self, long long at, Py_ssize_t size):
        cdef Py_ssize_t there
        if self.loader is not None:
            self.load()
        there = len(self.data)
        if type(self.data) is bytes:
            if at == 0 and size >= there:
                return self.data
            if at >= there:
                return b""
            size = min(size, <Py_ssize_t>(there - at))
            return PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.data) + at, size)
        if at >= there:
            return b""
        size = min(size, <Py_ssize_t>(there - at))
        return PyBytes_FromStringAndSize(PyByteArray_AS_STRING(self.data) + at, size)

    cdef Py_ssize_t read_into(self, long long at, char *target, Py_ssize_t size) except -1:
        cdef Py_ssize_t there
        cdef const char *source
        if self.loader is not None:
            self.load()
        there = len(self.data)
        if at >= there:
            return 0
        size = min(size, <Py_ssize_t>(there - at))
        source = PyBytes_AS_STRING(self.data) if type(self.data) is bytes else PyByteArray_AS_STRING(self.data)
        memcpy(target, source + at, size)
        return size

    cdef int own(self, long long size) except -1:
        """Makes the contents its own, with room for so many bytes."""
        cdef long long there, more
        if self.loader is not None:
            self.load()
        there = len(self.data)
        if size > LARGEST_FILE:
            fail(EFBIG)
        # What the host has given counts once the guest changes it.
        more = max(size, there) - self.charged
        self.quota.check(more)
        if type(self.data) is bytes:
            self.data = bytearray(self.data)
        if size > there:
            PyByteArray_Resize(self.data, <Py_ssize_t>size)
            memset(PyByteArray_AS_STRING(self.data) + there, 0, <size_t>(size - there))
        self.recount()
        self.note_change()
        return 0

    cdef int note_change(self) except -1:
        """The guest has changed it."""
        self.changed = self.untold = True
        return 0

    cdef int recount(self) except -1:
        cdef long long there = len(self.data)
        self.quota.charge(there - self.charged)
        self.charged = there
        return 0

    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1:
        if size == 0:
            return 0
        if at > LARGEST_FILE:
            fail(EFBIG)
        self.own(at + size)
        memcpy(PyByteArray_AS_STRING(self.data) + at, source, size)
        self.mtime = self.ctime = now()
        return size

    cdef int resize(self, long long size) except -1:
        cdef long long there
        if size == 0:
            self.loader = None
            self.is_below = False
            self.data = b""
            self.recount()
            self.note_change()
        else:
            there = self.length()
            if size > LARGEST_FILE:
                fail(EFBIG)
            if size < there and type(self.data) is bytes:
                self.quota.check(size - self.charged)
                self.data = bytearray(self.data[:size])
                self.recount()
                self.note_change()
            elif size < there:
                PyByteArray_Resize(self.data, <Py_ssize_t>size)
                self.recount()
                self.note_change()
            else:
                self.own(size)
        self.mtime = self.ctime = now()
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class MemoryLink(Node):
    """A symbolic link, which leads to what its text stands for in the guest's own file system."""

    cdef long long length(self) except -1:
        return len(self.path.encode("utf-8", "surrogateescape"))

    cdef str target(self):
        return self.path


@cython.final
@cython.auto_pickle(False)
cdef class NullDevice(Node):
    """What is written is gone, and there is nothing to read."""

    cdef object read_at(self, long long at, Py_ssize_t size):
        return b""

    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1:
        return size


cpdef MemoryFile new_file(Quota quota, unsigned int permissions, object data=b"", object loader=None):
    """A file in memory. data: bytes, which are not copied until they are changed. loader: a function that gives them."""
    cdef MemoryFile made = MemoryFile.__new__(MemoryFile)
    begin(made, quota, REGULAR | (permissions & PERMISSIONS))
    made.data = data
    made.loader = loader
    return made


cpdef MemoryFolder new_folder(Quota quota, unsigned int permissions):
    """A folder in memory."""
    cdef MemoryFolder made = MemoryFolder.__new__(MemoryFolder)
    begin(made, quota, FOLDER | (permissions & PERMISSIONS))
    return made


cpdef MemoryFolder new_root(Quota quota):
    """The folder that is its own parent."""
    cdef MemoryFolder made = new_folder(quota, 0o755)
    made.is_root = True
    made.own_name = ""
    return made


cpdef NullDevice new_null(Quota quota):
    """A null device."""
    cdef NullDevice made = NullDevice.__new__(NullDevice)
    begin(made, quota, DEVICE | 0o666)
    return made


cpdef enter(MemoryFolder folder, str name, Node node):
    """Puts a node into a folder, for the host."""
    folder.adopt(name, node)
