# Type objects seen from C: the slots that the object modules patch on Cython's static types.
from cpython.ref cimport PyObject

cdef extern from "Python.h":
    ctypedef void (*destructor)(PyObject *) noexcept
    ctypedef struct PyAsyncMethods:
        void *am_await
        void *am_aiter
        void *am_anext
        void *am_send
    ctypedef struct TypeSlots "PyTypeObject":
        const char *tp_name
        Py_ssize_t tp_basicsize
        Py_ssize_t tp_vectorcall_offset
        Py_ssize_t tp_weaklistoffset
        Py_ssize_t tp_dictoffset
        unsigned long tp_flags
        destructor tp_dealloc
        void *tp_call
        void *tp_vectorcall
        void *tp_new
        void *tp_free
        void *tp_init
        void *tp_descr_get
        void *tp_traverse
        void *tp_clear
        void *tp_iter
        void *tp_iternext
        void *tp_finalize
        void *tp_getattro
        void *tp_setattro
        PyAsyncMethods *tp_as_async
        PyObject *tp_dict
    ctypedef object (*newfunc)(TypeSlots *, PyObject *, PyObject *)
    void PyType_Modified(TypeSlots *) noexcept
    # What `__call__` of a type with vectorcall does; its tp_call is the same function.
    object call_by_vector "PyVectorcall_Call"(object callable, object args, object kwargs)
    unsigned long METHOD_DESCRIPTOR_FLAGS "(Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR)"
    unsigned long HAVE_VECTORCALL_FLAG "Py_TPFLAGS_HAVE_VECTORCALL"
    unsigned long GC_FLAG "Py_TPFLAGS_HAVE_GC"
    unsigned long IMMUTABLE_TYPE "Py_TPFLAGS_IMMUTABLETYPE"
    unsigned long DISALLOW_INSTANTIATION "Py_TPFLAGS_DISALLOW_INSTANTIATION"

cdef inline TypeSlots *get_slots(object cls) noexcept:
    return <TypeSlots *><PyObject *>cls

cdef inline Py_ssize_t slot_offset(object instance, void *field) noexcept:
    """Offset of a field inside an instance."""
    return <char *>field - <char *><PyObject *>instance

cdef inline str type_name_of(object value):
    """The name of a value's type, as in the error messages of CPython's own C code (tp_name, not __qualname__)."""
    return (<bytes>get_slots(type(value)).tp_name).decode("utf-8", "replace")
