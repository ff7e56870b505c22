# Nodes that stand for what is in a folder of the host.
#
# Every name is looked up in a descriptor of its folder, and no call follows a link: what a path means is decided in `system`, one name
# after the other. Nodes are made when a path leads to them; a descriptor is closed when nothing refers to it any more, so that a thread
# that waits for a system call cannot find its number taken by another file.
from kimi_runtime.files.tree cimport Folder, Node, OuterContent, OuterFolder, Quota


cdef extern from *:
    """
    #ifndef K_STATE
    #define K_STATE
    typedef struct { unsigned int mode; unsigned long long ino, dev; long long links, size, atime, mtime, ctime; } k_state;
    #endif
    """
    ctypedef struct k_state:
        unsigned int mode
        unsigned long long ino, dev
        long long links, size, atime, mtime, ctime


cdef class Descriptor:
    cdef int fd


cdef class Usage:
    # What guests have added to a folder, all guests of the mount together.
    cdef public long long used
    cdef long long most             # -1: no limit


cdef class MountedFolder:
    # One folder of the host in the file system of one guest.
    cdef Quota quota
    cdef Usage usage
    cdef bint writable
    cdef unsigned long long device  # of the host
    cdef unsigned int number        # the device as the guest sees it
    cdef dict opened                # inode -> open files of it
    cdef set linked                 # inodes that the guest itself has given several names
    cdef long long charged
    cdef (void *)[64] keepers       # folders that keep a descriptor, borrowed; the oldest gives it up for a new one
    cdef int next_keeper

    cdef int charge(self, long long more) except -1
    cdef int credit(self, long long less) except -1
    cdef int may_write(self) except -1


cdef class HostFolder(OuterFolder):
    cdef MountedFolder mount
    cdef Descriptor kept
    cdef int place                  # among those that keep one, -1: none
    cdef Descriptor descriptor(self)
    cdef int gone(self, Node node) except -1


cdef class HostContent(OuterContent)


cdef class HostFile(Node):
    cdef MountedFolder mount
    cdef HostFolder folder
    cdef str own_name
    cdef long long size
    cdef int link_count
    cdef Descriptor fresh           # it was made just now
    cdef HostContent for_change(self)


cdef class HostContent(OuterContent):
    cdef MountedFolder mount
    cdef Descriptor descriptor
    cdef bint is_counted
    cdef int take(self, k_state *state) except -1
    cdef Descriptor open_descriptor(self)
    cdef int uncount(self) except -1


cdef class HostLink(Node):
    cdef HostFolder folder
    cdef str own_name


cdef class HostOther(Node):
    pass


cdef HostFolder mounted_root(Quota quota, unsigned int number, Descriptor descriptor, Usage usage, Folder above, str name, bint writable)
