# cython: binding=False, auto_pickle=False
"""The interpreter core: runs the register bytecode.

Reading map, in the order of the includes:

- ``vm/externs.pxi``     the C interface, raw
- ``vm/memory.pxi``      the heap of a run
- ``vm/frames.pxi``      the VM of a thread: stacks, frames, safepoints
- ``vm/operators.pxi``   arithmetic and comparison off the fast path; the owner rule of instructions
- ``vm/attributes.pxi``  inline caches of globals and attributes
- ``vm/subscripts.pxi``  items of containers
- ``vm/iterate.pxi``     loops and unpacking
- ``vm/calls.pxi``       calls in both directions
- ``vm/generators.pxi``  frames that stop and go on
- ``vm/awaiting.pxi``    the protocols of ``await``, ``async for`` and ``yield from``
- ``vm/unwind.pxi``      exceptions
- ``vm/build.pxi``       collections, strings, functions, context managers
- ``vm/hooks.pxi``       what the modules below ask of the core
- ``vm/supers.pxi``      methods by way of ``super()``
- ``vm/suspending.pxi``  runs that wait for the host and go on later
- ``vm/sampling.pxi``    samples for the profiler; ``vm/counting.pxi`` has about how often what is executed
- ``vm/stepping.pxi``    coverage and tracing
- ``vm/hot.pxi``         what runs often: counting it, and compiled code, with ``vm/hot_objects.pxi`` for objects;
                         ``vm/hot_surface.pxi`` is what its compiler sees,
                         ``vm/hot_lines.pxi`` what machine code was made for, ``vm/hot_math.pxi`` functions of ``math``
- ``vm/step.pxi``        one instruction by itself, generated as the loop is
- ``vm/loop.pxi``        the loop itself, generated from ``vm/instructions/`` by ``tools/gen_loop.py``

Values and their reference rules are in ``vm/values.pxd``, the opcodes in ``bytecode/opcodes.py``.
"""
cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport pow
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from kimi_runtime.bytecode.code cimport *
from kimi_runtime.bytecode.ops cimport *
from kimi_runtime.objects.binding cimport bind_values
from kimi_runtime.objects.context cimport (
    ContextFunction, RunContext, by_library, has_own_streams, is_of_library, is_print, trust_layout)
from kimi_runtime.objects.function cimport *
from kimi_runtime.memory.heap cimport Heap, KHeap
from kimi_runtime.syntax.alarm cimport alarm
from kimi_runtime.objects.outcome cimport Outcome
from kimi_runtime.objects.slots cimport get_slots, type_name_of  # no-cython-lint: switches off tracebacks of its own
from kimi_runtime.vm.values cimport *

from _collections import _tuplegetter
from importlib import import_module as import_host
from os import register_at_fork

from kimi_runtime.bridge.gate import builtin_getattr
from kimi_runtime.vm.safepoint import safepoint as _safepoint
from kimi_runtime.vm.stopping import Stopped

ctypedef PyObject *(*GetAttrFunc)(PyObject *, PyObject *) noexcept
ctypedef PyObject *(*AsyncSlot)(PyObject *o) noexcept
ctypedef PyObject *(*NewFunc)(PyTypeObject *, PyObject *, PyObject *) noexcept
ctypedef int (*InitFunc)(PyObject *, PyObject *, PyObject *) noexcept

include "vm/externs.pxi"

cdef extern from *:
    ctypedef struct RangeStruct "KRange":
        PyObject *start
        PyObject *stop
        PyObject *step
    ctypedef struct PropertyStruct "KProperty":
        PyObject *prop_get
    ctypedef struct StaticMethodStruct "KStaticMethod":
        PyObject *callable
    ctypedef struct TupleGetter "KTupleGetter":
        Py_ssize_t index
    ctypedef struct TupleStruct "PyTupleObject":
        PyObject **ob_item
    ctypedef struct ListStruct "PyListObject":
        PyObject **ob_item
        Py_ssize_t allocated

# Interned names and types that the loop compares with.
cdef str STR_NAME = "name"
cdef str STR_GET = "__get__"
cdef str STR_GETITEM = "__getitem__"
cdef str STR_INIT = "__init__"
cdef str STR_NEW = "__new__"
cdef str STR_TUPLE_NEW = "_tuple_new"
cdef str STR_ENTER = "__enter__"
cdef str STR_EXIT = "__exit__"
cdef str STR_AENTER = "__aenter__"
cdef str STR_AEXIT = "__aexit__"
cdef str STR_AWAIT = "__await__"
cdef str STR_ANEXT = "__anext__"
cdef str STR_CLASS = "__class__"
cdef str STR_BUILD_CLASS = "__build_class__"
cdef str STR_BUILTINS = "__builtins__"
cdef str STR_IMPORT = "__import__"
cdef str STR_ANNOTATIONS = "__annotations__"

cdef PyTypeObject *FunctionType = <PyTypeObject *><PyObject *>Function
cdef PyTypeObject *CellType = <PyTypeObject *><PyObject *>Cell
cdef PyTypeObject *FunctionGeneratorType = <PyTypeObject *><PyObject *>Generator
cdef PyTypeObject *FunctionCoroutineType = <PyTypeObject *><PyObject *>Coroutine
cdef PyTypeObject *AsyncSendType = <PyTypeObject *><PyObject *>AsyncSend
cdef PyTypeObject *FunctionAsyncGeneratorType = <PyTypeObject *><PyObject *>AsyncGenerator

cdef PyTypeObject *TupleGetterType = <PyTypeObject *><PyObject *>_tuplegetter
cdef bint tuple_getter_works = 0
cdef object _type_new = type.__new__
cdef PyObject *type_new_function = <PyObject *>_type_new
cdef PyObject *safepoint_function = <PyObject *>_safepoint
cdef tuple _empty_tuple = ()
cdef PyObject *empty_tuple = <PyObject *>_empty_tuple
cdef GetAttrFunc type_getattro = (<PyTypeFull *>&PyType_Type).tp_getattro
cdef GetAttrFunc module_getattro = (<PyTypeFull *>&PyModule_Type).tp_getattro
cdef NewFunc object_new = (<PyTypeFull *>&PyBaseObject_Type).tp_new
cdef InitFunc object_init = (<PyTypeFull *>&PyBaseObject_Type).tp_init

cdef const char *UNBOUND_LOCAL = b"cannot access local variable '%U' where it is not associated with a value"
cdef const char *UNBOUND_FREE = b"cannot access free variable '%U' where it is not associated with a value in enclosing scope"

cdef const char *WITH_KINDS[2]
WITH_KINDS[0] = b""
WITH_KINDS[1] = b"asynchronous "

cdef inline PyObject *module_dict(PyObject *m) noexcept:
    return PyModule_GetDict(m)

cdef inline PyObject *property_getter(PyObject *p) noexcept:
    """Getter of a property object: borrowed, NULL when there is none."""
    return (<PropertyStruct *>p).prop_get

include "vm/metering.pxi"
include "vm/memory.pxi"
include "vm/host_calls.pxi"
include "vm/frames.pxi"
include "vm/bigints.pxi"
include "vm/subscripts.pxi"
include "vm/operators.pxi"
include "vm/attributes.pxi"
include "vm/iterate.pxi"
include "vm/generators.pxi"
include "vm/awaiting.pxi"
include "vm/unwind.pxi"
include "vm/calls.pxi"
include "vm/build.pxi"
include "vm/natives.pxi"
include "vm/hooks.pxi"
include "vm/supers.pxi"
include "vm/services.pxi"
include "vm/dispatch.pxi"
include "vm/hot_lines.pxi"
include "vm/sampling.pxi"
include "vm/counting.pxi"
include "vm/stepping.pxi"
include "vm/hot_math.pxi"
include "vm/hot.pxi"
include "vm/hot_objects.pxi"
include "vm/step.pxi"
include "vm/loop.pxi"
include "vm/entry.pxi"
include "vm/hot_surface.pxi"
include "vm/suspending.pxi"
include "vm/snapshots.pxi"
