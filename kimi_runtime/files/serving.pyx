# cython: binding=False, wraparound=True, boundscheck=True
"""A mounted folder for a guest in a worker process: the host does there what the worker asks for, by plain values.

A worker is no more trusted than its guest. It names folders by the names that lead to them, which are looked up here one after the
other as in `mounted`, and open files by numbers that it was told; what it may use is counted here.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from kimi_runtime.files.mounted cimport HostContent, HostFile, HostFolder, mounted_root
from kimi_runtime.files.tree cimport FOLDER, LINK, REGULAR, TYPE_MASK, Folder, Node, Quota, fail

from kimi_runtime.files.tree import new_root

import errno

cdef enum:
    DEVICE_NUMBER = 2
    MOST_NAMES = 5000               # of a path
    MOST_AT_ONCE = 1 << 20          # bytes of an answer
    MOST_KNOWN = 100                # folders that are not looked up again


cdef tuple told(Node node):
    """What the worker gets of a node: mode, inode, links, size, times; the text of a link."""
    cdef unsigned int kind = node.mode & TYPE_MASK
    return (node.mode, node.ino, node.links(), 4096 if kind == FOLDER else node.length() if kind == REGULAR else 0, node.atime,
            node.mtime, node.ctime, node.target() if kind == LINK else "")


def quota_of_guest():
    """What all mounted folders of one guest may take together."""
    return Quota.__new__(Quota)


@cython.final
@cython.auto_pickle(False)
cdef class MountServer:
    """One mounted folder of one guest.

    Args:
        quota: see ``quota_of_guest``.
        mount: the ``Mount``.
    """
    cdef Quota quota                # of this folder
    cdef Quota whole
    cdef Folder above
    cdef HostFolder root
    cdef dict known                 # (names, inode) -> HostFolder: as a node of `mounted`, which stands for the folder itself
    cdef dict opened                # number -> HostContent
    cdef long long last
    cdef HostFile made              # what was made just now, and how it goes on
    cdef long long made_number

    def __cinit__(self, Quota quota not None, mount):
        self.whole = quota
        self.above = new_root(quota)
        self.root = mounted_root(quota, DEVICE_NUMBER, mount._descriptor, mount._usage, self.above, "mounted", mount.mode == "rw")
        self.quota = self.root.mount.quota
        self.known = {}
        self.opened = {}

    def perform(self, str what, tuple args, limits):
        """Does what the worker asks for.

        Returns:
            What comes of it, and the bytes and files that the guest has added to the folder so far.

        Raises:
            OSError: as the guest gets it.
            TypeError, ValueError, OverflowError, AttributeError, LookupError: the worker asks for what there is not.
        """
        if self.whole.limits is not limits:
            self.whole.use(limits)
        value = getattr(self, "do_" + what)(*args)
        return value, self.quota.size, self.quota.count

    cdef HostFolder folder(self, tuple names, unsigned long long ino):
        """A folder. OSError when it is not the one that the worker means."""
        cdef Folder found = self.root
        cdef Node node
        if not names:
            return self.root
        node = self.known.get((names, ino))
        if node is not None:
            return <HostFolder>node
        if len(names) > MOST_NAMES:
            raise ValueError("a path of too many names")
        for name in names:
            node = found.find(<str?>name)
            if node is None:
                fail(errno.ENOENT)
            if not isinstance(node, HostFolder):
                fail(errno.ENOTDIR)
            found = <Folder>node
        if found.ino != ino:
            fail(errno.ENOENT)
        self.know(names, found)
        return <HostFolder>found

    cdef int know(self, tuple names, Folder folder) except -1:
        """The worker is likely to ask for this folder next."""
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[names, folder.ino] = folder
        return 0

    cdef Node entry(self, HostFolder folder, str name):
        cdef Node found = folder.find(name)
        if found is None:
            fail(errno.ENOENT)
        return found

    cdef HostContent content(self, number):
        cdef HostContent found = self.opened[number]
        return found

    cdef int check_room(self, long long more, long long room) except -1:
        """OSError when the guest has not so much room left, by what it has used elsewhere."""
        if more > 0 and more > room:
            fail(errno.ENOSPC)
        return 0

    # ---- folders -----------------------------------------------------------------------------------------
    def do_root(self):
        self.root.refresh()
        return told(self.root)

    def do_find(self, tuple names, ino, str name):
        cdef HostFolder folder = self.folder(names, ino)
        cdef Node found = folder.find(name)
        if found is None:
            return None
        if isinstance(found, HostFolder):
            self.know((*names, name), <Folder>found)
        return told(found)

    def do_find_path(self, tuple names, ino, tuple more not None):
        """What each of several names stands for, in the folder that the one before it stands for. It ends where there is no folder,
        or nothing, or what cannot be looked at."""
        cdef HostFolder folder = self.folder(names, ino)
        cdef Node found
        cdef list states = []
        cdef Py_ssize_t deep = 0
        if len(names) + len(more) > MOST_NAMES:
            raise ValueError("a path of too many names")
        for name in more:
            try:
                found = folder.find(<str?>name)
            except OSError:
                if not states:
                    raise
                break               # the worker asks for it by itself, and is told why
            states.append(None if found is None else told(found))
            if not isinstance(found, HostFolder):
                break
            folder = <HostFolder>found
            deep += 1
        if deep:
            self.know(names + more[:deep], folder)
        return tuple(states)

    def do_names(self, tuple names, ino):
        cdef HostFolder folder = self.folder(names, ino)
        return folder.names()

    def do_refresh(self, tuple names, ino):
        cdef HostFolder folder = self.folder(names, ino)
        folder.refresh()
        return told(folder)

    def do_add_file(self, tuple names, ino, str name, unsigned int permissions):
        cdef HostFolder folder = self.folder(names, ino)
        self.made = folder.add_file(name, permissions)
        self.last += 1
        self.made_number = self.last
        return self.last, told(self.made)

    def do_add_folder(self, tuple names, ino, str name, unsigned int permissions):
        cdef HostFolder folder = self.folder(names, ino)
        folder.add_folder(name, permissions)

    def do_add_link(self, tuple names, ino, str name, str target):
        cdef HostFolder folder = self.folder(names, ino)
        folder.add_link(name, target)

    def do_add_name(self, tuple names, ino, str name, tuple old_names, old_ino, str old_name):
        cdef HostFolder folder = self.folder(names, ino)
        cdef HostFolder source = self.folder(old_names, old_ino)
        folder.add_node(name, self.entry(source, old_name))

    def do_drop(self, tuple names, ino, str name):
        cdef HostFolder folder = self.folder(names, ino)
        folder.drop(name, self.entry(folder, name))

    def do_take(self, tuple names, ino, str name, tuple old_names, old_ino, str old_name):
        cdef HostFolder folder = self.folder(names, ino)
        cdef HostFolder source = self.folder(old_names, old_ino)
        folder.take(name, self.entry(source, old_name), source, old_name, folder.find(name))

    def do_set_mode(self, tuple names, ino, str name, unsigned int permissions):
        """name: of an entry; None for the folder itself."""
        cdef HostFolder folder = self.folder(names, ino)
        cdef Node node = folder if name is None else self.entry(folder, name)
        node.set_mode(permissions)

    def do_set_times(self, tuple names, ino, str name, long long atime, long long mtime):
        cdef HostFolder folder = self.folder(names, ino)
        cdef Node node = folder if name is None else self.entry(folder, name)
        node.set_times(atime, mtime)

    # ---- open files --------------------------------------------------------------------------------------
    def do_open(self, tuple names, ino, str name, int flags, long long made):
        """made: the number that ``do_add_file`` has given, or 0."""
        cdef HostFolder folder
        cdef Node node
        if len(self.opened) >= self.whole.most_handles:
            fail(errno.EMFILE)
        if made and made == self.made_number and self.made is not None:
            node = self.made
        else:
            folder = self.folder(names, ino)
            node = self.entry(folder, name)
        self.made = None
        if not isinstance(node, HostFile):
            fail(errno.EACCES)
        cdef Node content = node.opened(flags)
        self.last += 1
        self.opened[self.last] = <HostContent?>content
        return self.last, told(content)

    def do_close(self, tuple numbers):
        for number in numbers:
            if number in self.opened:
                self.content(number).close()
                del self.opened[number]

    def do_state(self, number):
        cdef HostContent content = self.content(number)
        content.refresh()
        return told(content)

    def do_read(self, number, long long at, Py_ssize_t size):
        """No more than a message can have: the worker asks again for the rest."""
        if at < 0 or size < 0:
            raise ValueError("a place that no file has")
        return self.content(number).read_at(at, min(size, <Py_ssize_t>MOST_AT_ONCE))

    def do_write(self, number, long long at, bytes data not None, long long room):
        cdef HostContent content = self.content(number)
        if at < 0:
            raise ValueError("a place that no file has")
        self.check_room(at + PyBytes_GET_SIZE(data) - content.length(), room)
        return content.write_at(at, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))

    def do_resize(self, number, long long size, long long room):
        cdef HostContent content = self.content(number)
        if size < 0:
            fail(errno.EINVAL)
        self.check_room(size - content.length(), room)
        content.resize(size)

    def do_sync(self, number):
        self.content(number).sync()

    def do_set_mode_of(self, number, unsigned int permissions):
        self.content(number).set_mode(permissions)

    def do_set_times_of(self, number, long long atime, long long mtime):
        self.content(number).set_times(atime, mtime)
