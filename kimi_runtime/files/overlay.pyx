# cython: binding=False, wraparound=True, boundscheck=True
"""Folders of the host that a guest may change for itself alone: what it changes is in memory, and hides what is below.

Nodes in memory are made when a path leads to them, and stay. A file is read in the folder of the host until it is changed.
"""
cimport cython

from kimi_runtime.files.mounted cimport Descriptor, Usage, mounted_root
from kimi_runtime.files.tree cimport (
    FOLDER, LINK, REGULAR, TYPE_MASK, Folder, MemoryFile, MemoryFolder, MemoryLink, Node, Quota)

import weakref


@cython.final
@cython.auto_pickle(False)
cdef class Below:
    """Reads a file of the host that is about to be changed."""
    cdef Node file
    cdef Quota quota

    def __call__(self):
        cdef Node content = self.file.opened(0)
        cdef long long size
        try:
            # Before memory is asked for: what was below counts once it is changed.
            size = content.length()
            self.quota.check(size)
            return content.read_at(0, <Py_ssize_t>size)
        finally:
            content.close()


cdef int copy_state(Node made, Node node, Quota quota) except -1:
    """What stat tells of a node below."""
    made.quota = quota
    made.device = quota.device
    made.ino = quota.next_ino()
    made.mode = node.mode
    made.atime, made.mtime, made.ctime = node.atime, node.mtime, node.ctime
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class OverlayFolder(MemoryFolder):
    """A folder in memory with one of the host below it."""
    cdef Folder below
    cdef set hidden                 # names below that are gone

    cdef int links(self) except -1:
        return MemoryFolder.links(self) if self.below is None else self.below.links()

    cdef int expect(self, list parts, Py_ssize_t at) except -1:
        if self.below is not None and parts[at] not in self.entries and parts[at] not in self.hidden:
            self.below.expect(parts, at)
        return 0

    cdef Node find(self, str name):
        cdef Node node, made
        cdef OverlayFolder folder
        cdef OverlayFile file
        cdef MemoryLink link
        found = self.entries.get(name)
        if found is not None or self.below is None or name in self.hidden:
            return found
        node = self.below.find(name)
        if node is None:
            return None
        if node.mode & TYPE_MASK == REGULAR:
            file = OverlayFile.__new__(OverlayFile)
            file.below = node
            file.loader = below_of(file.below, self.quota)
            file.is_below = True
            file.names_of_it = 1
            made = file
        elif node.mode & TYPE_MASK == FOLDER:
            folder = OverlayFolder.__new__(OverlayFolder)
            folder.below = <Folder?>node
            folder.hidden = set()
            folder.parent_ref = weakref.ref(self)
            folder.own_name = name
            made = folder
        elif node.mode & TYPE_MASK == LINK:
            link = MemoryLink.__new__(MemoryLink)
            link.path = node.target()
            made = link
        else:
            made = node
        if made is not node:
            copy_state(made, node, self.quota)
        self.entries[name] = made
        return made

    cdef list names(self):
        if self.below is None:
            return list(self.entries)
        cdef list found = [each for each in self.below.names() if each not in self.hidden]
        cdef set there = set(found)
        return found + [each for each in self.entries if each not in there]

    def hidden_names(self):
        return [] if self.below is None else sorted(self.hidden)

    cdef int settle(self) except -1:
        cdef Node node
        if self.below is not None:
            for name in self.names():
                node = self.find(name)
                node.settle()
            self.below = None
            self.quota.add_node()
            self.counted = True
        return 0

    cdef int drop(self, str name, Node node) except -1:
        self.hidden.add(name)
        return MemoryFolder.drop(self, name, node)

    cdef int take(self, str name, Node node, Folder parent, str old_name, Node replaced) except -1:
        if isinstance(parent, OverlayFolder):
            (<OverlayFolder>parent).hidden.add(old_name)
        return MemoryFolder.take(self, name, node, parent, old_name, replaced)


cdef Below below_of(Node file, Quota quota):
    cdef Below made = Below.__new__(Below)
    made.file = file
    made.quota = quota
    return made


@cython.final
@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class OverlayFile(MemoryFile):
    """A file that is read below until it is changed."""
    cdef Node below
    cdef Node source                # while it is open
    cdef int users

    cdef Node reader(self):
        if self.source is None:
            self.source = self.below.opened(0)
        return self.source

    cdef long long length(self) except -1:
        if not self.is_below:
            return len(self.data)
        return self.below.length() if self.source is None else self.source.length()

    cdef object read_at(self, long long at, Py_ssize_t size):
        if self.is_below:
            return self.reader().read_at(at, size)
        return MemoryFile.read_at(self, at, size)

    cdef object read_rest(self, long long at):
        if self.is_below:
            return self.reader().read_rest(at)
        return MemoryFile.read_rest(self, at)

    cdef Py_ssize_t read_into(self, long long at, char *target, Py_ssize_t size) except -1:
        if self.is_below:
            return self.reader().read_into(at, target, size)
        return MemoryFile.read_into(self, at, target, size)

    cdef Node opened(self, int flags):
        if self.is_below:
            self.reader()           # says now what is in the way
        self.users += 1
        return self

    cdef int settle(self) except -1:
        if self.is_below:
            self.load()
            self.recount()
            self.note_change()
            self.quota.add_node()
            self.counted = True
        return 0

    cdef int close(self) except -1:
        cdef Node source = self.source
        self.users -= 1
        if self.users <= 0 and source is not None:
            self.source = None
            source.close()
        return 0


def overlay_folder(Quota quota, number, Descriptor descriptor not None, most, Folder above, str name):
    """The node of a mounted folder.

    quota: of the whole file system. number: the device that the guest sees. most: bytes that may be in memory, or None.
    """
    return over(quota, number, mounted_root(quota, number, descriptor, Usage(), above, name, False), most, above, name)


def over(Quota quota, number, Folder below not None, most, Folder above, str name):
    """The same for the node of a folder that is only read."""
    cdef OverlayFolder made = OverlayFolder.__new__(OverlayFolder)
    made.below = below
    made.hidden = set()
    copy_state(made, below, quota.bounded(number, most))
    made.parent_ref = weakref.ref(above)
    made.own_name = name
    return made
