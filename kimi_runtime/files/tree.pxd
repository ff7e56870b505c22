# The nodes of a guest's file system.
#
# A folder knows its parent weakly, so that a file system that nobody needs any more is released at once, whatever it holds. Nodes of
# mounted folders are made when a path leads to them and hold their parents; nothing holds them.

cdef enum:
    TYPE_MASK = 0o170000
    FOLDER = 0o040000
    REGULAR = 0o100000
    LINK = 0o120000
    DEVICE = 0o020000
    PERMISSIONS = 0o7777


# How many paths were looked up, counted at the beginning and at the end of each.
cdef long long lookups
cdef void count_lookup() noexcept


cdef class Quota:
    # What the files of a guest may take: bytes that it has written, files and folders, open files.
    cdef public long long size, most_size
    cdef public long long count, most_count
    cdef public long long handles, most_handles
    cdef public object limits       # the Limits that these come from
    cdef long long last_ino
    cdef Quota outer                # of the whole file system, for what a mounted folder may take
    cdef public unsigned int device # of the nodes that count here

    cdef int check(self, long long more) except -1
    cdef int charge(self, long long more) except -1     # or less
    cdef int add_node(self) except -1
    cdef int drop_node(self) except -1
    cdef unsigned long long next_ino(self)


cdef class Node:
    cdef object __weakref__
    cdef public unsigned int mode
    cdef public long long atime, mtime, ctime       # nanoseconds
    cdef public unsigned long long ino
    cdef public unsigned int device
    cdef Quota quota
    cdef bint counted               # its place among the files of the quota

    cdef long long length(self) except -1
    cdef int links(self) except -1
    # What reads and writes an open file; the flags are those of os.open.
    cdef Node opened(self, int flags)
    cdef object read_at(self, long long at, Py_ssize_t size)
    cdef object read_rest(self, long long at)
    cdef Py_ssize_t read_into(self, long long at, char *target, Py_ssize_t size) except -1
    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1
    cdef int resize(self, long long size) except -1
    cdef int close(self) except -1
    cdef int refresh(self) except -1        # what stat tells is looked at again
    cdef int sync(self) except -1
    cdef int settle(self) except -1         # what lies below in an overlay comes to memory, since it gets another name
    cdef int may_write(self) except -1      # OSError when it can never be changed, whatever its mode says
    cdef int set_mode(self, unsigned int permissions) except -1
    cdef int set_times(self, long long atime, long long mtime) except -1
    cdef str target(self)           # of a link


cdef class Folder(Node):
    # What a name stands for; None when there is nothing of that name.
    cdef Node find(self, str name)
    # Before parts[at] and what comes after it is looked up, each in the one before: what has to be asked for can be asked for at once.
    # It counts for `find` while `lookups` stays what it is.
    cdef int expect(self, list parts, Py_ssize_t at) except -1
    cdef list names(self)
    cdef Node add_file(self, str name, unsigned int permissions)
    cdef Folder add_folder(self, str name, unsigned int permissions)
    cdef Node add_link(self, str name, str target)
    cdef int add_node(self, str name, Node node) except -1
    cdef int drop(self, str name, Node node) except -1
    # Moves a node of another folder of the same device here; what has the name already was looked at and goes.
    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1
    cdef Folder parent(self)
    cdef str name(self)
    cdef int moved(self, str name, Folder parent) except -1     # it was moved by another node that stands for the same folder


# What nodes of mounted folders have in common, whether the host's calls are made here or asked for.
cdef class OuterFolder(Folder):
    cdef Folder above               # None for the mounted folder itself
    cdef object above_ref           # weak reference to the folder that it is mounted in
    cdef str own_name
    cdef int link_count


cdef class OuterContent(Node):
    # An open file.
    cdef long long size
    cdef int link_count
    cdef object read_bytes(self, long long at, Py_ssize_t size)     # so many, or fewer at the end


cdef class MemoryFolder(Folder):
    cdef dict entries
    cdef object parent_ref          # weak reference, or None for the root and what was removed
    cdef str own_name
    cdef bint is_root, is_removed
    cdef int adopt(self, str name, Node node) except -1
    cdef int leave(self, Node node) except -1


cdef class MemoryFile(Node):
    cdef object data                # bytes that the host or another guest may share, or a bytearray of its own
    cdef object loader              # gives the bytes when they are first asked for, or None
    cdef long long charged
    cdef int names_of_it            # hard links
    cdef bint is_below              # of a mounted folder, and not changed: the loader reads it there
    cdef public bint changed        # by the guest, since the host has given it
    cdef public bint untold         # changed since somebody has set this to false
    cdef public object given        # the path under which `files=` has given it, or None
    cdef int load(self) except -1
    cdef int own(self, long long size) except -1
    cdef int recount(self) except -1
    cdef int note_change(self) except -1


cdef class MemoryLink(Node):
    cdef str path


cdef class NullDevice(Node):
    pass


cpdef MemoryFile new_file(Quota quota, unsigned int permissions, object data=*, object loader=*)
cdef int fail(int code) except -1
cdef int begin(Node node, Quota quota, unsigned int mode) except -1
cdef long long now() except? -1
cdef int check_name(str name) except -1
