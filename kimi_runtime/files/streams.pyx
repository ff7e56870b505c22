# cython: binding=False, wraparound=True, boundscheck=True
"""``FileIO`` of the guests, and ``open``.

``FileIO`` is a class of this package on the host's ``_RawIOBase``: its methods are native, because the buffers and text streams of the
host, which lie on top of it, ask it several times for each read and write.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.ref cimport PyObject

from kimi_runtime.files.system cimport FileSystem, Handle, running_system, sound_path
from kimi_runtime.files.tree cimport FOLDER, TYPE_MASK, fail
from kimi_runtime.objects.slots cimport type_name_of

import _io
import errno
import operator
import os
import warnings

from kimi_runtime.objects.class_builder import freeze_class

cdef extern from "Python.h":
    ctypedef PyObject *(*PyCFunction)(PyObject *, PyObject *)
    ctypedef PyObject *(*getter)(PyObject *, void *)
    ctypedef struct PyMethodDef:
        const char *ml_name
        PyCFunction ml_meth
        int ml_flags
        const char *ml_doc
    ctypedef struct PyGetSetDef:
        const char *name
        getter get
        const char *doc
        void *closure
    int METH_VARARGS, METH_KEYWORDS, METH_NOARGS, METH_O
    PyObject *Py_None
    bint PyNumber_Check(object o)

cdef extern from *:
    """
    #include <structmember.h>
    static Py_ssize_t k_offset_of_member(PyObject *descriptor) {
        return ((PyMemberDescrObject *)descriptor)->d_member->offset;
    }
    static PyObject *k_method(PyObject *type, PyMethodDef *method) { return PyDescr_NewMethod((PyTypeObject *)type, method); }
    static PyObject *k_getset(PyObject *type, PyGetSetDef *getset) { return PyDescr_NewGetSet((PyTypeObject *)type, getset); }
    #define K_CORE(o, offset) (*(PyObject **)((char *)(o) + (offset)))
    """
    object k_method(object type, PyMethodDef *method)
    object k_getset(object type, PyGetSetDef *getset)
    Py_ssize_t k_offset_of_member(object descriptor)
    PyObject *K_CORE(object o, Py_ssize_t offset)

DEF_SIZE = _io.DEFAULT_BUFFER_SIZE
cdef object RawBase = _io._RawIOBase
cdef object raw_close = _io._RawIOBase.close
cdef object UnsupportedOperation = _io.UnsupportedOperation
cdef object BufferedReader = _io.BufferedReader, BufferedWriter = _io.BufferedWriter, BufferedRandom = _io.BufferedRandom
cdef object TextIOWrapper = _io.TextIOWrapper
cdef int O_RDONLY = os.O_RDONLY, O_WRONLY = os.O_WRONLY, O_RDWR = os.O_RDWR, O_CREAT = os.O_CREAT, O_EXCL = os.O_EXCL
cdef int O_TRUNC = os.O_TRUNC, O_APPEND = os.O_APPEND, O_CLOEXEC = os.O_CLOEXEC


@cython.final
@cython.no_gc_clear
@cython.auto_pickle(False)
cdef class RawFile:
    """What a ``FileIO`` has."""
    cdef FileSystem system
    cdef Handle handle              # None: closed
    cdef int descriptor
    cdef bint created, readable, writable, appending, closefd

    def __dealloc__(self):
        if self.handle is not None and self.closefd and self.system is not None:
            try:
                self.close()
            except OSError:         # nobody is there to tell
                pass

    cdef int close(self) except -1:
        cdef Handle handle = self.handle
        self.handle = None
        if handle is not None and self.closefd and self.system.find(self.descriptor) is handle:
            self.system.close(self.descriptor)
        return 0


cdef Py_ssize_t core_at             # where a FileIO has its RawFile


cdef inline RawFile core_of(self):
    """What a FileIO has; ValueError when it is closed, or was never opened."""
    cdef PyObject *core = K_CORE(self, core_at)
    if core == NULL or (<RawFile>core).handle is None or (<RawFile>core).handle.is_closed:
        raise ValueError("I/O operation on closed file")
    return <RawFile>core


# ---- opening ---------------------------------------------------------------------------------------------
cdef object parse_mode(str mode, RawFile core):
    """The flags for ``os.open`` of a mode of ``FileIO``; notes in core what it allows."""
    cdef int flags = 0
    cdef bint rwa = False, plus = False
    for c in mode:
        if c == "x":
            core.created = core.writable = True
            flags |= O_EXCL | O_CREAT
        elif c == "r":
            core.readable = True
        elif c == "w":
            core.writable = True
            flags |= O_CREAT | O_TRUNC
        elif c == "a":
            core.writable = core.appending = True
            flags |= O_APPEND | O_CREAT
        elif c == "b":
            continue
        elif c == "+":
            if plus:
                raise ValueError(BAD_MODE)
            core.readable = core.writable = plus = True
            continue
        else:
            raise ValueError(f"invalid mode: {mode[:200]}")
        if rwa:
            raise ValueError(BAD_MODE)
        rwa = True
    if not rwa:
        raise ValueError(BAD_MODE)
    return flags | (O_RDWR if core.readable and core.writable else O_RDONLY if core.readable else O_WRONLY) | O_CLOEXEC


cdef str BAD_MODE = "Must have exactly one of create/read/write/append mode and at most one plus"


cdef object path_text(path):
    """A path as text, as the host's converter for file names sees it."""
    path = os.fspath(path)
    return sound_path(os.fsdecode(bytes(path)[:20_000]) if isinstance(path, bytes) else str.__str__(path))      # more is too long anyway


cdef object descriptor_of(file):
    """The descriptor that was given instead of a path; None for a path."""
    cdef long long number
    if not hasattr(type(file), "__index__"):
        return None
    number = operator.index(file)
    if number < 0:
        raise ValueError("negative file descriptor")
    if number > 0x7fffffff:
        raise OverflowError("Python int too large to convert to C int")
    return number


cdef object fileio_init(self, args, PyObject *keywords):
    cdef RawFile core
    cdef PyObject *old
    cdef FileSystem system
    cdef int flags
    file, mode, closefd, opener = init_arguments(*args) if keywords == NULL else init_arguments(*args, **<object>keywords)
    old = K_CORE(self, core_at)
    if old != NULL:
        (<RawFile>old).close()
    core = RawFile.__new__(RawFile)
    descriptor = descriptor_of(file)
    flags = parse_mode(mode, core)
    core.closefd = bool(closefd)
    if descriptor is None:
        text = path_text(file)
        if not core.closefd:
            raise ValueError("Cannot use closefd=False with file name")
    system = core.system = running_system()
    try:
        if descriptor is not None:
            core.handle = system.handle(descriptor)
            core.descriptor = descriptor
        elif opener is None:
            core.handle = system.open_handle(text, None, flags, 0o666)
            if core.handle.node.mode & TYPE_MASK == FOLDER:
                core.handle.close()
                core.handle = None
                fail(errno.EISDIR)
            core.descriptor = system.new_descriptor(core.handle)
        else:
            found = opener(file, flags)
            if not isinstance(found, int):
                raise TypeError("expected integer from opener")
            if found < 0:
                raise ValueError(f"opener returned {found}")
            core.descriptor = found
            core.handle = system.handle(core.descriptor)
        if core.handle.node.mode & TYPE_MASK == FOLDER:
            core.closefd = core.closefd and descriptor is None
            fail(errno.EISDIR)
    except OSError as error:
        error.filename = file
        raise
    set_core(self, core)
    self.name = file
    if core.appending:
        core.handle.seek(0, 2)


def init_arguments(file, mode="r", closefd=True, opener=None):
    if not isinstance(mode, str):
        raise TypeError(f"FileIO() argument 'mode' must be str, not {type_name_of(mode)}")
    if "\0" in mode:
        raise ValueError("embedded null character")
    return file, mode, closefd, opener


# ---- methods ---------------------------------------------------------------------------------------------
cdef object fileio_close(self, PyObject *unused):
    cdef PyObject *core = K_CORE(self, core_at)
    if core == NULL:
        raw_close(self)
        return
    try:
        raw_close(self)             # which flushes
    finally:
        (<RawFile>core).close()


cdef object fileio_fileno(self, PyObject *unused):
    return core_of(self).descriptor


cdef object fileio_readable(self, PyObject *unused):
    return bool(core_of(self).readable)


cdef object fileio_writable(self, PyObject *unused):
    return bool(core_of(self).writable)


cdef object fileio_seekable(self, PyObject *unused):
    return bool(core_of(self).handle.seekable)


cdef object fileio_isatty(self, PyObject *unused):
    core_of(self)
    return False


cdef Handle for_reading(self):
    cdef RawFile core = core_of(self)
    if not core.readable:
        raise UnsupportedOperation("File not open for reading")
    return core.handle


cdef Handle for_writing(self):
    cdef RawFile core = core_of(self)
    if not core.writable:
        raise UnsupportedOperation("File not open for writing")
    return core.handle


cdef object fileio_readall(self, PyObject *unused):
    return core_of(self).handle.read(-1)


cdef object fileio_read(self, args):
    cdef Handle handle = for_reading(self)
    if len(args) > 1:
        raise TypeError(f"read expected at most 1 argument, got {len(args)}")
    size = args[0] if args else None
    if size is None:
        return handle.read(-1)
    size = operator.index(size)
    return handle.read(-1 if size < 0 else size)


cdef object fileio_readinto(self, target):
    cdef Py_buffer view
    cdef Handle handle = for_reading(self)
    PyObject_GetBuffer(target, &view, PyBUF_SIMPLE | PyBUF_WRITABLE)
    try:
        return handle.read_into(<char *>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)


cdef object fileio_write(self, data):
    cdef Py_buffer view
    cdef Handle handle = for_writing(self)
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        return handle.write(<char *>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)


cdef object fileio_seek(self, args):
    cdef Handle handle = core_of(self).handle
    if not 1 <= len(args) <= 2:
        raise TypeError(f"seek expected {'at least' if not args else 'at most'} {1 if not args else 2} argument"
                        f"{'s' if args else ''}, got {len(args)}")
    if isinstance(args[0], float):
        raise TypeError("an integer is required")
    return handle.seek(operator.index(args[0]), operator.index(args[1]) if len(args) > 1 else 0)


cdef object fileio_tell(self, PyObject *unused):
    return core_of(self).handle.seek(0, 1)


cdef object fileio_truncate(self, args):
    cdef Handle handle = for_writing(self)
    if len(args) > 1:
        raise TypeError(f"truncate expected at most 1 argument, got {len(args)}")
    size = args[0] if args else None
    if size is None:
        size = handle.seek(0, 1)
    if operator.index(size) < 0:
        fail(errno.EINVAL)
    handle.resize(operator.index(size))
    return size


cdef str mode_text(RawFile core):
    if core.created:
        return "xb+" if core.readable else "xb"
    if core.appending:
        return "ab+" if core.readable else "ab"
    if core.readable:
        return "rb+" if core.writable else "rb"
    return "wb"


cdef object fileio_repr(self, PyObject *unused):
    cdef PyObject *core = K_CORE(self, core_at)
    if core == NULL or (<RawFile>core).handle is None:
        return "<_io.FileIO [closed]>"
    name = getattr(self, "name", None)
    where = f"fd={(<RawFile>core).descriptor}" if name is None else f"name={name!r}"
    return f"<_io.FileIO {where} mode={mode_text(<RawFile>core)!r} closefd={bool((<RawFile>core).closefd)}>"


cdef object fileio_no_state(self, PyObject *unused):
    raise TypeError(f"cannot pickle '{type(self).__module__}.{type(self).__qualname__}' object" if type(self) is not FileIO
                    else "cannot pickle '_io.FileIO' object")


cdef object fileio_no_warning(self, source):
    """Unclosed files are no affair of the host's: there is no warning about them."""


cdef object get_closed(self, void *closure):
    cdef PyObject *core = K_CORE(self, core_at)
    return core == NULL or (<RawFile>core).handle is None or (<RawFile>core).handle.is_closed


cdef object get_closefd(self, void *closure):
    cdef PyObject *core = K_CORE(self, core_at)
    return core == NULL or bool((<RawFile>core).closefd)


cdef object get_mode(self, void *closure):
    cdef PyObject *core = K_CORE(self, core_at)
    return "wb" if core == NULL else mode_text(<RawFile>core)


cdef object get_blksize(self, void *closure):
    return DEF_SIZE


cdef PyMethodDef[24] METHODS
cdef PyGetSetDef[4] GETSETS


cdef int add_method(cls, int i, const char *name, void *function, int flags, const char *doc) except -1:
    METHODS[i].ml_name = name
    METHODS[i].ml_meth = <PyCFunction>function
    METHODS[i].ml_flags = flags
    METHODS[i].ml_doc = doc
    setattr(cls, (<bytes>name).decode(), k_method(cls, &METHODS[i]))
    return i + 1


cdef int add_getset(cls, int i, const char *name, void *function, const char *doc) except -1:
    GETSETS[i].name = name
    GETSETS[i].get = <getter>function
    GETSETS[i].doc = doc
    setattr(cls, (<bytes>name).decode(), k_getset(cls, &GETSETS[i]))
    return i + 1


cdef object slot_of_core


cdef int set_core(self, RawFile core) except -1:
    slot_of_core.__set__(self, core)
    return 0


cdef object make_class():
    global core_at, slot_of_core
    cdef int i = 0
    cls = type("FileIO", (RawBase,), {"__slots__": ("_core",), "__module__": "_io", "__doc__": _io.FileIO.__doc__})
    slot_of_core = vars(cls)["_core"]
    core_at = k_offset_of_member(slot_of_core)
    i = add_method(cls, i, b"__init__", <void *>fileio_init, METH_VARARGS | METH_KEYWORDS, NULL)
    i = add_method(cls, i, b"close", <void *>fileio_close, METH_NOARGS, b"Close the file.")
    i = add_method(cls, i, b"fileno", <void *>fileio_fileno, METH_NOARGS, b"Return the underlying file descriptor (an integer).")
    i = add_method(cls, i, b"readable", <void *>fileio_readable, METH_NOARGS, b"True if file was opened in a read mode.")
    i = add_method(cls, i, b"writable", <void *>fileio_writable, METH_NOARGS, b"True if file was opened in a write mode.")
    i = add_method(cls, i, b"seekable", <void *>fileio_seekable, METH_NOARGS, b"True if file supports random-access.")
    i = add_method(cls, i, b"isatty", <void *>fileio_isatty, METH_NOARGS, b"True if the file is connected to a TTY device.")
    i = add_method(cls, i, b"readall", <void *>fileio_readall, METH_NOARGS, b"Read all data from the file, returned as bytes.")
    i = add_method(cls, i, b"read", <void *>fileio_read, METH_VARARGS, b"Read at most size bytes, returned as bytes.")
    i = add_method(cls, i, b"readinto", <void *>fileio_readinto, METH_O, b"Same as RawIOBase.readinto().")
    i = add_method(cls, i, b"write", <void *>fileio_write, METH_O, b"Write buffer b to file, return number of bytes written.")
    i = add_method(cls, i, b"seek", <void *>fileio_seek, METH_VARARGS, b"Move to new file position and return the file position.")
    i = add_method(cls, i, b"tell", <void *>fileio_tell, METH_NOARGS, b"Current file position.")
    i = add_method(cls, i, b"truncate", <void *>fileio_truncate, METH_VARARGS, b"Truncate the file to at most size bytes and return the truncated size.")
    i = add_method(cls, i, b"__repr__", <void *>fileio_repr, METH_NOARGS, NULL)
    i = add_method(cls, i, b"__getstate__", <void *>fileio_no_state, METH_NOARGS, NULL)
    i = add_method(cls, i, b"__reduce__", <void *>fileio_no_state, METH_NOARGS, NULL)
    i = add_method(cls, i, b"__reduce_ex__", <void *>fileio_no_state, METH_O, NULL)
    i = add_method(cls, i, b"_dealloc_warn", <void *>fileio_no_warning, METH_O, NULL)
    i = 0
    i = add_getset(cls, i, b"closed", <void *>get_closed, b"True if the file is closed")
    i = add_getset(cls, i, b"closefd", <void *>get_closefd, b"True if the file descriptor will be closed by close().")
    i = add_getset(cls, i, b"mode", <void *>get_mode, b"String giving the file mode")
    i = add_getset(cls, i, b"_blksize", <void *>get_blksize, NULL)
    freeze_class(cls)
    return cls


FileIO = make_class()


# ---- open ------------------------------------------------------------------------------------------------
def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    """Open file and return a stream.  Raise OSError upon failure."""
    cdef bint creating = False, reading = False, writing = False, appending = False, updating = False, text = False
    cdef bint binary = False, line_buffering = False
    cdef str raw_mode = ""
    if not PyNumber_Check(file):
        file = os.fspath(file)
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type_name_of(mode)}")
    for name, value in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"open() argument '{name}' must be str or None, not {type_name_of(value)}")
    size = operator.index(buffering)
    mode = str.__str__(mode)
    if len(set(mode)) != len(mode):
        raise ValueError(f"invalid mode: '{mode}'")
    for c in mode:
        if c == "x":
            creating = True
        elif c == "r":
            reading = True
        elif c == "w":
            writing = True
        elif c == "a":
            appending = True
        elif c == "+":
            updating = True
        elif c == "t":
            text = True
        elif c == "b":
            binary = True
        else:
            raise ValueError(f"invalid mode: '{mode}'")
    if text and binary:
        raise ValueError("can't have text and binary mode at once")
    if creating + reading + writing + appending > 1 or not (creating or reading or writing or appending):
        raise ValueError("must have exactly one of create/read/write/append mode")
    if binary and encoding is not None:
        raise ValueError("binary mode doesn't take an encoding argument")
    if binary and errors is not None:
        raise ValueError("binary mode doesn't take an errors argument")
    if binary and newline is not None:
        raise ValueError("binary mode doesn't take a newline argument")
    if binary and size == 1:
        warnings.warn("line buffering (buffering=1) isn't supported in binary mode, the default buffer size will be used",
                      RuntimeWarning)
    raw_mode = ("x" if creating else "r" if reading else "w" if writing else "a") + ("+" if updating else "")
    raw = result = FileIO(file, raw_mode, closefd, opener)
    try:
        line_buffering = size == 1
        if size == 1:
            size = -1
        if size < 0:
            size = DEF_SIZE
        if size == 0:
            if not binary:
                raise ValueError("can't have unbuffered text I/O")
            return raw
        if updating:
            result = BufferedRandom(raw, size)
        elif reading:
            result = BufferedReader(raw, size)
        else:
            result = BufferedWriter(raw, size)
        if binary:
            return result
        if encoding is None or encoding == "locale":
            encoding = "UTF-8"
        result = TextIOWrapper(result, encoding, errors, newline, line_buffering)
        result.mode = mode
        return result
    except BaseException:
        result.close()
        raise
