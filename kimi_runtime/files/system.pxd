# A guest's file system: what paths lead to, and the table of open files.
from kimi_runtime.files.tree cimport Folder, Node, Quota


cdef class Place:
    # What a path leads to. parent and name: of the entry; None and "" for what is no entry of a folder, such as the root.
    cdef Folder parent
    cdef str name
    cdef Node node                  # None when there is no such entry
    cdef bint as_folder             # the path ends in a slash: only a folder will do


cdef class Handle:
    # An open file, which several descriptors may stand for.
    cdef Quota quota                # which it counts for
    cdef Node node                  # what was opened, for fstat
    cdef Node content               # what reads and writes
    cdef long long at
    cdef bint readable, writable, appends, seekable, is_closed
    cdef int flags
    cdef int descriptors

    cdef object read(self, Py_ssize_t size)
    cdef Py_ssize_t read_into(self, char *target, Py_ssize_t size) except -1
    cdef Py_ssize_t write(self, const char *source, Py_ssize_t size) except -1
    cdef long long seek(self, long long offset, int whence) except -1
    cdef int resize(self, long long size) except -1
    cdef int close(self) except -1


cdef class FileSystem:
    cdef Quota quota
    cdef Folder root
    cdef Folder folder              # the current one
    cdef dict handles               # descriptor -> Handle
    cdef int lowest                 # no descriptor below it is free
    cdef unsigned int umask
    cdef int mounted                # folders of the host
    cdef dict nested                # (device, inode, name) of the place -> what is mounted in a mounted folder; None: nothing is
    cdef list nested_places         # path, folder that it is mounted in, and what is mounted
    cdef public object streams      # RunContext whose streams descriptors 0 to 2 are

    cdef bint in_mounted(self, str path)
    cdef int mount_within(self, str path, mount, str folder, str name) except -1
    cdef list beginnings(self)
    cdef tuple beginning_of(self, str path)
    cdef Node entry_of(self, Folder folder, str name)
    cdef list names_of(self, Folder folder)
    cdef Place locate(self, str path, Folder start, bint follow)
    cdef Place look_up(self, str path, Folder start, bint follow)
    cdef Node node_of(self, str path, Folder start, bint follow)
    cdef Handle open_handle(self, str path, Folder start, int flags, unsigned int mode)
    cdef int new_descriptor(self, Handle handle) except -1
    cdef Handle handle(self, int descriptor)
    cdef Handle find(self, int descriptor)      # or None
    cdef Handle standard(self, int descriptor)
    cdef int close(self, int descriptor) except -1
    cdef str path_of(self, Folder folder)
    cdef int remove(self, str path, Folder start, bint folders) except -1
    cdef int rename(self, str old, Folder old_start, str new, Folder new_start) except -1
    cdef int make_folder(self, str path, Folder start, unsigned int mode) except -1
    cdef int make_link(self, str target, str path, Folder start) except -1
    cdef int hard_link(self, str old, Folder old_start, str new, Folder new_start, bint follow) except -1


# The text of a path, which the host's converter for file names would take. ValueError, UnicodeEncodeError: it would not.
cdef str sound_path(str path)
# The file system of the running guest. OSError when it has none.
cdef FileSystem running_system()
