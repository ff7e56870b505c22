# cython: binding=False, wraparound=True, boundscheck=True
"""Folders of the host in a guest's file system, to read or to change them."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from kimi_runtime.files.tree cimport FOLDER, LINK, PERMISSIONS, REGULAR, TYPE_MASK, Folder, Node, Quota, fail
from kimi_runtime.objects.function cimport hooks

import errno
import os
import weakref

cdef extern from *:
    """
    #include <dirent.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <sys/stat.h>
    #include <unistd.h>

    #define K_RETRY(r, call) do { r = (call); } while (r < 0 && errno == EINTR); return r < 0 ? -errno : r

    static long long k_ns(struct timespec t) { return (long long)t.tv_sec * 1000000000LL + t.tv_nsec; }

    static int k_take_state(int r, struct stat *s, k_state *out) {
        if (r < 0) return -errno;
        out->mode = s->st_mode; out->ino = s->st_ino; out->dev = s->st_dev; out->links = s->st_nlink; out->size = s->st_size;
        out->atime = k_ns(s->st_atim); out->mtime = k_ns(s->st_mtim); out->ctime = k_ns(s->st_ctim);
        return 0;
    }
    static int k_state_at(int dir, const char *name, k_state *out) {
        struct stat s;
        return k_take_state(fstatat(dir, name, &s, AT_SYMLINK_NOFOLLOW), &s, out);
    }
    static int k_state_of(int fd, k_state *out) {
        struct stat s;
        return k_take_state(fstat(fd, &s), &s, out);
    }
    static int k_open_folder(int dir, const char *name) {
        int r; K_RETRY(r, openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }
    static int k_open_file(int dir, const char *name, int flags, int mode) {
        int r; K_RETRY(r, openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode));
    }
    static int k_append(int fd) {
        int r; K_RETRY(r, fcntl(fd, F_SETFL, O_APPEND));
    }
    static ssize_t k_pread(int fd, char *target, size_t size, long long at) {
        ssize_t r; K_RETRY(r, pread(fd, target, size, at));
    }
    static ssize_t k_pwrite(int fd, const char *source, size_t size, long long at) {
        ssize_t r; K_RETRY(r, pwrite(fd, source, size, at));
    }
    static int k_truncate(int fd, long long size) { int r; K_RETRY(r, ftruncate(fd, size)); }
    static int k_sync(int fd) { int r; K_RETRY(r, fsync(fd)); }
    static int k_chmod(int fd, unsigned int mode) { int r; K_RETRY(r, fchmod(fd, mode)); }
    static int k_times_at(int dir, const char *name, long long a, long long m) {
        struct timespec t[2];
        int r;
        t[0].tv_sec = a / 1000000000LL - (a % 1000000000LL < 0); t[0].tv_nsec = ((a % 1000000000LL) + 1000000000LL) % 1000000000LL;
        t[1].tv_sec = m / 1000000000LL - (m % 1000000000LL < 0); t[1].tv_nsec = ((m % 1000000000LL) + 1000000000LL) % 1000000000LL;
        K_RETRY(r, name ? utimensat(dir, name, t, AT_SYMLINK_NOFOLLOW) : futimens(dir, t));
    }
    static int k_mkdir(int dir, const char *name, int mode) { int r; K_RETRY(r, mkdirat(dir, name, mode)); }
    static int k_unlink(int dir, const char *name, int folder) { int r; K_RETRY(r, unlinkat(dir, name, folder ? AT_REMOVEDIR : 0)); }
    static int k_rename(int from, const char *old, int to, const char *name) { int r; K_RETRY(r, renameat(from, old, to, name)); }
    static int k_link(int from, const char *old, int to, const char *name) { int r; K_RETRY(r, linkat(from, old, to, name, 0)); }
    static int k_symlink(const char *target, int dir, const char *name) { int r; K_RETRY(r, symlinkat(target, dir, name)); }
    static ssize_t k_readlink(int dir, const char *name, char *target, size_t size) {
        ssize_t r; K_RETRY(r, readlinkat(dir, name, target, size));
    }
    static void k_close(int fd) { close(fd); }

    /* Reading a folder: the names one after the other. */
    static void *k_read_folder(int dir, int *error) {
        DIR *d = NULL;
        int fd;
        do { fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); } while (fd < 0 && errno == EINTR);
        if (fd >= 0 && !(d = fdopendir(fd))) { *error = errno; close(fd); return NULL; }
        if (fd < 0) *error = errno;
        return d;
    }
    static const char *k_next_name(void *d, int *error) {
        struct dirent *e;
        do {
            errno = 0;
            e = readdir((DIR *)d);
        } while (e && e->d_name[0] == '.' && (!e->d_name[1] || (e->d_name[1] == '.' && !e->d_name[2])));
        *error = e ? 0 : errno;
        return e ? e->d_name : NULL;
    }
    static void k_end_folder(void *d) { closedir((DIR *)d); }
    static int k_mounted_failed(void) { return -1; }
    """
    int k_state_at(int directory, const char *name, k_state *out) noexcept nogil
    int k_state_of(int fd, k_state *out) noexcept nogil
    int k_open_folder(int directory, const char *name) noexcept nogil
    int k_open_file(int directory, const char *name, int flags, int mode) noexcept nogil
    int k_append(int fd) noexcept nogil
    Py_ssize_t k_pread(int fd, char *target, size_t size, long long at) noexcept nogil
    Py_ssize_t k_pwrite(int fd, const char *source, size_t size, long long at) noexcept nogil
    int k_truncate(int fd, long long size) noexcept nogil
    int k_sync(int fd) noexcept nogil
    int k_chmod(int fd, unsigned int mode) noexcept nogil
    int k_times_at(int directory, const char *name, long long a, long long m) noexcept nogil
    int k_mkdir(int directory, const char *name, int mode) noexcept nogil
    int k_unlink(int directory, const char *name, int folder) noexcept nogil
    int k_rename(int source, const char *old, int target, const char *name) noexcept nogil
    int k_link(int source, const char *old, int target, const char *name) noexcept nogil
    int k_symlink(const char *text, int directory, const char *name) noexcept nogil
    Py_ssize_t k_readlink(int directory, const char *name, char *target, size_t size) noexcept nogil
    void k_close(int fd) noexcept nogil
    void *k_read_folder(int directory, int *error) noexcept nogil
    const char *k_next_name(void *folder, int *error) noexcept nogil
    void k_end_folder(void *folder) noexcept nogil
    int raise_pending "k_mounted_failed"() except -1
    int O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND

cdef enum:
    ACCESS = 3
    KEEPERS = 64                    # folders of a mount that keep a descriptor; others open theirs again each time
    LONGEST_LINK = 4096
    AT_ONCE = 1 << 30               # bytes of one system call
    SMALL = 1 << 16

cdef int ENOENT = errno.ENOENT, EACCES = errno.EACCES, EPERM = errno.EPERM, EROFS = errno.EROFS, ELOOP = errno.ELOOP


@cython.final
@cython.auto_pickle(False)
cdef class Descriptor:
    """A descriptor of the host, which is closed when nothing refers to it."""

    def __cinit__(self):
        self.fd = -1

    def __dealloc__(self):
        if self.fd >= 0:
            k_close(self.fd)


cdef Descriptor keep(int fd):
    """The descriptor that a call has given; OSError when it has failed."""
    cdef Descriptor made
    if fd < 0:
        fail(-fd)
    made = Descriptor.__new__(Descriptor)
    made.fd = fd
    return made


def open_folder(bytes path):
    """A descriptor for a folder that the host names, by which its names are looked up. OSError when there is none."""
    cdef Descriptor made
    cdef int fd = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    made = keep(fd)
    return made


cdef bytes raw_name(str name):
    """A name of an entry, for the system."""
    cdef bytes raw = name.encode("utf-8", "surrogateescape")
    # The caller has cut the path at its slashes; these would lead out of the folder.
    if not raw or raw == b"." or raw == b".." or b"/" in raw or b"\0" in raw:
        fail(errno.EINVAL)
    return raw


@cython.final
@cython.auto_pickle(False)
cdef class Usage:
    """Bytes that guests have added to a folder. most: the limit, or None."""

    def __cinit__(self, most=None):
        self.most = -1 if most is None else most


# Not a matter of the garbage collector, as the quota.
@cython.final
@cython.no_gc
@cython.auto_pickle(False)
cdef class MountedFolder:
    """What the nodes of one mounted folder share."""

    def __cinit__(self):
        self.opened = {}
        self.linked = set()

    cdef int charge(self, long long more) except -1:
        """OSError when so many more bytes are too many; otherwise they count."""
        if more <= 0:
            return 0
        self.quota.check(more)
        if self.usage.most >= 0 and self.usage.used + more > self.usage.most:
            fail(errno.ENOSPC)
        self.usage.used += more
        self.quota.charge(more)
        self.charged += more
        return 0

    cdef int credit(self, long long less) except -1:
        """So many bytes are gone, as far as they were counted."""
        cdef long long own = min(less, self.charged)
        self.usage.used = max(0, self.usage.used - less)
        self.charged -= own
        self.quota.charge(-own)
        return 0

    cdef int may_write(self) except -1:
        if not self.writable:
            fail(EROFS)
        return 0


cdef int fill(Node node, MountedFolder mount, k_state *state) except -1:
    """What stat has told."""
    node.mode = state.mode
    node.ino = state.ino
    node.device = mount.number
    node.atime, node.mtime, node.ctime = state.atime, state.mtime, state.ctime
    return 0


cdef Node node_for(HostFolder folder, str name, k_state *state):
    """The node of an entry."""
    cdef HostFolder inner
    cdef HostFile file
    cdef HostLink link
    cdef Node made
    cdef unsigned int kind = state.mode & TYPE_MASK
    if kind == REGULAR:
        file = HostFile.__new__(HostFile)
        file.mount, file.folder, file.own_name = folder.mount, folder, name
        file.size, file.link_count = state.size, <int>state.links
        made = file
    elif kind == FOLDER:
        inner = HostFolder.__new__(HostFolder)
        inner.mount, inner.above, inner.own_name = folder.mount, folder, name
        inner.link_count = <int>state.links
        made = inner
    elif kind == LINK:
        link = HostLink.__new__(HostLink)
        link.folder, link.own_name = folder, name
        made = link
    else:
        made = HostOther.__new__(HostOther)
    fill(made, folder.mount, state)
    if kind == FOLDER and state.dev != folder.mount.device:
        made.mode = FOLDER          # something is mounted there in the host, such as /proc
    return made


@cython.final
@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class HostFolder(OuterFolder):
    """A folder of the host."""

    def __cinit__(self):
        self.place = -1

    def __dealloc__(self):
        if self.place >= 0:
            self.mount.keepers[self.place] = NULL

    cdef Descriptor descriptor(self):
        """A descriptor in which names can be looked up. OSError when the folder is not there any more."""
        cdef Descriptor made, outer
        cdef k_state state
        cdef bytes raw
        cdef const char *c
        cdef void *old
        cdef int fd
        if self.kept is not None:
            return self.kept
        outer = (<HostFolder>self.above).descriptor()
        raw = raw_name(self.own_name)
        c = PyBytes_AS_STRING(raw)
        with nogil:
            fd = k_open_folder(outer.fd, c)
        made = keep(fd)
        if k_state_of(made.fd, &state) < 0 or state.ino != self.ino or state.dev != self.mount.device:
            fail(ENOENT if self.mode & PERMISSIONS else EACCES)
        self.place = self.mount.next_keeper
        old = self.mount.keepers[self.place]
        if old != NULL:
            (<HostFolder>old).place = -1
            (<HostFolder>old).kept = None
        self.mount.keepers[self.place] = <void *>self
        self.mount.next_keeper = (self.place + 1) % KEEPERS
        self.kept = made
        return made

    cdef int refresh(self) except -1:
        cdef k_state state
        cdef Descriptor d
        if not self.mode & PERMISSIONS:
            return 0
        d = self.descriptor()
        if k_state_of(d.fd, &state) == 0:
            fill(self, self.mount, &state)
            self.link_count = <int>state.links
        return 0

    cdef Node find(self, str name):
        cdef Descriptor d = self.descriptor()
        cdef bytes raw = raw_name(name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef k_state state
        cdef int r
        with nogil:
            r = k_state_at(d.fd, c, &state)
        if r < 0:
            if r == -ENOENT:
                return None
            fail(-r)
        return node_for(self, name, &state)

    cdef list names(self):
        cdef Descriptor d = self.descriptor()
        cdef int error = 0
        cdef void *reader
        cdef const char *c
        cdef list found = []
        with nogil:
            reader = k_read_folder(d.fd, &error)
        if reader == NULL:
            fail(error)
        try:
            while True:
                with nogil:
                    c = k_next_name(reader, &error)
                if c == NULL:
                    if error:
                        fail(error)
                    return found
                found.append((<bytes>c).decode("utf-8", "surrogateescape"))
                if len(found) & 1023 == 0 and hooks.check != NULL and hooks.check() < 0:
                    raise_pending()
        finally:
            k_end_folder(reader)

    cdef int may_write(self) except -1:
        return self.mount.may_write()

    cdef Node add_file(self, str name, unsigned int permissions):
        cdef Descriptor d = self.descriptor()
        cdef Descriptor fresh
        cdef bytes raw = raw_name(name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef k_state state
        cdef HostFile made
        cdef int fd
        self.mount.may_write()
        check_count(self.mount)
        with nogil:
            fd = k_open_file(d.fd, c, O_RDWR | O_CREAT | O_EXCL, permissions & 0o777)
        fresh = keep(fd)
        if k_state_of(fresh.fd, &state) < 0:
            fail(ENOENT)
        self.mount.quota.add_node()
        made = node_for(self, name, &state)
        made.fresh = fresh
        return made

    cdef Folder add_folder(self, str name, unsigned int permissions):
        cdef Descriptor d = self.descriptor()
        cdef bytes raw = raw_name(name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef int r
        self.mount.may_write()
        check_count(self.mount)
        with nogil:
            r = k_mkdir(d.fd, c, permissions & 0o777)
        if r < 0:
            fail(-r)
        self.mount.quota.add_node()
        return None

    cdef Node add_link(self, str name, str target):
        cdef Descriptor d = self.descriptor()
        cdef bytes raw = raw_name(name)
        cdef bytes text = target.encode("utf-8", "surrogateescape")
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef const char *t = PyBytes_AS_STRING(text)
        cdef int r
        self.mount.may_write()
        if not stays_inside(target):
            fail(EPERM)             # programs of the host would follow it
        check_count(self.mount)
        with nogil:
            r = k_symlink(t, d.fd, c)
        if r < 0:
            fail(-r)
        self.mount.quota.add_node()
        return None

    cdef int add_node(self, str name, Node node) except -1:
        """A hard link."""
        cdef HostFile file
        cdef Descriptor d = self.descriptor()
        cdef Descriptor from_d
        cdef bytes raw = raw_name(name)
        cdef bytes old
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef const char *o
        cdef int r
        self.mount.may_write()
        if not isinstance(node, HostFile) or (<HostFile>node).mount is not self.mount:
            fail(EPERM)
        file = <HostFile>node
        check_shared(self.mount, file.ino, file.link_count)
        check_count(self.mount)
        old = raw_name(file.own_name)
        o = PyBytes_AS_STRING(old)
        from_d = file.folder.descriptor()
        with nogil:
            r = k_link(from_d.fd, o, d.fd, c)
        if r < 0:
            fail(-r)
        self.mount.linked.add(file.ino)
        self.mount.quota.add_node()
        return 0

    cdef int drop(self, str name, Node node) except -1:
        cdef Descriptor d = self.descriptor()
        cdef bytes raw = raw_name(name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef bint is_folder = node.mode & TYPE_MASK == FOLDER
        cdef int r
        self.mount.may_write()
        with nogil:
            r = k_unlink(d.fd, c, is_folder)
        if r < 0:
            fail(-r)
        return self.gone(node)

    cdef int gone(self, Node node) except -1:
        """A node has a name less: what it held is free when that was the last one."""
        cdef HostFile file
        if self.mount.quota.count > 0:
            self.mount.quota.drop_node()
        if isinstance(node, HostFile):
            file = <HostFile>node
            if file.link_count == 1:
                self.mount.linked.discard(file.ino)
                if file.ino not in self.mount.opened:
                    self.mount.credit(file.size)
        return 0

    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1:
        cdef HostFolder source
        cdef Descriptor d, from_d
        cdef bytes raw = raw_name(name)
        cdef bytes old = raw_name(old_name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef const char *o = PyBytes_AS_STRING(old)
        cdef int r
        self.mount.may_write()
        if not isinstance(parent, HostFolder) or (<HostFolder>parent).mount is not self.mount:
            fail(errno.EXDEV)
        source = <HostFolder>parent
        if isinstance(node, HostLink) and source.ino != self.ino and not stays_inside(node.target()):
            fail(EPERM)             # from another place it could lead programs of the host elsewhere
        d = self.descriptor()
        from_d = source.descriptor()
        with nogil:
            r = k_rename(from_d.fd, o, d.fd, c)
        if r < 0:
            fail(-r)
        if replaced is not None:
            self.gone(replaced)
        return 0

    cdef int set_mode(self, unsigned int permissions) except -1:
        cdef Descriptor d, again
        cdef int r
        self.mount.may_write()
        d = self.descriptor()
        again = keep(k_open_file(d.fd, b".", O_RDONLY, 0))
        r = k_chmod(again.fd, permissions & 0o777)
        if r < 0:
            fail(-r)
        return self.refresh()

    cdef int set_times(self, long long atime, long long mtime) except -1:
        cdef Descriptor d, again
        cdef int r
        self.mount.may_write()
        d = self.descriptor()
        again = keep(k_open_file(d.fd, b".", O_RDONLY, 0))
        r = k_times_at(again.fd, NULL, atime, mtime)
        if r < 0:
            fail(-r)
        return self.refresh()


cdef int check_count(MountedFolder mount) except -1:
    """OSError when the guest may have no more files."""
    mount.quota.add_node()
    mount.quota.drop_node()
    return 0


cdef int check_shared(MountedFolder mount, unsigned long long ino, long long links) except -1:
    """OSError for a file that has names which the guest has not given it: the others may lie outside of the folder."""
    if links > 1 and ino not in mount.linked:
        fail(EPERM)
    return 0


cdef bint stays_inside(str target):
    """Whether a link cannot lead out of the folder, wherever in it it stands."""
    return not target.startswith("/") and ".." not in target.split("/")


@cython.final
@cython.auto_pickle(False)
cdef class HostFile(Node):
    """A file of the host."""

    cdef long long length(self) except -1:
        return self.size

    cdef int links(self) except -1:
        return self.link_count

    cdef int may_write(self) except -1:
        return self.mount.may_write()

    cdef Node opened(self, int flags):
        cdef HostContent made
        cdef Descriptor d
        cdef bytes raw
        cdef const char *c
        cdef k_state state
        cdef int r
        cdef int access = flags & ACCESS
        if access:
            self.mount.may_write()
            check_shared(self.mount, self.ino, self.link_count)
        made = HostContent.__new__(HostContent)
        made.mount = self.mount
        if self.fresh is not None:
            made.descriptor = self.fresh
            self.fresh = None
            if flags & O_APPEND:
                k_append(made.descriptor.fd)
        else:
            d = self.folder.descriptor()
            raw = raw_name(self.own_name)
            c = PyBytes_AS_STRING(raw)
            access |= flags & O_APPEND
            with nogil:
                r = k_open_file(d.fd, c, access, 0)
            made.descriptor = keep(r)
        r = k_state_of(made.descriptor.fd, &state)
        if r < 0:
            fail(-r)
        if state.mode & TYPE_MASK != REGULAR:
            fail(EACCES)            # something else has taken its place
        if access:
            check_shared(self.mount, state.ino, state.links)
        made.take(&state)
        made.is_counted = True
        self.mount.opened[made.ino] = self.mount.opened.get(made.ino, 0) + 1
        return made

    cdef HostContent for_change(self):
        """The file opened to change what is known of it, if only for reading."""
        try:
            return self.opened(O_RDONLY)
        except PermissionError:
            return self.opened(1)

    cdef int set_mode(self, unsigned int permissions) except -1:
        self.mount.may_write()
        check_shared(self.mount, self.ino, self.link_count)
        cdef HostContent content = self.for_change()
        try:
            return content.set_mode(permissions)
        finally:
            content.close()

    cdef int set_times(self, long long atime, long long mtime) except -1:
        self.mount.may_write()
        check_shared(self.mount, self.ino, self.link_count)
        cdef HostContent content = self.for_change()
        try:
            return content.set_times(atime, mtime)
        finally:
            content.close()


@cython.final
@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class HostContent(OuterContent):
    """An open file of the host."""

    def __dealloc__(self):
        if self.is_counted and self.mount is not None:
            self.uncount()

    cdef int take(self, k_state *state) except -1:
        fill(self, self.mount, state)
        self.size, self.link_count = state.size, <int>state.links
        return 0

    cdef Descriptor open_descriptor(self):
        if self.descriptor is None:
            fail(errno.EBADF)
        return self.descriptor

    cdef int refresh(self) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef k_state state
        cdef int r = k_state_of(d.fd, &state)
        if r < 0:
            fail(-r)
        return self.take(&state)

    cdef object read_at(self, long long at, Py_ssize_t size):
        # No more memory than the file can fill.
        if size > SMALL:
            size = min(size, <Py_ssize_t>max(0, self.length() - at))
        return self.read_bytes(at, size)

    cdef object read_bytes(self, long long at, Py_ssize_t size):
        cdef Descriptor d = self.open_descriptor()
        cdef bytes found = PyBytes_FromStringAndSize(NULL, size)
        cdef char *target = PyBytes_AS_STRING(found)
        cdef Py_ssize_t r = 0, done = 0, n
        while done < size:
            n = min(size - done, <Py_ssize_t>AT_ONCE)
            with nogil:
                r = k_pread(d.fd, target + done, n, at + done)
            if r < 0:
                fail(<int>-r)
            if r == 0:
                break
            done += r
        return found if done == size else found[:done]

    cdef Py_ssize_t read_into(self, long long at, char *target, Py_ssize_t size) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef Py_ssize_t r
        size = min(size, <Py_ssize_t>AT_ONCE)
        with nogil:
            r = k_pread(d.fd, target, size, at)
        if r < 0:
            fail(<int>-r)
        return r

    cdef Py_ssize_t write_at(self, long long at, const char *source, Py_ssize_t size) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef long long more
        cdef Py_ssize_t r, done = 0, n
        self.mount.may_write()
        more = max(0, at + size - self.length())
        self.mount.charge(more)
        while done < size:
            n = min(size - done, <Py_ssize_t>AT_ONCE)
            with nogil:
                r = k_pwrite(d.fd, source + done, n, at + done)
            if r < 0:
                if done == 0:
                    self.mount.credit(more)
                    fail(<int>-r)
                break
            done += r
        return done

    cdef int resize(self, long long size) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef long long there
        cdef int r
        self.mount.may_write()
        there = self.length()
        self.mount.charge(size - there)
        with nogil:
            r = k_truncate(d.fd, size)
        if r < 0:
            self.mount.credit(max(0, size - there))
            fail(-r)
        if size < there:
            self.mount.credit(there - size)
        return 0

    cdef int uncount(self) except -1:
        """It is open no longer."""
        cdef k_state state
        cdef int count = self.mount.opened.get(self.ino, 1) - 1
        self.is_counted = False
        if count:
            self.mount.opened[self.ino] = count
            return 0
        self.mount.opened.pop(self.ino, None)
        if self.mount.writable and k_state_of(self.descriptor.fd, &state) == 0 and state.links == 0:
            self.mount.credit(state.size)
        return 0

    cdef int close(self) except -1:
        if self.is_counted:
            self.uncount()
        self.descriptor = None
        return 0

    cdef int sync(self) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef int r
        with nogil:
            r = k_sync(d.fd)
        if r < 0:
            fail(-r)
        return 0

    cdef int may_write(self) except -1:
        return self.mount.may_write()

    cdef int set_mode(self, unsigned int permissions) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef int r
        self.mount.may_write()
        check_shared(self.mount, self.ino, self.link_count)
        r = k_chmod(d.fd, permissions & 0o777)      # no program that runs as its owner
        if r < 0:
            fail(-r)
        return 0

    cdef int set_times(self, long long atime, long long mtime) except -1:
        cdef Descriptor d = self.open_descriptor()
        cdef int r
        self.mount.may_write()
        check_shared(self.mount, self.ino, self.link_count)
        r = k_times_at(d.fd, NULL, atime, mtime)
        if r < 0:
            fail(-r)
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class HostLink(Node):
    """A symbolic link of the host. It leads to what its text stands for among the guest's files."""

    cdef long long length(self) except -1:
        return len(self.target().encode("utf-8", "surrogateescape"))

    cdef int may_write(self) except -1:
        return self.folder.mount.may_write()

    cdef str target(self):
        cdef Descriptor d = self.folder.descriptor()
        cdef bytes raw = raw_name(self.own_name)
        cdef const char *c = PyBytes_AS_STRING(raw)
        cdef char[LONGEST_LINK] text
        cdef Py_ssize_t r
        with nogil:
            r = k_readlink(d.fd, c, text, LONGEST_LINK)
        if r < 0:
            fail(<int>-r)
        return (<bytes>text[:r]).decode("utf-8", "surrogateescape")

    cdef int set_mode(self, unsigned int permissions) except -1:
        return fail(errno.EOPNOTSUPP)

    cdef int set_times(self, long long atime, long long mtime) except -1:
        cdef Descriptor d = self.folder.descriptor()
        cdef bytes raw = raw_name(self.own_name)
        cdef int r
        self.folder.mount.may_write()
        r = k_times_at(d.fd, PyBytes_AS_STRING(raw), atime, mtime)
        if r < 0:
            fail(-r)
        return 0


@cython.final
@cython.auto_pickle(False)
cdef class HostOther(Node):
    """A device, pipe or socket of the host, which guests see and cannot open."""

    cdef Node opened(self, int flags):
        fail(EACCES)

    cdef int set_mode(self, unsigned int permissions) except -1:
        return fail(EPERM)

    cdef int set_times(self, long long atime, long long mtime) except -1:
        return fail(EPERM)


cdef HostFolder mounted_root(Quota quota, unsigned int number, Descriptor descriptor, Usage usage, Folder above, str name, bint writable):
    """The node of a mounted folder.

    quota: of the whole file system. number: the device that the guest sees. above, name: where it is mounted.
    """
    cdef MountedFolder mount = MountedFolder.__new__(MountedFolder)
    cdef HostFolder made = HostFolder.__new__(HostFolder)
    cdef k_state state
    cdef int r = k_state_of(descriptor.fd, &state)
    if r < 0:
        fail(-r)
    mount.quota = quota.bounded(number, None)
    mount.usage = usage
    mount.writable = writable
    mount.device = state.dev
    mount.number = number
    made.mount = mount
    made.above_ref = weakref.ref(above)
    made.own_name = name
    made.kept = descriptor
    made.link_count = <int>state.links
    fill(made, mount, &state)
    return made


def mount_folder(Quota quota, number, Descriptor descriptor not None, Usage usage not None, Folder above, str name, bint writable):
    """The same, for the host."""
    return mounted_root(quota, number, descriptor, usage, above, name, writable)
