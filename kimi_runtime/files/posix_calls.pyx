# cython: binding=False, wraparound=True, boundscheck=True
"""The calls of ``posix`` that work on a guest's own files, for the ``posix`` of guests (``library/guest/posix.py``).

Whoever calls them gets the file system of the guest that runs.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from kimi_runtime.files.system cimport FileSystem, Handle, running_system, sound_path
from kimi_runtime.files.tree cimport (
    DEVICE, FOLDER, LINK, REGULAR, TYPE_MASK, Folder, Node, fail, now)
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots, type_name_of

import errno
import operator
import os
import posix as host_posix
import sys
import types

cdef object stat_result = os.stat_result, statvfs_result = os.statvfs_result
cdef object fspath = os.fspath
cdef int OWNER = 1000               # user and group that all files of a guest belong to
cdef int ENOENT = errno.ENOENT, EINVAL = errno.EINVAL, ENOTDIR = errno.ENOTDIR


cdef enum:
    LONGEST_LOOKED_AT = 20_000          # bytes of a path: longer ones are too long whatever they say

# ---- arguments -------------------------------------------------------------------------------------------
cdef object text_of(path, str function, str kinds="string, bytes or os.PathLike"):
    """A path as text. kinds: what the error names."""
    if type(path) is not str:
        if not isinstance(path, (str, bytes)):
            if not hasattr(type(path), "__fspath__"):
                raise TypeError(f"{function}: path should be {kinds}, not {type_name_of(path)}")
            path = fspath(path)
        if isinstance(path, bytes):
            path = bytes(path)[:LONGEST_LOOKED_AT]
            if b"\0" in path:
                raise ValueError(f"{function}: embedded null character in path")
            return path.decode("utf-8", "surrogateescape")
        path = str.__str__(path)
    return sound_path(path)


cdef bint is_descriptor(path):
    return not isinstance(path, (str, bytes)) and hasattr(type(path), "__index__")


cdef int descriptor(value) except? -1:
    cdef long long number = operator.index(value)
    if not -0x80000000 <= number <= 0x7fffffff:
        raise OverflowError(f"signed integer is {'greater than maximum' if number > 0 else 'less than minimum'}"
                            if number > 0 else "signed integer is less than minimum")
    return <int>number


cdef Folder start_of(FileSystem system, dir_fd):
    """The folder that a path starts from; None for the current one."""
    cdef Handle handle
    if dir_fd is None:
        return None
    if not hasattr(type(dir_fd), "__index__"):
        raise TypeError(f"argument should be integer or None, not {type_name_of(dir_fd)}")
    handle = system.handle(descriptor(dir_fd))
    if not isinstance(handle.node, Folder):
        fail(ENOTDIR)
    return handle.node


cdef Node node_of(FileSystem system, path, str function, dir_fd, follow, bint by_descriptor=True):
    """What a path, or a descriptor, stands for."""
    if by_descriptor and is_descriptor(path):
        if dir_fd is not None:
            raise ValueError(f"{function}: can't specify dir_fd without matching path")
        if not follow:
            raise ValueError(f"{function}: cannot use fd and follow_symlinks together")
        return system.handle(descriptor(path)).node
    kinds = "string, bytes, os.PathLike or integer" if by_descriptor else "string, bytes or os.PathLike"
    return system.node_of(text_of(path, function, kinds), start_of(system, dir_fd), bool(follow))


cdef object named(error, path, other=None):
    """Puts the file names into an error."""
    if is_descriptor(path):
        return
    error.filename = path if isinstance(path, (str, bytes)) else fspath(path)
    if other is not None:
        error.filename2 = other if isinstance(other, (str, bytes)) else fspath(other)


# ---- state of files --------------------------------------------------------------------------------------
cdef object state_of(Node node):
    """The ``stat_result`` of a node."""
    node.refresh()
    cdef long long size = node.length()
    cdef int links = node.links()
    cdef object a = node.atime, m = node.mtime, c = node.ctime
    return stat_result((node.mode, node.ino, node.device, links, OWNER, OWNER, size, a // 1000000000, m // 1000000000,
                        c // 1000000000, a / 1e9, m / 1e9, c / 1e9, a, m, c, 4096, (size + 511) // 512,
                        0x103 if node.mode & TYPE_MASK == DEVICE else 0))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    """Perform a stat system call on the given path."""
    try:
        return state_of(node_of(running_system(), path, "stat", dir_fd, follow_symlinks))
    except OSError as error:
        named(error, path)
        raise


def lstat(path, *, dir_fd=None):
    """Perform a stat system call on the given path, without following symbolic links."""
    try:
        return state_of(node_of(running_system(), path, "lstat", dir_fd, False, False))
    except OSError as error:
        named(error, path)
        raise


def fstat(fd):
    """Perform a stat system call on the given file descriptor."""
    return state_of(running_system().handle(descriptor(fd)).node)


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    """Use the real uid/gid to test for access to a path."""
    cdef unsigned int wanted = operator.index(mode)
    cdef Node node
    text = text_of(path, "access")
    try:
        system = running_system()
        node = (<FileSystem>system).node_of(text, start_of(system, dir_fd), bool(follow_symlinks))
        if wanted & 2:
            node.may_write()
        return (node.mode >> 6) & wanted & 7 == wanted & 7
    except OSError:
        return False


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    """Change the access permissions of a file."""
    cdef Node node
    permissions = operator.index(mode)
    try:
        node = node_of(running_system(), path, "chmod", dir_fd, follow_symlinks)
        if node.mode & TYPE_MASK == LINK:
            fail(errno.EOPNOTSUPP)
        node.set_mode(permissions & 0xffffffff)
    except OSError as error:
        named(error, path)
        raise


def fchmod(fd, mode):
    """Change the access permissions of the file given by file descriptor fd."""
    running_system().handle(descriptor(fd)).node.set_mode(operator.index(mode) & 0xffffffff)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    """Change the owner and group id of path to the numeric uid and gid."""
    try:
        node_of(running_system(), path, "chown", dir_fd, follow_symlinks)
        if uid not in (-1, OWNER) or gid not in (-1, OWNER):
            fail(errno.EPERM)
    except OSError as error:
        named(error, path)
        raise


def lchown(path, uid, gid):
    """Change the owner and group id of path, without following symbolic links."""
    chown(path, uid, gid, follow_symlinks=False)


def fchown(fd, uid, gid):
    """Change the owner and group id of the file specified by file descriptor."""
    chown(descriptor(fd), uid, gid)


cdef bint UTIME_NAMES = sys.version_info >= (3, 13)        # errors of the host's utime name the file since then


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    """Set the access and modified time of path."""
    cdef Node node
    if times is not None and ns is not None:
        raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
    if times is not None:
        if not isinstance(times, tuple) or len(times) != 2:
            raise TypeError("utime: 'times' must be either a tuple of two ints or None")
        a, m = [in_nanoseconds(each) for each in times]
    elif ns is not None:
        if not isinstance(ns, tuple) or len(ns) != 2:
            raise TypeError("utime: 'ns' must be a tuple of two ints")
        a, m = [operator.index(each) for each in ns]
    else:
        a = m = now()
    for each in (a, m):
        if not -(1 << 62) < each < 1 << 62:
            raise OverflowError("timestamp out of range for platform time_t")
    try:
        node = node_of(running_system(), path, "utime", dir_fd, follow_symlinks)
        node.set_times(a, m)
    except OSError as error:
        if UTIME_NAMES:
            named(error, path)
        raise


cdef object in_nanoseconds(seconds):
    if isinstance(seconds, float):
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        whole = int(seconds // 1)
        return whole * 1000000000 + int((seconds - whole) * 1e9 // 1)
    return operator.index(seconds) * 1000000000


def truncate(path, length):
    """Truncate a file, specified by path, to a specific length."""
    cdef FileSystem system = running_system()
    cdef Handle handle
    size = operator.index(length)
    if is_descriptor(path):
        ftruncate(path, length)
        return
    text = text_of(path, "truncate", "string, bytes, os.PathLike or integer")
    try:
        if size < 0:
            fail(EINVAL)
        handle = system.open_handle(text, None, 1, 0)
        try:
            handle.resize(size)
        finally:
            handle.close()
    except OSError as error:
        named(error, path)
        raise


def ftruncate(fd, length):
    """Truncate a file, specified by file descriptor, to a specific length."""
    cdef Handle handle = running_system().handle(descriptor(fd))
    size = operator.index(length)
    if size < 0:
        fail(EINVAL)
    handle.resize(size)


def statvfs(path):
    """Perform a statvfs system call on the given path."""
    try:
        node_of(running_system(), path, "statvfs", None, True)
    except OSError as error:
        named(error, path)
        raise
    quota = running_system().quota
    most, files = quota.most_size // 4096, quota.most_count
    free, left = max(0, quota.most_size - quota.size) // 4096, max(0, quota.most_count - quota.count)
    return statvfs_result((4096, 4096, most, free, free, files, left, left, 4096, 255, 0))


def fstatvfs(fd):
    """Perform an fstatvfs system call on the given fd."""
    return statvfs(descriptor(fd))


# ---- folders ---------------------------------------------------------------------------------------------
def getcwd():
    """Return a unicode string representing the current working directory."""
    cdef FileSystem system = running_system()
    return system.path_of(system.folder)


def getcwdb():
    """Return a bytes string representing the current working directory."""
    return getcwd().encode("utf-8", "surrogateescape")


cdef Folder folder_of(FileSystem system, path, str function, str kinds="string, bytes, os.PathLike or integer"):
    cdef Node node
    if is_descriptor(path):
        node = system.handle(descriptor(path)).node
    else:
        node = system.node_of(text_of(path, function, kinds), None, True)
    if not isinstance(node, Folder):
        fail(ENOTDIR)
    return node


def chdir(path):
    """Change the current working directory to the specified path."""
    cdef FileSystem system = running_system()
    cdef Folder folder
    try:
        folder = folder_of(system, path, "chdir")
        if not folder.mode & 0o100:
            fail(errno.EACCES)
        system.folder = folder
    except OSError as error:
        named(error, path)
        raise


def fchdir(fd):
    """Change to the directory of the given file descriptor."""
    chdir(descriptor(fd))


cdef list names_in(FileSystem system, Folder folder):
    if not folder.mode & 0o400:
        fail(errno.EACCES)
    return system.names_of(folder)


def listdir(path=None):
    """Return a list containing the names of the files in the directory."""
    cdef list names
    cdef FileSystem system
    given = "." if path is None else path
    try:
        system = running_system()
        names = names_in(system, folder_of(system, given, "listdir", "string, bytes, os.PathLike, integer or None"))
    except OSError as error:
        named(error, given)
        raise
    if isinstance(given, bytes) or (not is_descriptor(given) and isinstance(fspath(given), bytes)):
        return [each.encode("utf-8", "surrogateescape") for each in names]
    return names


@cython.final
@cython.auto_pickle(False)
cdef class DirEntry:
    """What ``scandir`` gives."""
    cdef Folder folder
    cdef FileSystem system
    cdef str text
    cdef object given_name, given_path
    cdef Node node                  # what the name stood for when it was first asked
    cdef object state, own_state

    def __cinit__(self, Folder folder=None):
        if folder is None:
            raise TypeError("cannot create 'posix.DirEntry' instances")

    @property
    def name(self):
        """the entry's base filename, relative to scandir() "path" argument"""
        return self.given_name

    @property
    def path(self):
        """the entry's full path name; equivalent to os.path.join(scandir_path, entry.name)"""
        return self.given_path

    cdef Node own(self):
        if self.node is None:
            self.node = self.system.entry_of(self.folder, self.text)
            if self.node is None:
                fail(ENOENT)
        return self.node

    cdef bint is_kind(self, unsigned int kind, follow) except -1:
        cdef unsigned int found
        try:
            found = self.own().mode & TYPE_MASK
            if found == LINK and follow:
                found = self.system.node_of(self.text, self.folder, True).mode & TYPE_MASK
        except OSError as error:
            if error.errno == ENOENT:
                return False
            error.filename = self.given_path
            raise
        return found == kind

    def is_dir(self, *, follow_symlinks=True):
        """Return True if the entry is a directory; cached per entry."""
        return self.is_kind(FOLDER, follow_symlinks)

    def is_file(self, *, follow_symlinks=True):
        """Return True if the entry is a file; cached per entry."""
        return self.is_kind(REGULAR, follow_symlinks)

    def is_symlink(self):
        """Return True if the entry is a symbolic link; cached per entry."""
        return self.is_kind(LINK, False)

    def is_junction(self):
        """Return True if the entry is a junction; cached per entry."""
        return False

    def inode(self):
        """Return inode of the entry; cached per entry."""
        try:
            return self.own().ino
        except OSError as error:
            error.filename = self.given_path
            raise

    def stat(self, *, follow_symlinks=True):
        """Return stat_result object for the entry; cached per entry."""
        try:
            if not follow_symlinks or self.own().mode & TYPE_MASK != LINK:
                if self.own_state is None:
                    self.own_state = state_of(self.own())
                return self.own_state
            if self.state is None:
                self.state = state_of(self.system.node_of(self.text, self.folder, True))
            return self.state
        except OSError as error:
            error.filename = self.given_path
            raise

    def __fspath__(self):
        """Returns the path for the entry."""
        return self.given_path

    def __repr__(self):
        return f"<DirEntry {self.given_name!r}>"

    __class_getitem__ = classmethod(types.GenericAlias)


@cython.final
@cython.auto_pickle(False)
cdef class ScandirIterator:
    """What ``scandir`` returns."""
    cdef FileSystem system
    cdef Folder folder
    cdef object names               # None: closed
    cdef object given
    cdef bint as_bytes, bare

    def __cinit__(self, Folder folder=None):
        if folder is None:
            raise TypeError("cannot create 'posix.ScandirIterator' instances")

    def __iter__(self):
        return self

    def __next__(self):
        cdef DirEntry entry
        if self.names is None:
            raise StopIteration
        for name in self.names:
            entry = DirEntry.__new__(DirEntry, self.folder)
            entry.folder = self.folder
            entry.system = self.system
            entry.text = name
            entry.given_name = name.encode("utf-8", "surrogateescape") if self.as_bytes else name
            if self.bare:
                entry.given_path = entry.given_name
            elif self.as_bytes:
                entry.given_path = (self.given if self.given.endswith(b"/") else self.given + b"/") + entry.given_name
            else:
                entry.given_path = (self.given if self.given.endswith("/") else self.given + "/") + entry.given_name
            return entry
        self.names = None
        raise StopIteration

    def close(self):
        self.names = None

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.names = None


def scandir(path=None):
    """Return an iterator of DirEntry objects for given path."""
    cdef ScandirIterator made
    cdef FileSystem system = running_system()
    cdef Folder folder
    given = "." if path is None else path
    try:
        folder = folder_of(system, given, "scandir", "string, bytes, os.PathLike, integer or None")
        names = names_in(system, folder)
    except OSError as error:
        named(error, given)
        raise
    made = ScandirIterator.__new__(ScandirIterator, folder)
    made.folder = folder
    made.system = system
    made.names = iter(names)
    made.bare = is_descriptor(given)
    made.given = None if made.bare else fspath(given)
    made.as_bytes = isinstance(made.given, bytes)
    return made


def mkdir(path, mode=0o777, *, dir_fd=None):
    """Create a directory."""
    cdef FileSystem system = running_system()
    text = text_of(path, "mkdir")
    permissions = operator.index(mode)
    try:
        system.make_folder(text, start_of(system, dir_fd), permissions & 0xffff)
    except OSError as error:
        named(error, path)
        raise


cdef object take_away(str function, path, dir_fd, bint folders):
    cdef FileSystem system = running_system()
    text = text_of(path, function)
    try:
        system.remove(text, start_of(system, dir_fd), folders)
    except OSError as error:
        named(error, path)
        raise


def rmdir(path, *, dir_fd=None):
    """Remove a directory."""
    take_away("rmdir", path, dir_fd, True)


def unlink(path, *, dir_fd=None):
    """Remove a file (same as remove())."""
    take_away("unlink", path, dir_fd, False)


def remove(path, *, dir_fd=None):
    """Remove a file (same as unlink())."""
    take_away("remove", path, dir_fd, False)


cdef int move(str function, src, dst, src_dir_fd, dst_dir_fd) except -1:
    cdef FileSystem system = running_system()
    old, new = one_of_two(src, function, "src"), one_of_two(dst, function, "dst")
    try:
        system.rename(old, start_of(system, src_dir_fd), new, start_of(system, dst_dir_fd))
    except OSError as error:
        named(error, src, dst)
        raise
    return 0


cdef object one_of_two(path, str function, str argument):
    """The text of a path; the error names the argument."""
    if not isinstance(path, (str, bytes)) and not hasattr(type(path), "__fspath__"):
        raise TypeError(f"{function}: {argument} should be string, bytes or os.PathLike, not {type_name_of(path)}")
    return text_of(path, function)


def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    """Rename a file or directory."""
    move("rename", src, dst, src_dir_fd, dst_dir_fd)


def replace(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    """Rename a file or directory, overwriting the destination."""
    move("replace", src, dst, src_dir_fd, dst_dir_fd)


def link(src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True):
    """Create a hard link to a file."""
    cdef FileSystem system = running_system()
    old, new = one_of_two(src, "link", "src"), one_of_two(dst, "link", "dst")
    try:
        system.hard_link(old, start_of(system, src_dir_fd), new, start_of(system, dst_dir_fd), False)
    except OSError as error:
        named(error, src, dst)
        raise


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    """Create a symbolic link pointing to src named dst."""
    cdef FileSystem system = running_system()
    old, new = one_of_two(src, "symlink", "src"), one_of_two(dst, "symlink", "dst")
    try:
        system.make_link(old, new, start_of(system, dir_fd))
    except OSError as error:
        named(error, src, dst)
        raise


def readlink(path, *, dir_fd=None):
    """Return a string representing the path to which the symbolic link points."""
    cdef FileSystem system = running_system()
    cdef Node node
    text = text_of(path, "readlink")
    try:
        node = system.node_of(text, start_of(system, dir_fd), False)
        if node.mode & TYPE_MASK != LINK:
            fail(EINVAL)
        target = node.target()
    except OSError as error:
        named(error, path)
        raise
    return target.encode("utf-8", "surrogateescape") if isinstance(fspath(path), bytes) else target


def umask(mask):
    """Set the current numeric umask and return the previous umask."""
    cdef FileSystem system = running_system()
    cdef unsigned int old = system.umask
    system.umask = operator.index(mask) & 0o777
    return old


# ---- extended attributes: there are none ---------------------------------------------------------------------
def listxattr(path=None, *, follow_symlinks=True):
    """Return a list of extended attributes on path."""
    given = "." if path is None else path
    try:
        node_of(running_system(), given, "listxattr", None, follow_symlinks)
    except OSError as error:
        named(error, given)
        raise
    return []


def getxattr(path, attribute, *, follow_symlinks=True):
    """Return the value of extended attribute attribute on path."""
    try:
        node_of(running_system(), path, "getxattr", None, follow_symlinks)
        fail(errno.ENODATA)
    except OSError as error:
        named(error, path)
        raise


def setxattr(path, attribute, value, flags=0, *, follow_symlinks=True):
    """Set extended attribute attribute on path to value."""
    try:
        node_of(running_system(), path, "setxattr", None, follow_symlinks)
        fail(errno.EOPNOTSUPP)
    except OSError as error:
        named(error, path)
        raise


def removexattr(path, attribute, *, follow_symlinks=True):
    """Remove extended attribute attribute on path."""
    getxattr(path, attribute, follow_symlinks=follow_symlinks)


# ---- descriptors -----------------------------------------------------------------------------------------
def open(path, flags, mode=0o777, *, dir_fd=None):
    """Open a file for low level IO.  Returns a file descriptor (integer)."""
    cdef FileSystem system = running_system()
    text = text_of(path, "open")
    try:
        return system.new_descriptor(system.open_handle(text, start_of(system, dir_fd), descriptor(flags), operator.index(mode) & 0xffff))
    except OSError as error:
        named(error, path)
        raise


def close(fd):
    """Close a file descriptor."""
    running_system().close(descriptor(fd))


def closerange(fd_low, fd_high):
    """Closes all file descriptors in [fd_low, fd_high), ignoring errors."""
    cdef FileSystem system = running_system()
    low, high = descriptor(fd_low), descriptor(fd_high)
    for number in list(system.handles):
        if low <= number < high:
            system.close(number)


def read(fd, length):
    """Read from a file descriptor.  Returns a bytes object."""
    cdef Handle handle = running_system().handle(descriptor(fd))
    size = operator.index(length)
    if size < 0:
        fail(EINVAL)
    return handle.read(min(size, 0x7ffff000))


def write(fd, data):
    """Write a bytes object to a file descriptor."""
    cdef Py_buffer view
    cdef Handle handle = running_system().handle(descriptor(fd))
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        return handle.write(<char *>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)


def pread(fd, length, offset):
    """Read a number of bytes from a file descriptor starting at a particular offset."""
    cdef Handle handle = running_system().handle(descriptor(fd))
    cdef long long at = handle.at
    if operator.index(length) < 0:
        fail(EINVAL)
    handle.seek(operator.index(offset), 0)
    try:
        return handle.read(operator.index(length))
    finally:
        handle.at = at


def pwrite(fd, buffer, offset):
    """Write bytes to a file descriptor starting at a particular offset."""
    cdef Handle handle = running_system().handle(descriptor(fd))
    cdef long long at = handle.at
    handle.seek(operator.index(offset), 0)
    try:
        return write(fd, buffer)
    finally:
        handle.at = at


def readv(fd, buffers):
    """Read from a file descriptor fd into an iterable of buffers."""
    cdef Py_buffer view
    cdef Handle handle = running_system().handle(descriptor(fd))
    cdef Py_ssize_t found, total = 0
    for each in buffers:
        PyObject_GetBuffer(each, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        try:
            found = handle.read_into(<char *>view.buf, view.len)
            total += found
            if found < view.len:
                break
        finally:
            PyBuffer_Release(&view)
    return total


def writev(fd, buffers):
    """Iterate over buffers, and write the contents of each to a file descriptor."""
    total = 0
    for each in buffers:
        total += write(fd, each)
    return total


def lseek(fd, position, whence):
    """Set the position of a file descriptor.  Return the new position."""
    cdef Handle handle = running_system().handle(descriptor(fd))
    return handle.seek(operator.index(position), operator.index(whence))


def dup(fd):
    """Return a duplicate of a file descriptor."""
    cdef FileSystem system = running_system()
    cdef Handle handle = system.handle(descriptor(fd))
    if len(system.handles) >= system.quota.most_handles:
        fail(errno.EMFILE)
    return system.new_descriptor(handle)


def dup2(fd, fd2, inheritable=True):
    """Duplicate file descriptor."""
    cdef FileSystem system = running_system()
    cdef Handle handle = system.handle(descriptor(fd))
    cdef int target = descriptor(fd2)
    if target < 3 or target >= 1 << 20:
        fail(errno.EBADF)
    if len(system.handles) >= system.quota.most_handles:
        fail(errno.EMFILE)
    if system.find(target) is handle:
        return target
    if system.find(target) is not None:
        system.close(target)
    system.handles[target] = handle
    handle.descriptors += 1
    return target


def sendfile(out_fd, in_fd, offset, count):
    """Copy count bytes from file descriptor in_fd to file descriptor out_fd."""
    cdef FileSystem system = running_system()
    cdef Handle source = system.handle(descriptor(in_fd))
    cdef Handle target = system.handle(descriptor(out_fd))
    cdef long long at = source.at
    cdef bytes data
    size = operator.index(count)
    if size < 0:
        fail(EINVAL)
    if offset is not None:
        source.seek(operator.index(offset), 0)
    try:
        data = source.read(min(size, 1 << 20))
    finally:
        if offset is not None:
            source.at = at
    return target.write(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


def copy_file_range(src, dst, count, offset_src=None, offset_dst=None):
    """Copy count bytes from one file descriptor to another."""
    cdef FileSystem system = running_system()
    cdef Handle target = system.handle(descriptor(dst))
    cdef long long at = target.at
    if operator.index(count) < 0:
        raise ValueError("negative value for 'count' not allowed")
    if offset_dst is not None:
        target.seek(operator.index(offset_dst), 0)
    try:
        return sendfile(dst, src, offset_src, count)
    finally:
        if offset_dst is not None:
            target.at = at


cdef Handle checked(fd):
    return running_system().handle(descriptor(fd))


def fsync(fd):
    """Force write of fd to disk."""
    checked(fd).content.sync()


def fdatasync(fd):
    """Force write of fd to disk without forcing update of metadata."""
    checked(fd).content.sync()


def sync():
    """Force write of everything to disk."""


def isatty(fd):
    """Return True if the fd is connected to a terminal."""
    descriptor(fd)
    return False


def get_inheritable(fd):
    """Get the close-on-exe flag of the specified file descriptor."""
    checked(fd)
    return False


def set_inheritable(fd, inheritable):
    """Set the inheritable flag of the specified file descriptor."""
    checked(fd)


def get_blocking(fd):
    """Get the blocking mode of the file descriptor."""
    checked(fd)
    return True


def set_blocking(fd, blocking):
    """Set the blocking mode of the specified file descriptor."""
    checked(fd)


def posix_fallocate(fd, offset, length):
    """Ensure a file has allocated at least a particular number of bytes on disk."""
    cdef Handle handle = checked(fd)
    cdef long long size = operator.index(offset) + operator.index(length)
    if not handle.writable:
        fail(errno.EBADF)
    if size > handle.content.length():
        handle.resize(size)


def posix_fadvise(fd, offset, length, advice):
    """Announce an intention to access data in a specific pattern."""
    checked(fd)


def getuid():
    """Return the current process's user id."""
    return OWNER


def getgid():
    """Return the current process's group id."""
    return OWNER


cdef int patch_types() except -1:
    get_slots(DirEntry).tp_name = b"posix.DirEntry"
    PyType_Modified(get_slots(DirEntry))
    get_slots(ScandirIterator).tp_name = b"posix.ScandirIterator"
    PyType_Modified(get_slots(ScandirIterator))
    return 0


patch_types()

#: The names for ``posix``.
NAMES = tuple(name for name, value in globals().items()
              if type(value) is types.BuiltinFunctionType and hasattr(host_posix, name)) + ("DirEntry",)
