# cython: binding=False
"""Regular expressions of guests.

Patterns are compiled by the host's own source of ``re``, run as guest code. What it emits is translated into a program
(program.pxi) and run by a matcher (matcher.pxi) that keeps all it has to come back to on a stack of its own, counts its
steps and looks at the limits of the run every few thousand of them (machine.pxi). The types that guests see behave as
those of the host's ``_sre`` do.
"""
cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy, memset

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport get_slots, slot_offset, type_name_of
from kimi_runtime.vm.values cimport Py_INCREF

import re
import sys
from re import _constants

cdef extern from *:
    """
    /* On 3.11 a str may still be in an old representation. */
    #if PY_VERSION_HEX < 0x030C0000
    #define k_ready(s) PyUnicode_READY(s)
    #else
    #define k_ready(s) 0
    #endif
    #define k_get_buffer(o, view) PyObject_GetBuffer(o, view, PyBUF_SIMPLE)
    #define k_release_buffer PyBuffer_Release
    """
    int k_ready(object text) except -1
    int k_get_buffer(PyObject *o, Py_buffer *view) noexcept
    void k_release_buffer(Py_buffer *view) noexcept

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    void *PyMem_Malloc(size_t n) noexcept nogil
    void *PyMem_Realloc(void *p, size_t n) noexcept nogil
    void PyMem_Free(void *p) noexcept nogil
    void PyErr_NoMemory() noexcept nogil
    void PyErr_Clear() noexcept
    PyObject *PyErr_Occurred() noexcept
    bint PyUnicode_Check(object o) noexcept
    void *PyUnicode_DATA(object o) noexcept
    int PyUnicode_KIND(object o) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object o) noexcept
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    object PyUnicode_Join(object separator, object parts)
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 c, Py_ssize_t start, Py_ssize_t end, int direction) except -2
    object PyBytes_Join "_PyBytes_Join"(object separator, object parts)
    bint PyCallable_Check(object o) noexcept
    object PyCallIter_New(object function, object sentinel)
    object PyDictProxy_New(object mapping)
    object PyNumber_Index(object o)
    Py_ssize_t PyNumber_AsSsize_t(object o, PyObject *error) except? -1
    Py_ssize_t PyLong_AsSsize_t(object o) except? -1
    bint PyLong_CheckExact(object o) noexcept
    bint PyIndex_Check(object o) noexcept
    bint PyObject_CheckBuffer(object o) noexcept
    Py_hash_t PyObject_Hash(object o) except -1
    tuple PyTuple_New(Py_ssize_t n)
    void PyTuple_SET_ITEM(object o, Py_ssize_t i, object value) noexcept
    int PyArg_ParseTupleAndKeywords(object args, object keywords, const char *format, char **names, ...) noexcept

cdef enum:
    MATCH_INLINE = 8        # marks in the match object itself
    FLAG_LOCALE = 4
    FLAG_UNICODE = 32
    FLAG_ASCII = 256

FLAG_NAMES = (
    *((("re.TEMPLATE", 1),) if sys.version_info < (3, 13) else ()), ("re.IGNORECASE", 2), ("re.LOCALE", 4),
    ("re.MULTILINE", 8), ("re.DOTALL", 16), ("re.UNICODE", 32), ("re.VERBOSE", 64), ("re.DEBUG", 128), ("re.ASCII", 256),
)

include "charsets.pxi"
include "program.pxi"
include "first_tests.pxi"
include "machine.pxi"
include "matcher.pxi"
include "objects.pxi"
include "texts.pxi"
include "methods.pxi"
include "install.pxi"
