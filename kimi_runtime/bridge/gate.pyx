# cython: binding=False, wraparound=True, boundscheck=True
"""The gate between a guest and the attributes of host objects.

Reading an attribute is free except for the few names below, all of them ways from an innocent object to the host: the
module behind a builtin function, the namespace of a Python function, frames, and the list of all classes.  For those
the object decides: what the guest made itself is its own.  The same function serves attribute instructions, ``getattr``,
``hasattr``, ``vars``, ``dir`` and the fields of ``str.format``.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport (
    ContextFunction, RunContext, context_of, current_context, current_serial, library_serial, new_context_function)
from kimi_runtime.objects.function cimport Function, hooks, visible_namespace
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots, type_name_of

import _string
import builtins as host_builtins
import copyreg
import sys
import types

from kimi_runtime.bridge.host_functions import as_function
from kimi_runtime.bridge.large_numbers import pow as guarded_pow
from kimi_runtime.objects.builtins import use_gate
from kimi_runtime.objects.class_builder import serial_of_class
from kimi_runtime.objects.imports import library_module
from kimi_runtime.objects.tracebacks import code_of_frame, is_guest_frame, method_type

cdef extern from "Python.h":
    int PyDict_Contains(object d, object key) except -1
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    PyObject *PyDict_GetItemRaw "PyDict_GetItemWithError"(PyObject *d, PyObject *key) noexcept
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept
    PyObject *PyObject_Vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf) noexcept
    unsigned long HEAP_TYPE "Py_TPFLAGS_HEAPTYPE"
    unsigned long TYPE_SUBCLASS "Py_TPFLAGS_TYPE_SUBCLASS"
    bint PyUnicode_Check(PyObject *o) noexcept
    bint PyUnicode_CheckExact(PyObject *o) noexcept
    PyObject *PyUnicode_FromObject(PyObject *o) noexcept
    Py_ssize_t PY_SSIZE_T_MAX
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 c, Py_ssize_t start, Py_ssize_t end, int direction)
    int PyErr_ExceptionMatches(PyObject *wanted) noexcept
    void PyErr_Clear() noexcept
    PyObject *PyExc_AttributeError

from kimi_runtime.vm.values cimport Py_DECREF, Py_False, Py_INCREF, Py_TYPE, Py_True

cdef extern from *:
    """
    /* 1 and a new reference, 0 when there is no such attribute, -1 with an exception; *found is NULL unless 1. */
    static int k_lookup_attr(PyObject *o, PyObject *name, PyObject **found) {
    #if PY_VERSION_HEX >= 0x030D0000
        return PyObject_GetOptionalAttr(o, name, found);
    #else
        return _PyObject_LookupAttr(o, name, found);
    #endif
    }
    static unsigned long k_flags_of(PyObject *type) { return ((PyTypeObject *)type)->tp_flags; }
    static int k_gate_failed(void) { return -1; }

    /* str.format and str.format_map with a check of the template in front. */
    static PyCFunction k_format, k_format_map;
    static int (*k_check_template)(PyObject *template);
    static PyObject *k_checked_format(PyObject *self, PyObject *args, PyObject *kwargs) {
        if (k_check_template(self) < 0) { return NULL; }
        return ((PyCFunctionWithKeywords)(void (*)(void))k_format)(self, args, kwargs);
    }
    static PyObject *k_checked_format_map(PyObject *self, PyObject *mapping) {
        if (k_check_template(self) < 0) { return NULL; }
        return k_format_map(self, mapping);
    }
    static int k_guard_format(PyObject *format, PyObject *format_map, int (*check)(PyObject *)) {
        PyMethodDef *one, *other;
        if (Py_TYPE(format) != &PyMethodDescr_Type || Py_TYPE(format_map) != &PyMethodDescr_Type) { return -1; }
        one = ((PyMethodDescrObject *)format)->d_method;
        other = ((PyMethodDescrObject *)format_map)->d_method;
        if (one->ml_flags != (METH_VARARGS | METH_KEYWORDS) || other->ml_flags != METH_O) { return -1; }
        if (one->ml_meth == (PyCFunction)(void (*)(void))k_checked_format) { return 0; }
        k_check_template = check;
        k_format = one->ml_meth;
        k_format_map = other->ml_meth;
        one->ml_meth = (PyCFunction)(void (*)(void))k_checked_format;
        other->ml_meth = k_checked_format_map;
        return 0;
    }
    """
    unsigned long k_flags_of(PyObject *type) noexcept
    int raise_pending "k_gate_failed"() except -1
    int k_guard_format(object format, object format_map, int (*check)(PyObject *) noexcept) noexcept
    int k_lookup_attr(PyObject *o, PyObject *name, PyObject **found) noexcept


cdef frozenset NAMES_OF_FUNCTIONS = frozenset(["__globals__", "__builtins__", "__code__", "__closure__"])
cdef frozenset NAMES_OF_FRAMES = frozenset([
    "f_back", "f_builtins", "f_code", "f_globals", "f_locals", "f_trace", "f_trace_lines", "f_trace_opcodes", "clear"])
cdef frozenset NAMES_OF_GENERATORS = frozenset([
    "gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_code", "cr_await", "cr_origin", "ag_frame", "ag_code",
    "ag_await"])
cdef frozenset NAMES_OF_MODULES = frozenset(["__loader__", "__spec__", "__builtins__"])
cdef set FRAME_TYPES = {types.FrameType}
cdef set GENERATOR_TYPES = {types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType}
cdef set FUNCTION_TYPES = {types.FunctionType, types.LambdaType, method_type()}
cdef set DESCRIPTOR_TYPES = {types.GetSetDescriptorType, types.MemberDescriptorType, types.MethodDescriptorType,
                             types.WrapperDescriptorType, types.ClassMethodDescriptorType}
# Types of the host whose descriptors would go round the gate.
cdef set GUARDED_TYPES = (FRAME_TYPES | GENERATOR_TYPES | FUNCTION_TYPES
                          | {types.BuiltinFunctionType, types.CodeType, types.ModuleType, types.TracebackType, type})

# name -> the types (and their subclasses, for type and module) that it is watched on; None: on every type.
cdef dict WATCHED = {}


cdef int watch(names, set on) except -1:
    for name in names:
        WATCHED[sys.intern(name)] = (WATCHED.get(name) or set()) | on
    return 0


watch(NAMES_OF_FUNCTIONS, FUNCTION_TYPES | {types.MethodType})
watch(NAMES_OF_FRAMES, FRAME_TYPES)
watch(NAMES_OF_GENERATORS, GENERATOR_TYPES)
watch(NAMES_OF_MODULES, {types.ModuleType})
watch(["tb_frame"], {types.TracebackType})
watch(["__self__"], {types.BuiltinFunctionType, type([].__len__)})
watch(["__subclasses__", "__dict__", "mro"], {type})
watch(["__get__", "__call__"], DESCRIPTOR_TYPES)
watch(["replace", "co_consts"], {types.CodeType})
# The descriptors of guarded types, read from the class: any native that calls `__get__` would go round the gate with them.
cdef frozenset NAMES_OF_DESCRIPTORS = (NAMES_OF_FUNCTIONS | NAMES_OF_FRAMES - {"clear"} | NAMES_OF_GENERATORS
                                       | {"tb_frame", "__self__", "co_consts"})
watch(NAMES_OF_DESCRIPTORS, {type})
cdef set DATA_DESCRIPTORS = {types.GetSetDescriptorType, types.MemberDescriptorType}
cdef str s_getattribute = sys.intern("__getattribute__")
for each in (s_getattribute, "__reduce__", "__reduce_ex__"):
    WATCHED[sys.intern(each)] = None


# Left out of the dictionaries of guarded types. Calling a function or class by `__call__` is no way round the gate.
cdef frozenset HIDDEN = frozenset(WATCHED) - {"__call__", "__get__", "__reduce__", "__reduce_ex__"} | {"__class__"}


cdef bint watched(object cls, object name) except -1:
    cdef PyObject *found = PyDict_GetItemWithError(WATCHED, name)
    if found == NULL:
        return False
    if <object>found is None:
        return True
    if get_slots(cls).tp_flags & TYPE_SUBCLASS:
        return type in <set>found
    return cls in <set>found or (types.ModuleType in <set>found and issubclass(cls, types.ModuleType))


ctypedef int (*raw_watched)(PyObject *, PyObject *) noexcept
cdef raw_watched try_watched = <raw_watched><void *>watched


cdef bint gate_watches(PyObject *o_type, PyObject *name) noexcept:
    if PyDict_GetItemRaw(<PyObject *>WATCHED, name) == NULL:
        return 0
    return try_watched(o_type, name) != 0


cdef object missing(o, name):
    raise AttributeError(f"'{type_name_of(o)}' object has no attribute '{name}'")


cdef object load(o, name):
    """``o.name`` as the guest may see it."""
    cls = type(o)
    if not watched(cls, name):
        return getattr(o, name)
    if name == "__getattribute__":
        return guarded_getattribute(o)
    if name == "__reduce_ex__" or name == "__reduce__":
        return guarded_reduce(o, name)
    if isinstance(o, type):
        if name == "__subclasses__":
            found = getattr(o, name)
            if type(found) is types.BuiltinMethodType and found.__self__ is o:
                return new_bound_function("__subclasses__", o, <void *>subclasses_vectorcall)
            if type(found) is types.MethodDescriptorType:
                return new_bound_function("__subclasses__", None, <void *>unbound_subclasses)
            return found                # the guest's own
        if name == "__dict__":
            return class_dict(o)
        found = getattr(o, name)
        if type(found) in DATA_DESCRIPTORS and found.__objclass__ in GUARDED_TYPES and name in NAMES_OF_DESCRIPTORS:
            raise AttributeError(f"type object '{o.__name__}' has no attribute '{name}'")
        return found
    if cls in FUNCTION_TYPES:
        return missing(o, name)
    if cls is types.MethodType:
        if type(o.__func__) is Function:
            return getattr(o, name)
        return missing(o, name)
    if cls in FRAME_TYPES:
        if not is_guest_frame(o):
            return missing(o, name)
        if name == "f_code":
            code = code_of_frame(o)
            # Another than ours when that is gone, or has another name (a comprehension compiled inline).
            return code if code is not None and code.co_name == o.f_code.co_name else ShownCode(o)
        if name == "f_back":
            return None
        if name in ("f_globals", "f_locals", "f_builtins"):
            return visible_namespace(getattr(o, name))
        return missing(o, name)
    if cls is types.TracebackType:
        return o.tb_frame if is_guest_frame(o.tb_frame) else missing(o, name)
    if cls in GENERATOR_TYPES or cls is types.CodeType:
        return missing(o, name)
    if name == "__self__":
        found = o.__self__
        if isinstance(found, RunContext):
            return missing(o, name)
        # For a function of a module an empty one of that name: inspect.signature wants to know that it is one.
        return types.ModuleType(found.__name__) if isinstance(found, types.ModuleType) else found
    if cls in DESCRIPTOR_TYPES:
        if o is class_dict_descriptor and name == "__get__":
            return new_bound_function("__get__", o, <void *>class_dict_vectorcall)
        if o.__objclass__ in GUARDED_TYPES and not (o.__objclass__ is type and o.__name__ in OPEN_OF_CLASSES):
            return missing(o, name)
        return getattr(o, name)
    found = getattr(o, name)            # a module: its own name if the guest set it, not the import system's
    if found is None or type(found).__module__ == "kimi_runtime.objects.imports" or isinstance(found, dict):
        return found
    return missing(o, name)


ctypedef PyObject *(*raw_load)(PyObject *, PyObject *) noexcept
gate_load = <raw_load><void *>load


@cython.final
@cython.auto_pickle(False)
cdef class ShownCode:
    """What a guest sees of the code object of a frame in a traceback, which is one of the host's."""
    cdef object code

    def __cinit__(self, frame):
        if not is_guest_frame(frame):
            raise TypeError("cannot create 'code' instances")
        self.code = frame.f_code

    @property
    def co_name(self):
        return self.code.co_name

    @property
    def co_qualname(self):
        return self.code.co_qualname

    @property
    def co_filename(self):
        return self.code.co_filename

    @property
    def co_firstlineno(self):
        return self.code.co_firstlineno

    @property
    def co_flags(self):
        return self.code.co_flags

    @property
    def co_argcount(self):
        return 0

    @property
    def co_varnames(self):
        return ()

    @property
    def co_code(self):
        return b""

    def co_positions(self):
        return iter(list(self.code.co_positions()))

    def co_lines(self):
        return iter(list(self.code.co_lines()))

    def __repr__(self):
        return (f'<code object {self.code.co_name} at {<size_t><PyObject *>self:#x}, file "{self.code.co_filename}", '
                f"line {self.code.co_firstlineno}>")


get_slots(ShownCode).tp_name = b"code"
PyType_Modified(get_slots(ShownCode))


# ---- functions that stand for what is kept back ----------------------------------------------
cdef ContextFunction new_bound_function(str name, self, void *vectorcall):
    cdef ContextFunction f = new_context_function(None, name, None, vectorcall)
    f.bound = self
    return f


cdef bint is_guest_class(cls, size_t serial):
    """Whether a class was made by the guest of a context: by a class statement, or with functions that it made."""
    made_by = serial_of_class(cls)
    if made_by is not None:
        return made_by == serial
    for value in type.__getattribute__(cls, "__dict__").values():
        function = getattr(value, "__func__", value)
        if type(function) is Function:
            return function_serial(<Function>function) == serial
    return False


cdef size_t function_serial(Function function):
    """Serial number of the context that a function's builtins belong to."""
    cdef RunContext context = context_of(function.builtins)
    return 0 if context is None else context.serial


cdef list guest_subclasses(cls):
    """``type.__subclasses__`` without classes of the host and of other guests."""
    serial = current_serial()
    if is_guest_class(cls, serial):         # nobody else derives from it, and what type() makes may show no sign of who did
        return type.__subclasses__(cls)
    shared = library_serial()
    if serial_of_class(cls) != shared:
        shared = serial
    return [each for each in type.__subclasses__(cls)
            if is_guest_class(each, serial) or serial_of_class(each) == shared]


cdef object subclasses_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    if PyVectorcall_NARGS(nargsf) or kwnames != NULL:
        raise TypeError(f"{(<ContextFunction>callable).bound.__qualname__}.__subclasses__() takes no arguments "
                        f"({PyVectorcall_NARGS(nargsf)} given)")
    return guest_subclasses((<ContextFunction>callable).bound)


cdef object unbound_subclasses(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if not n:
        raise TypeError("unbound method type.__subclasses__() needs an argument")
    if not isinstance(<object>args[0], type):
        raise TypeError(f"descriptor '__subclasses__' for 'type' objects doesn't apply to a "
                        f"'{type_name_of(<object>args[0])}' object")
    if n > 1 or kwnames != NULL:
        raise TypeError(f"type.__subclasses__() takes no arguments ({n - 1} given)")
    return guest_subclasses(<object>args[0])


# Descriptors of type that tell nothing about other classes; inspect.getattr_static reads through them.
cdef frozenset OPEN_OF_CLASSES = frozenset(("__mro__", "__name__", "__qualname__", "__bases__", "__base__", "__module__"))


cdef object class_dict_descriptor = type.__dict__["__dict__"]


cdef object class_dict_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``type.__dict__["__dict__"].__get__`` of a guest."""
    if not 1 <= PyVectorcall_NARGS(nargsf) <= 2 or kwnames != NULL:
        raise TypeError(f"__get__ expected 1 or 2 arguments, got {PyVectorcall_NARGS(nargsf)}")
    if not isinstance(<object>args[0], type):
        raise TypeError(f"descriptor '__dict__' for 'type' objects doesn't apply to a "
                        f"'{type_name_of(<object>args[0])}' object")
    return class_dict(<object>args[0])


cdef object class_dict(cls):
    """``cls.__dict__`` without the descriptors that go round the gate."""
    found = type.__getattribute__(cls, "__dict__")
    if cls in GUARDED_TYPES or cls is object:
        found = {name: value for name, value in found.items() if name not in HIDDEN}
        if cls is type:
            found["__dict__"] = class_dict_descriptor
        return types.MappingProxyType(found)
    return found


cdef object guarded_getattribute(o):
    """``__getattribute__`` of an object or class, with the gate in front of the host's own."""
    found = getattr(o, "__getattribute__")
    if type(found) is types.WrapperDescriptorType:
        return new_bound_function("__getattribute__", found, <void *>unbound_getattribute)
    if type(found) is types.MethodWrapperType:
        return new_bound_function("__getattribute__", found, <void *>bound_getattribute)
    return found


cdef object unbound_getattribute(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and type(<object>args[1]) is str \
            and watched(type(<object>args[0]), <object>args[1]):
        return load(<object>args[0], <object>args[1])
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object bound_getattribute(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    if PyVectorcall_NARGS(nargsf) == 1 and kwnames == NULL and type(<object>args[0]) is str:
        # The wrapper's object is what super() or an instance bound; a super object keeps its own look-up.
        if watched(type(original.__self__), <object>args[0]):
            return load(original.__self__, <object>args[0])
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object forward(PyObject *function, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef PyObject *result = PyObject_Vectorcall(function, args, nargsf, kwnames)
    if result == NULL:
        raise_pending()
    value = <object>result
    Py_DECREF(result)
    return value


# ---- reduction -------------------------------------------------------------------------------
# What object.__reduce_ex__ refers to are Python functions of the host; the guest gets those of its own copyreg.
cdef dict HOST_MAKERS = {copyreg.__newobj__: "__newobj__", copyreg.__newobj_ex__: "__newobj_ex__",
                         copyreg._reconstructor: "_reconstructor"}


cdef object guarded_reduce(o, name):
    """``__reduce__`` or ``__reduce_ex__`` of an object or class."""
    found = getattr(o, name)
    if type(found) is types.MethodDescriptorType:
        return REPLACEMENTS.get(found, found)
    if type(found) is types.BuiltinMethodType:
        return new_bound_function(name, found, <void *>reduce_vectorcall)
    return found


cdef object reduce_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef object result = forward(<PyObject *>(<ContextFunction>callable).bound, args, nargsf, kwnames)
    cdef RunContext context
    if type(result) is tuple and result and type(result[0]) is types.FunctionType and result[0] in HOST_MAKERS:
        context = current_context()
        if context is not None:
            maker = getattr(library_module(context, "copyreg"), HOST_MAKERS[result[0]])
            return (maker, *result[1:])
    return result


# ---- methods of built-in types ---------------------------------------------------------------
cdef int check_fields(str template) except -1:
    """AttributeError when a format string reads an attribute that is watched on any type."""
    for _, field, spec, _ in _string.formatter_parser(template):
        if field:
            _, rest = _string.formatter_field_name_split(field)
            for is_attribute, name in rest:
                if is_attribute and name in WATCHED:
                    raise AttributeError(f"a format string may not read the attribute '{name}'")
        if spec:
            check_fields(spec)
    return 0


cdef set checked = set()                # format strings that passed
cdef enum:
    MAX_CHECKED = 1000


cdef int check_template(PyObject *template) except -1:
    """AttributeError when a guest runs and a format string reads a watched attribute."""
    if hooks.frame_builtins == NULL or hooks.frame_builtins(0) == NULL:
        return 0
    # All watched names that say anything have an underscore.
    if PyUnicode_FindChar(<object>template, 95, 0, PY_SSIZE_T_MAX, 1) < 0:
        return 0
    # As an exact string: a subclass of the guest's may say another text, or that it equals one that passed.
    text = str.__str__(<object>template)
    if text in checked:
        return 0
    try:
        check_fields(text)
    except ValueError:
        return 0                        # not a format string: the method itself says what is wrong
    if len(checked) >= MAX_CHECKED:
        checked.clear()
    checked.add(text)
    return 0


ctypedef int (*raw_check)(PyObject *) noexcept
# Every path to these two methods must meet the check: the dictionary of str, getattr, map, partial.
if k_guard_format(str.__dict__["format"], str.__dict__["format_map"], <raw_check><void *>check_template) < 0:
    raise ImportError("this Python's str.format is not a function that can be guarded")


cdef object split_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``split`` and ``subgroup`` of exception groups, which before 3.13 take Python functions of the host only."""
    original = (<ContextFunction>callable).bound
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and type(<object>args[1]) is Function:
        return original(<object>args[0], as_function(<object>args[1]))
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef dict REPLACEMENTS = {
    object.__reduce__: new_bound_function("__reduce__", object.__reduce__, <void *>reduce_vectorcall),
    object.__reduce_ex__: new_bound_function("__reduce_ex__", object.__reduce_ex__, <void *>reduce_vectorcall),
}
if sys.version_info < (3, 13):
    REPLACEMENTS[BaseExceptionGroup.split] = new_bound_function(
        "split", BaseExceptionGroup.split, <void *>split_vectorcall)
    REPLACEMENTS[BaseExceptionGroup.subgroup] = new_bound_function(
        "subgroup", BaseExceptionGroup.subgroup, <void *>split_vectorcall)

cdef object MethodDescriptor = types.MethodDescriptorType


cdef object find_replacement(descriptor):
    return REPLACEMENTS.get(descriptor)


ctypedef PyObject *(*raw_find)(PyObject *) noexcept


cdef PyObject *gate_replacement(PyObject *descriptor) noexcept:
    cdef PyObject *found
    if type(<object>descriptor) is not MethodDescriptor:
        return NULL
    try:
        found = PyDict_GetItemWithError(REPLACEMENTS, <object>descriptor)
    except BaseException:               # no memory for a look-up: then the method itself
        return NULL
    return found


# ---- builtins --------------------------------------------------------------------------------
cdef object MISSING = object()


cdef object host_getattr = host_builtins.getattr
cdef object host_hasattr = host_builtins.hasattr


cdef PyObject *getattr_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef PyObject *found
    if 2 <= n <= 3 and kwnames == NULL and PyUnicode_CheckExact(args[1]):
        if gate_watches(<PyObject *>Py_TYPE(args[0]), args[1]):
            found = gate_load(args[0], args[1])
            if found != NULL or n == 2 or not PyErr_ExceptionMatches(PyExc_AttributeError):
                return found
            PyErr_Clear()
        elif n == 2:
            return PyObject_GetAttr(args[0], args[1])
        elif k_lookup_attr(args[0], args[1], &found) != 0:
            return found                # also NULL: another exception than AttributeError
        Py_INCREF(args[2])
        return args[2]
    return forward_raw(<PyObject *>host_getattr, args, nargsf, kwnames)


cdef PyObject *hasattr_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    cdef PyObject *found
    cdef PyObject *copy[2]
    cdef PyObject *name
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and PyUnicode_Check(args[1]) \
            and not PyUnicode_CheckExact(args[1]):
        name = PyUnicode_FromObject(args[1])
        if name == NULL:
            return NULL
        copy[0] = args[0]
        copy[1] = name
        found = hasattr_vectorcall(callable, copy, 2, NULL)
        Py_DECREF(name)
        return found
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and PyUnicode_CheckExact(args[1]) \
            and gate_watches(<PyObject *>Py_TYPE(args[0]), args[1]):
        found = gate_load(args[0], args[1])
        if found == NULL:
            if not PyErr_ExceptionMatches(PyExc_AttributeError):
                return NULL
            PyErr_Clear()
            Py_INCREF(Py_False)
            return Py_False
        Py_DECREF(found)
        Py_INCREF(Py_True)
        return Py_True
    return PyObject_Vectorcall(<PyObject *>host_hasattr, args, nargsf, kwnames)


cdef PyObject *forward_raw(PyObject *function, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    """For names that are str subclasses: as exact strings, so that the gate and the look-up see the same name."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef PyObject *copy[3]
    cdef PyObject *name
    cdef PyObject *result
    cdef Py_ssize_t i
    if not (2 <= n <= 3 and kwnames == NULL and PyUnicode_Check(args[1])):
        return PyObject_Vectorcall(function, args, nargsf, kwnames)
    name = PyUnicode_FromObject(args[1])
    if name == NULL:
        return NULL
    for i in range(n):
        copy[i] = args[i]
    copy[1] = name
    result = getattr_vectorcall(NULL, copy, n, NULL)
    Py_DECREF(name)
    return result


cdef object gated_getattr = new_context_function(None, "getattr", host_getattr.__doc__, <void *>getattr_vectorcall)
cdef object gated_hasattr = new_context_function(None, "hasattr", host_hasattr.__doc__, <void *>hasattr_vectorcall)


def vars_of(o):
    """``vars(o)`` for a guest."""
    if isinstance(o, type):
        return class_dict(o)
    return host_builtins.vars(o)


use_gate({"getattr": gated_getattr, "hasattr": gated_hasattr, "pow": guarded_pow}, vars_of)


def watches(cls, name):
    """Whether the gate watches a name on a type; for tests."""
    return watched(cls, name)


def load_for_test(o, name):
    """What a guest gets for ``o.name``; for tests."""
    return load(o, name)
