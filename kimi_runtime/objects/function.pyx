# cython: binding=False, wraparound=True, boundscheck=True
"""Guest functions, cells and generators, with the looks of CPython's own types.

The classes are Cython's static types; at import their slots get the things that Cython does not write itself: the
guest-visible type names, vectorcall, a descriptor slot without a wrapper, and garbage-collector hooks that know the
registers.  The interpreter core makes the instances and fills ``hooks``; nothing here runs guest code by other means.
"""
cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

from kimi_runtime.bytecode.code cimport (
    Code, guest_is_running, CODE_ASYNC_GENERATOR, CODE_COROUTINE, CODE_GENERATOR, CODE_MODULE, CODE_CLASS, ExcEntry)
from kimi_runtime.objects.slots cimport (
    PyAsyncMethods, TypeSlots, PyType_Modified, destructor, get_slots, newfunc, slot_offset, type_name_of,
    METHOD_DESCRIPTOR_FLAGS, GC_FLAG, DISALLOW_INSTANTIATION)
from kimi_runtime.vm.values cimport (
    Py_DECREF, Py_INCREF, Py_None, Py_TYPE, Py_XDECREF, Value, value_borrowed, value_clear, value_copy, value_object,
    T_OWNED, T_UNDEF)

import types

cdef extern from *:
    """
    typedef struct { PyObject_HEAD unsigned int tag, pad; PyObject *o; } k_raw_cell;
    #define K_OWNED 8u

    static int k_cell_traverse(PyObject *o, visitproc visit, void *arg) {
        k_raw_cell *c = (k_raw_cell *)o;
        if (c->tag & K_OWNED) { Py_VISIT(c->o); }
        return 0;
    }
    static int k_cell_clear(PyObject *o) {
        k_raw_cell *c = (k_raw_cell *)o;
        unsigned int tag = c->tag;
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

    /* Generators: what Cython wrote runs last; before it weak references go and a suspended body is closed. */
    static destructor k_generator_base_dealloc;
    static Py_ssize_t k_generator_weak_offset;
    static int (*k_generator_must_close)(PyObject *);
    static void k_generator_dealloc(PyObject *o) {
        if (*(PyObject **)((char *)o + k_generator_weak_offset)) { PyObject_ClearWeakRefs(o); }
        if (k_generator_must_close(o) && PyObject_CallFinalizerFromDealloc(o)) { return; }
        PyObject_GC_UnTrack(o);
        Py_TRASHCAN_BEGIN(o, k_generator_dealloc)
        k_generator_base_dealloc(o);
        Py_TRASHCAN_END
    }
    """
    ctypedef int (*visitproc)(PyObject *, void *) noexcept
    ctypedef int (*traverseproc)(PyObject *, visitproc, void *) noexcept
    int k_cell_traverse(PyObject *o, visitproc visit, void *arg) noexcept
    int k_cell_clear(PyObject *o) noexcept
    void k_cell_dealloc(PyObject *o) noexcept
    PyObject *k_function_get(PyObject *f, PyObject *obj, PyObject *type) noexcept
    destructor k_generator_base_dealloc
    Py_ssize_t k_generator_weak_offset
    int (*k_generator_must_close)(PyObject *) noexcept
    void k_generator_dealloc(PyObject *o) noexcept

cdef extern from "Python.h":
    int PY_VERSION_HEX
    PyObject *PyExc_StopIteration
    PyObject *PyExc_GeneratorExit
    PyObject *PyExc_ValueError
    PyObject *PyExc_TypeError
    PyObject *PyExc_DeprecationWarning
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    void PyErr_SetObject(PyObject *exc_type, PyObject *value) noexcept
    void PyErr_SetNone(PyObject *exc_type) noexcept
    void PyErr_SetString(PyObject *exc_type, const char *message) noexcept
    int PyErr_WarnEx(PyObject *category, const char *message, Py_ssize_t level) except -1
    void PyErr_WriteUnraisable(PyObject *where) noexcept
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

cdef newfunc allocate_function = NULL       # what Cython wrote as tp_new, without argument checks
cdef newfunc allocate_generator = NULL
cdef newfunc allocate_cell = NULL
cdef traverseproc function_base_traverse = NULL
cdef traverseproc generator_base_traverse = NULL
cdef uint32_t next_version = 1
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


cdef inline uint32_t new_version() noexcept:
    global next_version
    next_version += 1
    if next_version == 0:
        next_version = 1
    return next_version


# ---- cells -----------------------------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
cdef class Cell:
    """A variable that inner functions share."""

    def __init__(self, contents=None):
        pass    # the arguments were used by cell_new

    @property
    def cell_contents(self):
        cdef PyObject *o
        if self.value.tag == T_UNDEF:
            raise ValueError("Cell is empty")
        o = value_object(&self.value)
        if o == NULL:
            raise MemoryError
        result = <object>o
        Py_DECREF(o)
        return result

    @cell_contents.setter
    def cell_contents(self, value):
        cdef Value old = self.value
        value_borrowed(&self.value, <PyObject *>value)
        value_clear(&old)

    @cell_contents.deleter
    def cell_contents(self):
        value_clear(&self.value)

    def __richcmp__(self, other, int op):
        cdef Cell a, b
        cdef int left, right
        if type(self) is not Cell or type(other) is not Cell:
            return NotImplemented
        a = <Cell>self
        b = <Cell>other
        if a.value.tag != T_UNDEF and b.value.tag != T_UNDEF:
            return compare(a.cell_contents, b.cell_contents, op)
        left = a.value.tag != T_UNDEF
        right = b.value.tag != T_UNDEF
        return compare(left, right, op)

    __hash__ = None

    def __repr__(self):
        cdef size_t address = <size_t><PyObject *>self
        if self.value.tag == T_UNDEF:
            return f"<cell at {address:#x}: empty>"
        contents = self.cell_contents
        return (f"<cell at {address:#x}: {type_name_of(contents):.80s} object at "
                f"{<size_t><PyObject *>contents:#x}>")


cdef object compare(a, b, int op):
    if op == 0:
        return a < b
    if op == 1:
        return a <= b
    if op == 2:
        return a == b
    if op == 3:
        return a != b
    if op == 4:
        return a > b
    return a >= b


cdef Cell new_cell(const Value *content):
    cdef Cell cell = <Cell>allocate_cell(get_slots(Cell), empty_args, NULL)
    if content != NULL:
        value_copy(&cell.value, content)
    return cell


cdef object cell_new(TypeSlots *cls, PyObject *args, PyObject *kwargs):
    """``cell([contents])``, the constructor that the guest sees."""
    cdef Cell cell
    positional = <object>args
    if kwargs != NULL and <object>kwargs:
        raise TypeError("cell() takes no keyword arguments")
    if len(positional) > 1:
        raise TypeError(f"cell expected at most 1 argument, got {len(positional)}")
    cell = <Cell>allocate_cell(cls, empty_args, NULL)
    if positional:
        cell.cell_contents = positional[0]
    return cell


# ---- functions -------------------------------------------------------------------------------
@cython.final
@cython.freelist(64)
@cython.trashcan(True)
@cython.auto_pickle(False)
cdef class Function:
    """Create a function object."""

    def __init__(self, code, globals, name=None, argdefs=None, closure=None):
        pass    # the arguments were used by function_new

    def __dealloc__(self):
        Py_XDECREF(self.attrs)
        self.attrs = NULL

    @property
    def __code__(self):
        return self.code

    @__code__.setter
    def __code__(self, value):
        cdef Py_ssize_t nfree
        if not isinstance(value, Code):
            raise TypeError("__code__ must be set to a code object")
        nfree = 0 if self.closure is None else len(self.closure)
        if (<Code>value).nfree != nfree:
            raise ValueError(f"{self.name}() requires a code object with {nfree} free vars, not {(<Code>value).nfree}")
        check_function_code(<Code>value)
        self.version = new_version()
        self.code = value

    @__code__.deleter
    def __code__(self):
        raise TypeError("__code__ must be set to a code object")

    @property
    def __defaults__(self):
        return self.defaults

    @__defaults__.setter
    def __defaults__(self, value):
        if value is not None and not isinstance(value, tuple):
            raise TypeError("__defaults__ must be set to a tuple object")
        self.version = new_version()
        self.defaults = value

    @__defaults__.deleter
    def __defaults__(self):
        self.version = new_version()
        self.defaults = None

    @property
    def __kwdefaults__(self):
        return self.kwdefaults

    @__kwdefaults__.setter
    def __kwdefaults__(self, value):
        if value is not None and not isinstance(value, dict):
            raise TypeError("__kwdefaults__ must be set to a dict object")
        self.version = new_version()
        self.kwdefaults = None if value is None else (value if type(value) is dict else dict(value))

    @__kwdefaults__.deleter
    def __kwdefaults__(self):
        self.version = new_version()
        self.kwdefaults = None

    @property
    def __annotations__(self):
        if self.annotations is None:
            self.annotations = {}
        elif type(self.annotations) is tuple:
            pairs = self.annotations
            self.annotations = dict(zip(pairs[::2], pairs[1::2]))
        return self.annotations

    @__annotations__.setter
    def __annotations__(self, value):
        if value is not None and not isinstance(value, dict):
            raise TypeError("__annotations__ must be set to a dict object")
        self.annotations = value

    @__annotations__.deleter
    def __annotations__(self):
        self.annotations = None

    @property
    def __name__(self):
        return self.name

    @__name__.setter
    def __name__(self, value):
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
        self.doc = value

    @__doc__.deleter
    def __doc__(self):
        self.doc = None

    @property
    def __module__(self):
        return self.module

    @__module__.setter
    def __module__(self, value):
        self.module = value

    @__module__.deleter
    def __module__(self):
        self.module = None

    @property
    def __closure__(self):
        return self.closure

    @__closure__.setter
    def __closure__(self, value):
        raise AttributeError("readonly attribute")

    @__closure__.deleter
    def __closure__(self):
        raise AttributeError("readonly attribute")

    @property
    def __globals__(self):
        return self.globals

    @__globals__.setter
    def __globals__(self, value):
        raise AttributeError("readonly attribute")

    @__globals__.deleter
    def __globals__(self):
        raise AttributeError("readonly attribute")

    @property
    def __builtins__(self):
        return self.builtins

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
        return <object>self.attrs

    @__dict__.setter
    def __dict__(self, value):
        cdef PyObject *old = self.attrs
        if not isinstance(value, dict):
            raise TypeError(f"__dict__ must be set to a dictionary, not a '{type_name_of(value)}'")
        Py_INCREF(<PyObject *>value)
        self.attrs = <PyObject *>value
        Py_XDECREF(old)

    @__dict__.deleter
    def __dict__(self):
        raise TypeError("cannot delete __dict__")

    # The three below are there for their slot wrappers (f.__call__, f.__get__); the slots themselves are replaced.
    def __call__(self, *args, **kwargs):
        cdef PyObject *result = PyVectorcall_Call(<PyObject *>self, <PyObject *>args, <PyObject *>kwargs)
        return take(result)

    def __get__(self, instance, owner):
        return take(k_function_get(<PyObject *>self, <PyObject *>instance, NULL))

    def __repr__(self):
        return f"<function {self.qualname} at {<size_t><PyObject *>self:#x}>"

    def __reduce__(self):
        # A string: copy and deepcopy keep the function itself, pickle looks it up by name, as for CPython's functions.
        return self.qualname


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
    if code.flags & (CODE_MODULE | CODE_CLASS):
        raise ValueError("code of a module or class body cannot become a function")
    return 0


cdef Function new_function(Code code, dict globals, object builtins, tuple closure):
    """A function without defaults; name, qualname and doc are the code's, the module is the namespace's.

    closure: tuple of Cell in the order of the code's free variables, or None.
    """
    cdef PyObject *module
    cdef Function f = <Function>allocate_function(get_slots(Function), empty_args, NULL)
    f.vectorcall = <PyObject *>hooks.call
    f.code = code
    f.globals = globals
    f.builtins = builtins
    f.closure = closure
    f.name = code.name
    f.qualname = code.qualname
    f.doc = code.docstring
    f.version = new_version()
    module = PyDict_GetItemWithError(<PyObject *>globals, <PyObject *>s_name)
    if module != NULL:
        f.module = <object>module
    return f


cdef object function_new(TypeSlots *cls, PyObject *args, PyObject *kwargs):
    """``function(code, globals, name=None, argdefs=None, closure=None)``, the constructor that the guest sees."""
    positional = <object>args
    if positional and isinstance(positional[0], Code):
        check_function_code(positional[0])
    return make_function(*<object>args, **(<object>kwargs if kwargs != NULL else {}))


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
    if builtins is None and hooks.frame_builtins != NULL and hooks.frame_builtins() != NULL:
        builtins = <object>hooks.frame_builtins()
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


# ---- generators ------------------------------------------------------------------------------
cdef inline str kind_word(Generator gen):
    if gen.kind & CODE_COROUTINE:
        return "coroutine"
    if gen.kind & CODE_ASYNC_GENERATOR:
        return "async generator"
    return "generator"


@cython.final
@cython.freelist(32)
@cython.auto_pickle(False)
cdef class Generator:
    """A suspended or finished call of a generator function."""

    def __dealloc__(self):
        generator_finish(self)

    # For the slot wrappers; the slots themselves are replaced.
    def __iter__(self):
        return self

    def __next__(self):
        return generator_result(self, Py_None, NULL)

    @cython.always_allow_keywords(False)
    def send(self, value):
        """send(arg) -> send 'arg' into generator,
return next yielded value or raise StopIteration."""
        return generator_result(self, <PyObject *>value, NULL)

    def throw(self, *args):
        """throw(value)
throw(type[,value[,tb]])

Raise exception in generator, return next yielded value or raise
StopIteration.
the (type, val, tb) signature is deprecated,
and may be removed in a future version of Python."""
        global thrown_exception, thrown_arguments
        cdef PyObject *previous_exception = thrown_exception
        cdef PyObject *previous_arguments = thrown_arguments
        if not args:
            raise TypeError("throw expected at least 1 argument, got 0")
        if len(args) > 3:
            raise TypeError(f"throw expected at most 3 arguments, got {len(args)}")
        if len(args) > 1 and PY_VERSION_HEX >= 0x030C0000:
            PyErr_WarnEx(PyExc_DeprecationWarning,
                         b"the (type, exc, tb) signature of throw() is deprecated, "
                         b"use the single-arg signature instead.", 1)
        exc = exception_to_throw(args)
        thrown_exception = <PyObject *>exc
        thrown_arguments = <PyObject *>args
        try:
            return generator_result(self, NULL, <PyObject *>exc)
        finally:
            thrown_exception = previous_exception
            thrown_arguments = previous_arguments

    @cython.always_allow_keywords(False)
    def close(self):
        """close() -> raise GeneratorExit inside generator."""
        return generator_close(self)

    @property
    def gi_running(self):
        return self.state == GEN_RUNNING

    @property
    def gi_suspended(self):
        return self.state == GEN_SUSPENDED

    @property
    def gi_code(self):
        return self.code

    @property
    def gi_frame(self):
        if self.state == GEN_DONE:
            return None
        return GeneratorFrame(self)

    @property
    def gi_yieldfrom(self):
        if self.state != GEN_SUSPENDED or self.delegate == NULL:
            return None
        return <object>self.delegate

    @property
    def __name__(self):
        return self.name

    @__name__.setter
    def __name__(self, value):
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
        if not isinstance(value, str):
            raise TypeError("__qualname__ must be set to a string object")
        self.qualname = value

    @__qualname__.deleter
    def __qualname__(self):
        raise TypeError("__qualname__ must be set to a string object")

    def __repr__(self):
        return f"<{kind_word(self)} object {self.qualname} at {<size_t><PyObject *>self:#x}>"


cdef Generator new_generator(Function func):
    cdef Code code = func.code
    cdef Generator gen = <Generator>allocate_generator(get_slots(Generator), empty_args, NULL)
    gen.state = GEN_DONE                        # until it has registers
    gen.code = code
    gen.func = func
    gen.name = func.name
    gen.qualname = func.qualname
    gen.kind = <unsigned char>(code.flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR))
    gen.regs = <Value *>calloc(code.nregs + 1, sizeof(Value))
    if gen.regs == NULL:
        raise MemoryError
    gen.ip = &code.instrs[code.entry]
    gen.state = GEN_CREATED
    return gen


cdef void generator_finish(Generator gen) noexcept:
    cdef Value *regs = gen.regs
    cdef PyObject *handled = gen.exc_state.exc_value
    cdef uint32_t i, n
    gen.state = GEN_DONE
    gen.delegate = NULL
    gen.regs = NULL
    gen.exc_state.exc_value = NULL
    if regs != NULL:
        n = gen.code.nregs
        for i in range(n):
            value_clear(&regs[i])
        free(regs)
    Py_XDECREF(handled)


cdef PyObject *generator_resume(Generator gen, PyObject *value, PyObject *exc, PyObject **result) noexcept:
    """hooks.resume after the checks that every caller owes; the results are those of hooks.resume."""
    result[0] = NULL
    if gen.state == GEN_RUNNING:
        set_error(PyExc_ValueError, f"{kind_word(gen)} already executing")
        return NULL
    if gen.state == GEN_DONE:
        if exc != NULL:
            Py_INCREF(exc)
            k_restore_raised(exc)
        else:
            Py_INCREF(Py_None)
            result[0] = Py_None
        return NULL
    if gen.state == GEN_CREATED and exc == NULL and value != Py_None:
        set_error(PyExc_TypeError, f"can't send non-None value to a just-started {kind_word(gen)}")
        return NULL
    return hooks.resume(<PyObject *>gen, value, exc, result)


cdef int set_error(PyObject *exc_type, str message) noexcept:
    PyErr_SetObject(exc_type, <PyObject *>message)
    return -1


cdef object generator_result(Generator gen, PyObject *value, PyObject *exc):
    cdef PyObject *result = NULL
    cdef PyObject *item = generator_resume(gen, value, exc, &result)
    if item == NULL and result != NULL:
        set_stop_iteration(result)
        Py_DECREF(result)
    return take(item)


cdef void set_stop_iteration(PyObject *value) noexcept:
    cdef PyObject *exc
    if value == Py_None:
        PyErr_SetNone(PyExc_StopIteration)
    elif PyTuple_Check(value) or PyExceptionInstance_Check(value):
        # PyErr_SetObject would take these as the arguments or as the exception itself.
        exc = PyObject_CallOneArg(PyExc_StopIteration, value)
        if exc != NULL:
            PyErr_SetObject(PyExc_StopIteration, exc)
            Py_DECREF(exc)
    else:
        PyErr_SetObject(PyExc_StopIteration, value)


cdef object exception_to_throw(tuple args):
    """The exception instance that ``throw(*args)`` raises; TypeError as CPython's throw gives it."""
    raised = args[0]
    value = args[1] if len(args) > 1 else None
    traceback = args[2] if len(args) > 2 else None
    if traceback is not None and not isinstance(traceback, types.TracebackType):
        raise TypeError("throw() third argument must be a traceback object")
    if PyExceptionClass_Check(<PyObject *>raised):
        if isinstance(value, raised):
            exc = value
        elif value is None:
            exc = raised()
        elif isinstance(value, tuple):
            exc = raised(*value)
        else:
            exc = raised(value)
        if not isinstance(exc, BaseException):
            raise TypeError(f"calling {raised!r} should have returned an instance of BaseException, not {type(exc)!r}")
    elif PyExceptionInstance_Check(<PyObject *>raised):
        if value is not None:
            raise TypeError("instance exception may not have a separate value")
        exc = raised
    else:
        raise TypeError("exceptions must be classes or instances deriving from BaseException, not "
                        f"{type_name_of(raised)}")
    if traceback is not None:
        PyException_SetTraceback(exc, traceback)
    return exc


cdef int must_close(PyObject *o) noexcept:
    """Whether dropping a suspended generator has to run guest code: only inside a try, a with or a `yield from`."""
    # Also called on an object without references, so it must not make one: no variable of type Generator.
    cdef uint32_t i, pc
    cdef PyObject *code
    cdef const ExcEntry *entry
    if (<Generator>o).state != GEN_SUSPENDED:
        return 0
    if (<Generator>o).delegate != NULL:
        return 1
    code = <PyObject *>(<Generator>o).code
    pc = <uint32_t>((<Generator>o).ip - (<Code>code).instrs)
    for i in range((<Code>code).nexc):
        entry = &(<Code>code).exc_table[i]
        if entry.start <= pc <= entry.end:      # the instruction that yielded is pc or the one before
            return 1
    return 0


cdef object generator_close(Generator gen):
    cdef PyObject *result = NULL
    cdef PyObject *item
    if gen.state == GEN_CREATED or (gen.state == GEN_SUSPENDED and not must_close(<PyObject *>gen)):
        generator_finish(gen)
        return None
    if gen.state == GEN_DONE:
        return None
    exc = GeneratorExit()
    item = generator_resume(gen, NULL, <PyObject *>exc, &result)
    if item != NULL:
        Py_DECREF(item)
        raise RuntimeError(f"{kind_word(gen)} ignored GeneratorExit")
    if result != NULL:
        value = <object>result
        Py_DECREF(result)
        return value if PY_VERSION_HEX >= 0x030D0000 else None
    if PyErr_ExceptionMatches(PyExc_GeneratorExit) or PyErr_ExceptionMatches(PyExc_StopIteration):
        PyErr_Clear()
        return None
    raise_current()


# Functions that return an object, called from C: NULL stays NULL with the exception set. Always through a variable:
# gcc turns a direct call of a cast function into a trap.
ctypedef PyObject *(*raw1)(PyObject *) noexcept
cdef raw1 raw_generator_close = <raw1><void *>generator_close
cdef raw1 raw_close_other = <raw1><void *>close_other
cdef raw1 raw_find_throw = <raw1><void *>find_throw
cdef raw1 raw_stop_value = <raw1><void *>stop_value


cdef object close_other(iterator):
    cdef object close = getattr(iterator, s_close, None)
    if close is not None:
        close()
    return None


cdef int close_iterator(PyObject *iterator) noexcept:
    """Closes what a `yield from` delegates to: 0, or -1 with an exception set."""
    cdef PyObject *done
    if <PyObject *>Py_TYPE(iterator) == <PyObject *>Generator:
        if (<Generator>iterator).state == GEN_RUNNING:
            return set_error(PyExc_ValueError, f"{kind_word(<Generator>iterator)} already executing")
        done = raw_generator_close(iterator)
    else:
        done = raw_close_other(iterator)
    if done == NULL:
        return -1
    Py_DECREF(done)
    return 0


cdef object find_throw(iterator):
    return getattr(iterator, s_throw, None)


cdef PyObject *delegate_throw(PyObject *iterator, PyObject *exc, PyObject **result) noexcept:
    cdef PyObject *method
    cdef PyObject *item
    cdef PyObject *stop
    result[0] = NULL
    if PyErr_GivenExceptionMatches(exc, PyExc_GeneratorExit):
        if close_iterator(iterator) == 0:
            Py_INCREF(exc)
            k_restore_raised(exc)
        return NULL
    if <PyObject *>Py_TYPE(iterator) == <PyObject *>Generator:
        return generator_resume(<Generator>iterator, NULL, exc, result)
    method = raw_find_throw(iterator)
    if method == NULL:
        return NULL
    if method == Py_None:
        Py_DECREF(method)
        Py_INCREF(exc)
        k_restore_raised(exc)
        return NULL
    if thrown_exception == exc:
        item = PyObject_Call(method, thrown_arguments, NULL)
    else:
        item = PyObject_CallOneArg(method, exc)
    Py_DECREF(method)
    if item == NULL and PyErr_ExceptionMatches(PyExc_StopIteration):
        stop = k_take_raised()
        result[0] = raw_stop_value(stop)
        Py_DECREF(stop)
    return item


cdef object stop_value(stop):
    return stop.value


cdef PyObject *generator_self(PyObject *o) noexcept:
    Py_INCREF(o)
    return o


cdef PyObject *generator_iternext(PyObject *o) noexcept:
    cdef PyObject *result = NULL
    cdef PyObject *item = generator_resume(<Generator>o, Py_None, NULL, &result)
    if item == NULL and result != NULL:
        if result != Py_None:
            set_stop_iteration(result)
        Py_DECREF(result)
    return item


cdef PySendResult generator_am_send(PyObject *o, PyObject *value, PyObject **result) noexcept:
    cdef PyObject *item = generator_resume(<Generator>o, value, NULL, result)
    if item != NULL:
        result[0] = item
        return PYGEN_NEXT
    return PYGEN_RETURN if result[0] != NULL else PYGEN_ERROR


cdef void generator_finalize(PyObject *o) noexcept:
    """Runs the finally blocks of a suspended generator that nobody refers to any more."""
    cdef PyObject *raised
    cdef PyObject *done
    if not must_close(o):
        return
    raised = k_take_raised()
    done = raw_generator_close(o)
    if done == NULL:
        PyErr_WriteUnraisable(o)
    else:
        Py_DECREF(done)
    if raised != NULL:
        k_restore_raised(raised)


cdef int generator_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef uint32_t i
    cdef int status
    if (<Generator>o).exc_state.exc_value != NULL:
        status = visit((<Generator>o).exc_state.exc_value, arg)
        if status:
            return status
    # The registers of a running one are in use and may be stale; leaving them out only keeps their objects alive.
    if (<Generator>o).regs != NULL and (<Generator>o).state != GEN_RUNNING:
        for i in range((<Generator>o).code.nregs):
            if (<Generator>o).regs[i].tag & T_OWNED:
                status = visit((<Generator>o).regs[i].u.o, arg)
                if status:
                    return status
    return generator_base_traverse(o, visit, arg)


cdef int generator_clear(PyObject *o) noexcept:
    if (<Generator>o).state != GEN_RUNNING:
        generator_finish(<Generator>o)
    return 0


@cython.final
cdef class GeneratorFrame:
    """What ``gi_frame`` shows of a generator: enough for inspect and debuggers, and no way to other frames."""
    cdef Generator generator

    def __cinit__(self, generator=None):
        if not isinstance(generator, Generator):
            raise TypeError("cannot create 'frame' instances")
        self.generator = generator

    @property
    def f_code(self):
        return self.generator.code

    @property
    def f_back(self):
        return None

    @property
    def f_globals(self):
        return None if self.generator.func is None else self.generator.func.globals

    @property
    def f_lasti(self):
        if self.generator.state == GEN_CREATED:
            return -1
        return 2 * generator_pc(self.generator)

    @property
    def f_lineno(self):
        if self.generator.state == GEN_CREATED:
            return self.generator.code.firstlineno
        return self.generator.code.positions[generator_pc(self.generator)].line

    @property
    def f_locals(self):
        cdef Generator gen = self.generator
        cdef dict found = {}
        cdef Py_ssize_t i
        cdef Value *value
        cdef PyObject *o
        if gen.regs == NULL or gen.state == GEN_RUNNING:
            return found
        for i, name in enumerate(gen.code.local_names):
            value = &gen.regs[i]
            if not name or name.startswith(".") or value.tag == T_UNDEF:
                continue
            o = value_object(value)
            item = take(o)
            if type(item) is Cell and i in gen.code.cell_regs:
                if (<Cell>item).value.tag == T_UNDEF:
                    continue
                item = (<Cell>item).cell_contents
            found[name] = item
        if gen.func is not None and gen.func.closure is not None:
            for name, cell in zip(gen.code.free_names, gen.func.closure):
                if (<Cell>cell).value.tag != T_UNDEF:
                    found[name] = (<Cell>cell).cell_contents
        return found


cdef uint32_t generator_pc(Generator gen) noexcept:
    cdef uint32_t pc = <uint32_t>(gen.ip - gen.code.instrs)
    if gen.delegate == NULL and pc > 0 and gen.state == GEN_SUSPENDED:
        return pc - 1
    return pc


cdef int guest_runs() noexcept:
    return hooks.frame_globals != NULL and hooks.frame_globals() != NULL


# ---- the slots -------------------------------------------------------------------------------
cdef PyAsyncMethods generator_async
generator_async.am_await = NULL
generator_async.am_aiter = NULL
generator_async.am_anext = NULL
generator_async.am_send = <void *>generator_am_send


cdef int patch_types() except -1:
    global allocate_cell, allocate_function, allocate_generator, function_base_traverse, generator_base_traverse
    global k_generator_base_dealloc, k_generator_weak_offset, k_generator_must_close
    cdef TypeSlots *slots
    cdef Function f
    cdef Generator g

    slots = get_slots(Cell)
    allocate_cell = <newfunc>slots.tp_new
    slots.tp_name = b"cell"
    slots.tp_flags |= GC_FLAG
    slots.tp_traverse = <void *>k_cell_traverse
    slots.tp_clear = <void *>k_cell_clear
    slots.tp_dealloc = k_cell_dealloc
    slots.tp_free = <void *>PyObject_GC_Del
    slots.tp_new = <void *>cell_new
    slots.tp_vectorcall = NULL
    PyType_Modified(slots)

    slots = get_slots(Function)
    allocate_function = <newfunc>slots.tp_new
    function_base_traverse = <traverseproc>slots.tp_traverse
    f = <Function>allocate_function(get_slots(Function), empty_args, NULL)
    slots.tp_name = b"function"
    slots.tp_flags |= METHOD_DESCRIPTOR_FLAGS
    slots.tp_vectorcall_offset = slot_offset(f, &f.vectorcall)
    slots.tp_dictoffset = slot_offset(f, &f.attrs)
    slots.tp_call = <void *>PyVectorcall_Call
    slots.tp_descr_get = <void *>k_function_get
    slots.tp_traverse = <void *>function_traverse
    slots.tp_clear = <void *>function_clear
    slots.tp_new = <void *>function_new
    slots.tp_vectorcall = NULL
    PyType_Modified(slots)

    slots = get_slots(Generator)
    allocate_generator = <newfunc>slots.tp_new
    generator_base_traverse = <traverseproc>slots.tp_traverse
    k_generator_base_dealloc = slots.tp_dealloc
    k_generator_weak_offset = slots.tp_weaklistoffset
    k_generator_must_close = must_close
    slots.tp_name = b"generator"
    slots.tp_flags |= DISALLOW_INSTANTIATION
    slots.tp_iter = <void *>generator_self
    slots.tp_iternext = <void *>generator_iternext
    slots.tp_finalize = <void *>generator_finalize
    slots.tp_traverse = <void *>generator_traverse
    slots.tp_clear = <void *>generator_clear
    slots.tp_dealloc = k_generator_dealloc
    slots.tp_as_async = &generator_async
    slots.tp_new = NULL
    slots.tp_vectorcall = NULL
    # The wrapper in the type's dictionary would call the slot that is gone.
    del (<object>slots.tp_dict)["__new__"]
    PyType_Modified(slots)

    slots = get_slots(GeneratorFrame)
    slots.tp_name = b"frame"
    PyType_Modified(slots)
    return 0


guest_is_running = guest_runs
patch_types()
