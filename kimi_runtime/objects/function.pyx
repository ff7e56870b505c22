# cython: binding=False, wraparound=True, boundscheck=True
"""Guest functions, cells and generators, with the looks of CPython's own types.

The classes are Cython's static types; at import their slots get the things that Cython does not write itself: the
guest-visible type names, vectorcall, a descriptor slot without a wrapper, and garbage-collector hooks that know the
registers.  The interpreter core makes the instances and fills ``hooks``; nothing here runs guest code by other means.
"""
cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t
from libc.string cimport memset

from kimi_runtime.bytecode.code cimport (
    Code, guest_is_running, CODE_ASYNC_GENERATOR, CODE_CLASS, CODE_COROUTINE, CODE_GENERATOR, CODE_ITERABLE_COROUTINE,
    CODE_MODULE, ExcEntry)
from kimi_runtime.memory.heap cimport before_leaving_pages
from kimi_runtime.objects.slots cimport (
    PyAsyncMethods, TypeSlots, PyType_Modified, call_by_vector, get_slots, newfunc, slot_offset, type_name_of,
    METHOD_DESCRIPTOR_FLAGS, GC_FLAG, DISALLOW_INSTANTIATION)
from kimi_runtime.objects.tracebacks cimport add_traceback_line, drop_host_entries
from kimi_runtime.vm.values cimport (
    Py_DECREF, Py_INCREF, Py_None, Py_TYPE, Py_XDECREF, Value, value_borrowed, value_clear, value_copy, value_object,
    T_OWNED, T_UNDEF)

import sys
import types
from weakref import ref

cdef extern from *:
    """
    typedef struct { PyObject_HEAD unsigned long long tag; PyObject *o; } k_raw_cell;
    #define K_OWNED 8u

    static int k_cell_traverse(PyObject *o, visitproc visit, void *arg) {
        k_raw_cell *c = (k_raw_cell *)o;
        if (c->tag & K_OWNED) { Py_VISIT(c->o); }
        return 0;
    }
    static int k_cell_clear(PyObject *o) {
        k_raw_cell *c = (k_raw_cell *)o;
        unsigned long long tag = c->tag;
        c->tag = 0;
        if (tag & K_OWNED) { Py_DECREF(c->o); }
        return 0;
    }
    static void k_cell_dealloc(PyObject *o) {
        PyObject_GC_UnTrack(o);
        Py_TRASHCAN_BEGIN(o, k_cell_dealloc)
        k_cell_clear(o);
        PyObject_GC_Del(o);
        Py_TRASHCAN_END
    }

    static PyObject *k_function_get(PyObject *f, PyObject *obj, PyObject *type) {
        if (obj == NULL || obj == Py_None) { return Py_NewRef(f); }
        return PyMethod_New(f, obj);
    }

    /* Functions and generators are made and freed at a high rate, so both keep a few freed ones and do without the
       generic allocation. The structs mirror what Cython lays out from function.pxd; check_layout compares them. */
    typedef struct {
        PyObject_HEAD
        PyObject *vectorcall, *code, *globals, *builtins, *closure, *defaults, *kwdefaults, *name, *qualname, *module,
            *doc, *annotations, *type_params, *attrs;
        uint32_t version;
        uint8_t frozen;
        PyObject *weakrefs;
    } k_function;

    typedef struct { uint32_t tag, pad; PyObject *o; } k_value;
    typedef struct {
        PyObject_HEAD
        k_value *regs;
        const void *ip;
        PyObject *func, *code;
        uint8_t state, kind;
        uint16_t resume_reg;
        uint8_t yielded, iterating, closed, hooked;
        PyObject *delegate;
        _PyErr_StackItem exc_state;
        PyObject *name, *qualname, *extra, *weakrefs;
    } k_generator;

    #define K_KEEP 80
    #define K_SMALL 16u         /* register windows of up to so many values are kept too */
    static k_function *k_functions[K_KEEP];
    static k_generator *k_generators[K_KEEP];
    static k_value *k_windows[K_KEEP];
    static int k_nfunctions, k_ngenerators, k_nwindows;

    static PyObject *k_function_make(PyTypeObject *type, PyObject *vectorcall, PyObject *code, PyObject *globals,
                                     PyObject *builtins, PyObject *closure, PyObject *name, PyObject *qualname,
                                     PyObject *doc, PyObject *module, uint32_t version) {
        k_function *f;
        if (k_nfunctions) {
            f = k_functions[--k_nfunctions];
            _Py_NewReference((PyObject *)f);
        }
        else {
            f = PyObject_GC_New(k_function, type);
            if (f == NULL) { return NULL; }
        }
        f->vectorcall = vectorcall;
        f->code = Py_NewRef(code);
        f->globals = Py_NewRef(globals);
        f->builtins = Py_NewRef(builtins);
        f->closure = Py_NewRef(closure);
        f->defaults = Py_NewRef(Py_None);
        f->kwdefaults = Py_NewRef(Py_None);
        f->name = Py_NewRef(name);
        f->qualname = Py_NewRef(qualname);
        f->module = Py_NewRef(module);
        f->doc = Py_NewRef(doc);
        f->annotations = Py_NewRef(Py_None);
        f->type_params = Py_NewRef(Py_None);
        f->attrs = NULL;
        f->version = version;
        f->frozen = 0;
        f->weakrefs = NULL;
        PyObject_GC_Track(f);
        return (PyObject *)f;
    }
    static void k_function_dealloc(PyObject *o) {
        k_function *f = (k_function *)o;
        PyObject_GC_UnTrack(o);
        Py_TRASHCAN_BEGIN(o, k_function_dealloc)
        if (f->weakrefs) { PyObject_ClearWeakRefs(o); }
        Py_XDECREF(f->code);
        Py_XDECREF(f->globals);
        Py_XDECREF(f->builtins);
        Py_XDECREF(f->closure);
        Py_XDECREF(f->defaults);
        Py_XDECREF(f->kwdefaults);
        Py_XDECREF(f->name);
        Py_XDECREF(f->qualname);
        Py_XDECREF(f->module);
        Py_XDECREF(f->doc);
        Py_XDECREF(f->annotations);
        Py_XDECREF(f->type_params);
        Py_XDECREF(f->attrs);
        if (k_nfunctions < K_KEEP) { k_functions[k_nfunctions++] = f; }
        else { PyObject_GC_Del(o); }
        Py_TRASHCAN_END
    }

    static k_value *k_window_take(uint32_t n) {
        k_value *window;
        if (n <= K_SMALL && k_nwindows) {
            window = k_windows[--k_nwindows];
            memset(window, 0, n * sizeof(k_value));
            return window;
        }
        return (k_value *)PyMem_Calloc(n <= K_SMALL ? K_SMALL : n, sizeof(k_value));
    }
    static inline void k_window_free(k_value *window, uint32_t n) {
        if (n <= K_SMALL && k_nwindows < K_KEEP) { k_windows[k_nwindows++] = window; }
        else { PyMem_Free(window); }
    }
    /* Frees what is kept: a heap ends, and each block would hold one of its pages. */
    static void k_drop_kept(void) {
        while (k_nfunctions) { PyObject_GC_Del(k_functions[--k_nfunctions]); }
        while (k_ngenerators) { PyObject_GC_Del(k_generators[--k_ngenerators]); }
        while (k_nwindows) { PyMem_Free(k_windows[--k_nwindows]); }
    }
    /* Temporaries from the last one down, as an exception leaves them; then the locals. */
    static void k_window_drop(k_value *window, uint32_t nlocals, uint32_t n) {
        for (uint32_t i = n; i-- > nlocals; ) {
            if (window[i].tag & K_OWNED) { window[i].tag = 0; Py_DECREF(window[i].o); }
        }
        for (uint32_t i = 0; i < nlocals; i++) {
            if (window[i].tag & K_OWNED) { window[i].tag = 0; Py_DECREF(window[i].o); }
        }
        k_window_free(window, n);
    }

    static PyObject *k_generator_make(PyTypeObject *type, PyObject *func, PyObject *code, PyObject *name,
                                      PyObject *qualname, const void *ip, uint8_t kind, uint32_t nregs) {
        k_generator *g;
        k_value *regs = k_window_take(nregs);
        if (regs == NULL) { return PyErr_NoMemory(); }
        if (k_ngenerators) {
            g = k_generators[--k_ngenerators];
            Py_SET_TYPE(g, type);
            _Py_NewReference((PyObject *)g);
        }
        else {
            g = PyObject_GC_New(k_generator, type);
            if (g == NULL) { k_window_drop(regs, 0, nregs); return NULL; }
        }
        g->regs = regs;
        g->ip = ip;
        g->func = Py_NewRef(func);
        g->code = Py_NewRef(code);
        g->state = 0;
        g->kind = kind;
        g->resume_reg = 0;
        g->yielded = g->iterating = g->closed = g->hooked = 0;
        g->delegate = NULL;
        g->exc_state.exc_value = NULL;
        g->exc_state.previous_item = NULL;
        g->name = Py_NewRef(name);
        g->qualname = Py_NewRef(qualname);
        g->extra = NULL;
        g->weakrefs = NULL;
        PyObject_GC_Track(g);
        return (PyObject *)g;
    }
    /* Before the fields go, weak references are cleared and a suspended body is closed. */
    static int (*k_generator_must_finalize)(PyObject *);
    static void (*k_generator_finish)(PyObject *);
    static void k_generator_dealloc(PyObject *o) {
        k_generator *g = (k_generator *)o;
        if (g->weakrefs) {
            /* A callback may start a collection, which must not find an object without references. */
            PyObject_GC_UnTrack(o);
            PyObject_ClearWeakRefs(o);
            PyObject_GC_Track(o);
        }
        if (g->state != 3 && k_generator_must_finalize(o) && PyObject_CallFinalizerFromDealloc(o)) { return; }
        PyObject_GC_UnTrack(o);
        Py_TRASHCAN_BEGIN(o, k_generator_dealloc)
        if (g->regs || g->exc_state.exc_value) { k_generator_finish(o); }
        Py_XDECREF(g->func);
        Py_XDECREF(g->code);
        Py_XDECREF(g->name);
        Py_XDECREF(g->qualname);
        Py_XDECREF(g->extra);
        /* The finalized bit of the collector's header would stay on when the memory is used for the next generator. */
        ((uintptr_t *)o)[-1] &= ~(uintptr_t)1;
        if (k_ngenerators < K_KEEP) { k_generators[k_ngenerators++] = g; }
        else { PyObject_GC_Del(o); }
        Py_TRASHCAN_END
    }
    """
    ctypedef int (*visitproc)(PyObject *, void *) noexcept
    ctypedef int (*traverseproc)(PyObject *, visitproc, void *) noexcept
    int k_cell_traverse(PyObject *o, visitproc visit, void *arg) noexcept
    int k_cell_clear(PyObject *o) noexcept
    void k_cell_dealloc(PyObject *o) noexcept
    PyObject *k_function_get(PyObject *f, PyObject *obj, PyObject *type) noexcept
    int (*k_generator_must_finalize)(PyObject *) noexcept
    void (*k_generator_finish)(PyObject *) noexcept
    void k_function_dealloc(PyObject *o) noexcept
    void k_window_drop(void *window, uint32_t nlocals, uint32_t n) noexcept
    void k_window_free(void *window, uint32_t n) noexcept
    void k_drop_kept() noexcept
    object k_function_make(TypeSlots *type, PyObject *vectorcall, PyObject *code, PyObject *globals, PyObject *builtins,
                           PyObject *closure, PyObject *name, PyObject *qualname, PyObject *doc, PyObject *module,
                           uint32_t version)
    object k_generator_make(TypeSlots *type, PyObject *func, PyObject *code, PyObject *name, PyObject *qualname,
                            const void *ip, unsigned char kind, uint32_t nregs)
    Py_ssize_t size_of_function "sizeof(k_function)"
    Py_ssize_t size_of_generator "sizeof(k_generator)"
    Py_ssize_t offset_of_version "offsetof(k_function, version)"
    Py_ssize_t offset_of_attrs "offsetof(k_function, attrs)"
    Py_ssize_t offset_of_delegate "offsetof(k_generator, delegate)"
    Py_ssize_t offset_of_exc_state "offsetof(k_generator, exc_state)"
    Py_ssize_t offset_of_regs "offsetof(k_generator, regs)"
    Py_ssize_t offset_of_state "offsetof(k_generator, state)"
    Py_ssize_t offset_of_extra "offsetof(k_generator, extra)"
    void k_generator_dealloc(PyObject *o) noexcept

cdef extern from "Python.h":
    int PY_VERSION_HEX
    PyObject *PyExc_StopIteration
    PyObject *PyExc_GeneratorExit
    PyObject *PyExc_ValueError
    PyObject *PyExc_TypeError
    PyObject *PyExc_RuntimeError
    PyObject *PyExc_RuntimeWarning
    PyObject *PyExc_StopAsyncIteration
    PyObject *PyExc_DeprecationWarning
    int PyErr_WarnFormat(PyObject *category, Py_ssize_t level, const char *format, ...) noexcept
    PyObject *PyErr_Format(PyObject *exc_type, const char *format, ...) noexcept
    int PyIter_Check(PyObject *o) noexcept
    PySendResult PyIter_Send(PyObject *iterator, PyObject *value, PyObject **result) noexcept
    ctypedef struct PyCodeObject:
        int co_flags
    bint PyCoro_CheckExact(PyObject *o) noexcept
    bint PyGen_CheckExact(PyObject *o) noexcept
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept
    PyObject *PyObject_CallNoArgs(PyObject *o) noexcept
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    void PyErr_SetObject(PyObject *exc_type, PyObject *value) noexcept
    void PyErr_SetNone(PyObject *exc_type) noexcept
    void PyErr_SetString(PyObject *exc_type, const char *message) noexcept
    int PyErr_WarnEx(PyObject *category, const char *message, Py_ssize_t level) except -1
    void PyErr_WriteUnraisable(PyObject *where) noexcept
    PyObject *PyException_GetTraceback(PyObject *exc) noexcept
    void PyException_SetCause(PyObject *exc, PyObject *cause) noexcept
    void PyException_SetContext(PyObject *exc, PyObject *context) noexcept
    PyObject *PyErr_Occurred() noexcept
    void PyErr_Clear() noexcept
    int PyErr_GivenExceptionMatches(PyObject *raised, PyObject *wanted) noexcept
    int PyErr_ExceptionMatches(PyObject *wanted) noexcept
    bint PyExceptionInstance_Check(PyObject *o) noexcept
    bint PyExceptionClass_Check(PyObject *o) noexcept
    bint PyTuple_Check(PyObject *o) noexcept
    PyObject *PyObject_CallOneArg(PyObject *callable, PyObject *arg) noexcept
    PyObject *PyObject_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    int PyException_SetTraceback(object exc, object tb) except -1
    PyObject *PyDict_GetItemWithError(PyObject *d, PyObject *key) except? NULL
    PyObject *PyDict_New() except NULL
    int PyObject_GenericSetAttr(PyObject *o, PyObject *name, PyObject *value) noexcept
    int PySequence_Check(PyObject *o) noexcept
    ctypedef enum PySendResult:
        PYGEN_RETURN
        PYGEN_ERROR
        PYGEN_NEXT

cdef extern from "layout.h":
    PyObject *k_take_raised() noexcept
    void k_restore_raised(PyObject *exc) noexcept

cdef extern from "Python.h":
    void PyObject_GC_Del(void *o) noexcept

cdef TypeSlots *function_type = get_slots(Function)
cdef TypeSlots *generator_type = get_slots(Generator)
cdef TypeSlots *coroutine_type = get_slots(Coroutine)
cdef TypeSlots *async_generator_type = get_slots(AsyncGenerator)
cdef tuple RESUMABLE_TYPES = (Generator, Coroutine, AsyncGenerator)
cdef newfunc allocate_function = NULL       # what Cython wrote as tp_new, without argument checks
cdef newfunc allocate_generator = NULL
cdef newfunc allocate_cell = NULL
cdef newfunc allocate_wrapper = NULL
cdef newfunc allocate_send = NULL
cdef newfunc allocate_throw = NULL
cdef traverseproc function_base_traverse = NULL
cdef traverseproc generator_base_traverse = NULL
cdef uint32_t next_version = 1
before_leaving_pages(k_drop_kept)
cdef PyObject *empty_args
cdef tuple _empty_tuple = ()
empty_args = <PyObject *>_empty_tuple
cdef str s_name = "__name__"
cdef str s_throw = "throw"
cdef str s_close = "close"

# The arguments of the Generator.throw that is under way, for a delegate with a throw method of its own, which gets them
# as they were given. Both owned or NULL; they belong together by the identity of the exception.
cdef PyObject *thrown_exception = NULL
cdef PyObject *thrown_arguments = NULL


# Codes that functions had before: kept until no guest runs.
cdef list parked_codes = []


cdef void drop_parked_codes() noexcept:
    if parked_codes:
        parked_codes.clear()


cdef inline uint32_t new_version() noexcept:
    global next_version
    next_version += 1
    if next_version == 0:
        next_version = 1
    return next_version


include "cell.pxi"


# ---- functions of the shared library ---------------------------------------------------------
cdef object visible_namespace(namespace):
    """A namespace as a guest may see it: of a shared one a copy, without the modules that all guests share.

    Library code reads attributes for guests whose names they choose (mocks, inspect.getmembers), so this goes for what it sees too. No
    builtins of library code are in it: code that runs with the library's own ``__import__`` counts as the library.
    """
    if is_privileged == NULL or not isinstance(namespace, dict):
        return namespace
    if is_privileged(<PyObject *>namespace):
        shown = dict(namespace)
        del shown["__import__"]
        return shown
    builtins = dict.get(namespace, "__builtins__")
    if isinstance(builtins, dict) and is_privileged(<PyObject *>builtins):
        return shown_of_library(namespace)
    return namespace


cdef dict shown_of_library(dict names):
    """What of a namespace or of the locals of shared library code may be seen: containers as copies, and no modules."""
    return {name: copied_value(value) for name, value in dict(names).items()
            if not issubclass(type(value), types.ModuleType) and name not in ("__builtins__", "__spec__", "__loader__")}


cdef object copied_value = lambda value: value      # what copies containers; set by the gate


def use_copies(function):
    """Called by the gate: function(value) gives a copy of a container, and anything else as it is."""
    global copied_value
    copied_value = function


cdef int check_thawed(Function function) except -1:
    if function.frozen:
        raise TypeError(f"cannot change attributes of the library function '{function.qualname}', "
                        "which other guests use too")
    return 0


def freeze_function(Function function):
    """Makes a function's attributes read-only, for good."""
    function.frozen = True


cdef int function_setattro(PyObject *o, PyObject *name, PyObject *value) noexcept:
    if (<Function>o).frozen:
        try:
            # functools.total_ordering names the functions that it hands out, always the same way.
            if value != NULL and <object>name == "__name__" and <object>value == (<Function>o).name:
                return 0
            check_thawed(<Function>o)
        except TypeError as error:
            raw = <PyObject *>error
            Py_INCREF(raw)
            k_restore_raised(raw)
            return -1
    return PyObject_GenericSetAttr(o, name, value)


# ---- functions -------------------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
cdef class Function:
    """Create a function object."""

    def __init__(self, code, globals, name=None, argdefs=None, closure=None):
        pass    # the arguments were used by function_new

    @property
    def __code__(self):
        return self.code

    @__code__.setter
    def __code__(self, value):
        check_thawed(self)
        cdef Py_ssize_t nfree
        if not isinstance(value, Code):
            raise TypeError("__code__ must be set to a code object")
        nfree = 0 if self.closure is None else len(self.closure)
        if (<Code>value).nfree != nfree:
            raise ValueError(f"{self.name}() requires a code object with {nfree} free vars, not {(<Code>value).nfree}")
        check_function_code(<Code>value)
        self.version = new_version()
        # A frame of this function may be running the old code, which it only borrows from here.
        parked_codes.append(self.code)
        self.code = value

    @__code__.deleter
    def __code__(self):
        raise TypeError("__code__ must be set to a code object")

    @property
    def __defaults__(self):
        return self.defaults

    @__defaults__.setter
    def __defaults__(self, value):
        check_thawed(self)
        if value is not None and not isinstance(value, tuple):
            raise TypeError("__defaults__ must be set to a tuple object")
        self.version = new_version()
        self.defaults = value

    @__defaults__.deleter
    def __defaults__(self):
        check_thawed(self)
        self.version = new_version()
        self.defaults = None

    @property
    def __kwdefaults__(self):
        return dict(self.kwdefaults) if self.frozen and self.kwdefaults is not None else self.kwdefaults

    @__kwdefaults__.setter
    def __kwdefaults__(self, value):
        check_thawed(self)
        if value is not None and not isinstance(value, dict):
            raise TypeError("__kwdefaults__ must be set to a dict object")
        self.version = new_version()
        self.kwdefaults = None if value is None else (value if type(value) is dict else dict(value))

    @__kwdefaults__.deleter
    def __kwdefaults__(self):
        check_thawed(self)
        self.version = new_version()
        self.kwdefaults = None

    @property
    def __annotations__(self):
        if self.annotations is None:
            self.annotations = {}
        elif type(self.annotations) is tuple:
            pairs = self.annotations
            self.annotations = dict(zip(pairs[::2], pairs[1::2]))
        return dict(self.annotations) if self.frozen else self.annotations

    @__annotations__.setter
    def __annotations__(self, value):
        check_thawed(self)
        if value is not None and not isinstance(value, dict):
            raise TypeError("__annotations__ must be set to a dict object")
        self.annotations = value

    @__annotations__.deleter
    def __annotations__(self):
        check_thawed(self)
        self.annotations = None

    @property
    def __name__(self):
        return self.name

    @__name__.setter
    def __name__(self, value):
        check_thawed(self)
        if not isinstance(value, str):
            raise TypeError("__name__ must be set to a string object")
        self.name = value

    @__name__.deleter
    def __name__(self):
        raise TypeError("__name__ must be set to a string object")

    @property
    def __qualname__(self):
        return self.qualname

    @__qualname__.setter
    def __qualname__(self, value):
        check_thawed(self)
        if not isinstance(value, str):
            raise TypeError("__qualname__ must be set to a string object")
        self.qualname = value

    @__qualname__.deleter
    def __qualname__(self):
        raise TypeError("__qualname__ must be set to a string object")

    @property
    def __type_params__(self):
        return () if self.type_params is None else self.type_params

    @__type_params__.setter
    def __type_params__(self, value):
        check_thawed(self)
        if not isinstance(value, tuple):
            raise TypeError("__type_params__ must be set to a tuple")
        self.type_params = value

    @__type_params__.deleter
    def __type_params__(self):
        raise TypeError("__type_params__ must be set to a tuple")

    @property
    def __doc__(self):
        return self.doc

    @__doc__.setter
    def __doc__(self, value):
        check_thawed(self)
        self.doc = value

    @__doc__.deleter
    def __doc__(self):
        check_thawed(self)
        self.doc = None

    @property
    def __module__(self):
        return self.module

    @__module__.setter
    def __module__(self, value):
        check_thawed(self)
        self.module = value

    @__module__.deleter
    def __module__(self):
        check_thawed(self)
        self.module = None

    @property
    def __closure__(self):
        return None if self.frozen else self.closure

    @__closure__.setter
    def __closure__(self, value):
        raise AttributeError("readonly attribute")

    @__closure__.deleter
    def __closure__(self):
        raise AttributeError("readonly attribute")

    @property
    def __globals__(self):
        return visible_namespace(self.globals)

    @__globals__.setter
    def __globals__(self, value):
        raise AttributeError("readonly attribute")

    @__globals__.deleter
    def __globals__(self):
        raise AttributeError("readonly attribute")

    @property
    def __builtins__(self):
        return visible_namespace(self.builtins)

    @__builtins__.setter
    def __builtins__(self, value):
        raise AttributeError("readonly attribute")

    @__builtins__.deleter
    def __builtins__(self):
        raise AttributeError("readonly attribute")

    @property
    def __dict__(self):
        if self.attrs == NULL:
            self.attrs = PyDict_New()
        return dict(<object>self.attrs) if self.frozen else <object>self.attrs

    @__dict__.setter
    def __dict__(self, value):
        check_thawed(self)
        cdef PyObject *old = self.attrs
        if not isinstance(value, dict):
            raise TypeError(f"__dict__ must be set to a dictionary, not a '{type_name_of(value)}'")
        Py_INCREF(<PyObject *>value)
        self.attrs = <PyObject *>value
        Py_XDECREF(old)

    @__dict__.deleter
    def __dict__(self):
        raise TypeError("cannot delete __dict__")

    # The rest is there for its slot wrappers (f.__call__, f.__get__); the slots themselves are replaced.
    def __setattr__(self, name, value):
        pass

    def __delattr__(self, name):
        pass

    def __call__(self, *args, **kwargs):
        return call_by_vector(self, args, kwargs)

    def __get__(self, instance, owner):
        return take(k_function_get(<PyObject *>self, <PyObject *>instance, NULL))

    def __repr__(self):
        return f"<function {self.qualname} at {<size_t><PyObject *>self:#x}>"

    def __reduce__(self):
        # A string: copy and deepcopy keep the function itself, pickle looks it up by name, as for CPython's functions.
        return self.qualname


cdef object read_as_guest(o, name, missing):
    if hooks.get_attribute == NULL:
        return getattr(o, name, missing)
    try:
        return take(hooks.get_attribute(<PyObject *>o, <PyObject *>name))
    except AttributeError:
        return missing


cdef inline object take(PyObject *result):
    """An owned result as an object; re-raises what was set for NULL."""
    if result == NULL:
        raise_current()
    value = <object>result
    Py_DECREF(result)
    return value


cdef extern from *:
    """
    static int k_raise_current(void) { return -1; }
    """
    int raise_current "k_raise_current"() except -1


cdef int check_function_code(Code code) except -1:
    """Code of a module or class body cannot be a function: it runs with a namespace, not with registers."""
    if code.instrs == NULL:
        raise ValueError("an empty code object cannot become a function")
    if code.flags & CODE_CLASS or code.flags & (CODE_MODULE | CODE_COROUTINE) == CODE_MODULE:
        raise ValueError("code of a module or class body cannot become a function")
    return 0


cdef Function new_function(Code code, dict globals, object builtins, tuple closure):
    """A function without defaults; name, qualname and doc are the code's, the module is the namespace's.

    closure: tuple of Cell in the order of the code's free variables, or None.
    """
    cdef PyObject *module = PyDict_GetItemWithError(<PyObject *>globals, <PyObject *>s_name)
    return <Function>k_function_make(
        function_type, <PyObject *>hooks.call, <PyObject *>code, <PyObject *>globals, <PyObject *>builtins,
        <PyObject *>closure, <PyObject *>code.name, <PyObject *>code.qualname, <PyObject *>code.docstring,
        Py_None if module == NULL else module, new_version())


cdef object function_new(TypeSlots *cls, PyObject *args, PyObject *kwargs):
    """``function(code, globals, name=None, argdefs=None, closure=None)``, the constructor that the guest sees."""
    cdef tuple positional = <tuple>args
    if positional and isinstance(positional[0], Code):
        check_function_code(positional[0])
    cdef list values = named_arguments("function", CONSTRUCTOR_NAMES, len(CONSTRUCTOR_NAMES), 2, [None] * len(CONSTRUCTOR_NAMES),
                                       positional, <dict>kwargs if kwargs != NULL else {})
    if len(values) > 5 and not (values[5] is None or isinstance(values[5], dict)):
        raise TypeError("arg 6 (kwdefaults) must be None or dict")
    made = make_function(*values[:5])
    if len(values) > 5:
        made.__kwdefaults__ = values[5]
    return made


cdef list named_arguments(str called, tuple names, Py_ssize_t positional, Py_ssize_t required, list values, tuple args, dict keywords):
    """The arguments of a builtin function in the order of their names, with CPython's errors for wrong ones.

    positional: how many may be given without their name.  required: how many of the first must be given.  values: the defaults,
    which the arguments replace.
    """
    cdef Py_ssize_t n = len(args), given = len(args) + len(keywords), i
    if given > len(names):
        raise TypeError(f"{called}() takes at most {len(names)} {'' if n else 'keyword '}arguments ({given} given)")
    if n > positional:
        raise TypeError(f"{called}() takes at most {positional} positional arguments ({n} given)")
    values[:n] = args
    for i in range(n, len(names)):
        if names[i] in keywords:
            values[i] = keywords[names[i]]
        elif i < required:
            raise TypeError(f"{called}() missing required argument '{names[i]}' (pos {i + 1})")
    for name in keywords:
        if name not in names:
            raise TypeError(f"{called}() got an unexpected keyword argument '{name}'" if PY_VERSION_HEX >= 0x030D0000
                            else f"'{name}' is an invalid keyword argument for {called}()")
        if names.index(name) < n:
            raise TypeError(f"argument for {called}() given by name ('{name}') and position ({names.index(name) + 1})")
    return values


cdef tuple CONSTRUCTOR_NAMES = ("code", "globals", "name", "argdefs", "closure")
if PY_VERSION_HEX >= 0x030D0000:
    CONSTRUCTOR_NAMES += ("kwdefaults",)


def make_function(code, globals, name=None, argdefs=None, closure=None):
    """A function from code of a function, checked as CPython's constructor does.

    Returns the function. TypeError or ValueError when an argument does not fit the code.
    """
    cdef Function f
    cdef Py_ssize_t nclosure
    if not isinstance(code, Code):
        raise TypeError(f"function() argument 'code' must be code, not {type_name_of(code)}")
    if type(globals) is not dict:
        raise TypeError(f"function() argument 'globals' must be dict, not {type_name_of(globals)}")
    if name is not None and not isinstance(name, str):
        raise TypeError("arg 3 (name) must be None or string")
    if argdefs is not None and not isinstance(argdefs, tuple):
        raise TypeError("arg 4 (defaults) must be None or tuple")
    if closure is None:
        if (<Code>code).nfree:
            raise TypeError("arg 5 (closure) must be tuple")
    elif not isinstance(closure, tuple):
        raise TypeError("arg 5 (closure) must be None or tuple")
    nclosure = 0 if closure is None else len(closure)
    if nclosure != (<Code>code).nfree:
        raise ValueError(f"{(<Code>code).name} requires closure of length {(<Code>code).nfree}, not {nclosure}")
    for cell in closure or ():
        if type(cell) is not Cell:
            raise TypeError(f"arg 5 (closure) expected cell, found {type_name_of(cell)}")
    builtins = globals.get("__builtins__")
    if builtins is None and hooks.frame_builtins != NULL and hooks.frame_builtins(0) != NULL:
        builtins = <object>hooks.frame_builtins(0)
    f = new_function(code, globals, {} if builtins is None else builtins, closure if nclosure else None)
    if name is not None:
        f.name = name
    f.defaults = argdefs
    return f


cdef int function_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef PyObject *attrs = (<Function>o).attrs
    cdef int status
    if attrs != NULL:
        status = visit(attrs, arg)
        if status:
            return status
    return function_base_traverse(o, visit, arg)


cdef int function_clear(PyObject *o) noexcept:
    """Breaks the cycles that no other container on them can break; code, globals and closure stay callable."""
    cdef Function f = <Function>o
    cdef PyObject *attrs = f.attrs
    f.attrs = NULL
    Py_XDECREF(attrs)
    f.defaults = None
    f.kwdefaults = None
    f.annotations = None
    f.type_params = None
    f.module = None
    f.doc = None
    if type(f.name) is not str:
        f.name = "?"
    if type(f.qualname) is not str:
        f.qualname = "?"
    return 0


include "generator.pxi"
include "coroutine.pxi"
include "async_generator.pxi"
include "generator_frame.pxi"


cdef int guest_runs() noexcept:
    return hooks.frame_globals != NULL and hooks.frame_globals() != NULL


include "function_slots.pxi"

guest_is_running = guest_runs
patch_types()
check_fields()
