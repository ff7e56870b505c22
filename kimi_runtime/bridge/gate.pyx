# cython: binding=False, wraparound=True, boundscheck=True
"""The gate between a guest and the attributes of objects that it did not make.

Default deny: what a type may show is listed in ``bridge/exposure.py``; a name that the type which defines it does not list
does not exist, and a type in no table shows nothing.  Classes that guest code makes (library code that runs as guest code
too) carry a mark in their flags and are free.  A few names mean something else for a guest than for the host, whatever
the tables say (``WATCHED``): they are answered here.

One question serves attribute instructions, ``getattr``, ``hasattr``, ``setattr``, ``delattr``, ``vars``, ``dir``, super(),
attrgetter and methodcaller, class patterns, ``from x import y`` and the fields of ``str.format``.  It is cheap: a
type that was looked at once carries the answer in its flags, and then only names that some type withholds need a look.
"""
cimport cython
from cpython.ref cimport PyObject
from cpython.weakref cimport PyWeakref_NewRef

from kimi_runtime.bridge.late_calls cimport given_callback
from kimi_runtime.bytecode.code cimport Code
from kimi_runtime.objects.context cimport (
    ContextFunction, RunContext, by_library, context_of, current_context, current_serial, is_of_shared_library, library_serial, new_context_function)
from kimi_runtime.memory.heap cimport KHeap, leave_heap, return_to_heap
from kimi_runtime.objects.function cimport Function, GeneratorFrame, hooks, is_privileged, visible_namespace
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots, type_name_of

import builtins as host_builtins
import collections
import copyreg
import functools
import sys
import types
import weakref
from importlib.machinery import ModuleSpec as HostSpec

from kimi_runtime.bridge import exposure
from kimi_runtime.bridge.host_functions import as_function
from kimi_runtime.bridge.large_numbers import pow as guarded_pow
from kimi_runtime.objects.builtins import use_gate
from kimi_runtime.objects.class_builder import serial_of_class
from kimi_runtime.objects.frames import StackFrame
from kimi_runtime.objects.function import use_copies
from kimi_runtime.objects.imports import ModuleSpec as GuestSpec
from kimi_runtime.objects.imports import library_module
from kimi_runtime.objects.tracebacks import code_of_frame, is_guest_frame, method_type

cdef extern from "Python.h":
    int PyDict_Contains(object d, object key) except -1
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    PyObject *PyDict_GetItemRaw "PyDict_GetItemWithError"(PyObject *d, PyObject *key) noexcept
    Py_hash_t PyObject_Hash(PyObject *o) noexcept
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept
    PyObject *PyObject_Vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf) noexcept
    unsigned long HEAP_TYPE "Py_TPFLAGS_HEAPTYPE"
    unsigned long TYPE_SUBCLASS "Py_TPFLAGS_TYPE_SUBCLASS"
    unsigned long IMMUTABLE "Py_TPFLAGS_IMMUTABLETYPE"
    bint PyUnicode_Check(PyObject *o) noexcept
    bint PyUnicode_CheckExact(PyObject *o) noexcept
    PyObject *PyUnicode_FromObject(PyObject *o) noexcept
    bint PyType_Check(PyObject *o) noexcept
    bint PyExceptionInstance_Check(PyObject *o) noexcept
    int PyObject_SetAttr(PyObject *o, PyObject *name, PyObject *value) noexcept
    int PyObject_GenericSetAttr(PyObject *o, PyObject *name, PyObject *value) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i) noexcept
    int PyErr_ExceptionMatches(PyObject *wanted) noexcept
    void PyErr_Clear() noexcept
    PyObject *PyExc_AttributeError

from kimi_runtime.vm.values cimport Py_DECREF, Py_False, Py_INCREF, Py_TYPE, Py_True

cdef extern from "type_flags.h":
    unsigned long K_OPEN, K_LOOK, K_MADE, K_KEPT, K_STATE
    unsigned long k_flags_of(PyObject *type) noexcept

cdef extern from "layout.h":
    int k_lookup_attr(PyObject *o, PyObject *name, PyObject **found) noexcept

cdef extern from *:
    """
    static void k_add_flags(PyObject *type, unsigned long flags) { ((PyTypeObject *)type)->tp_flags |= flags; }
    static void k_drop_flags(PyObject *type, unsigned long flags) { ((PyTypeObject *)type)->tp_flags &= ~flags; }
    static PyObject *k_mro_of(PyObject *type) { return ((PyTypeObject *)type)->tp_mro; }
    static int k_has_plain_setattr(PyObject *type) { return ((PyTypeObject *)type)->tp_setattro == PyObject_GenericSetAttr; }
    static int k_is_data(PyObject *d) { return Py_TYPE(d)->tp_descr_set != NULL; }
    static PyObject *k_type_dict_of(PyObject *type) {       /* a new reference or NULL */
    #if PY_VERSION_HEX >= 0x030C0000
        return PyType_GetDict((PyTypeObject *)type);
    #else
        return Py_XNewRef(((PyTypeObject *)type)->tp_dict);
    #endif
    }
    static PyObject *k_referent(PyObject *proxy) {          /* borrowed; NULL when it is gone */
        PyObject *o = PyWeakref_GET_OBJECT(proxy);
        return o == Py_None ? NULL : o;
    }

    /* type.__new__ marks what it makes for guest code. A class is looked at before type.__new__ is done with it: its
       __set_name__ and __init_subclass__ run. So calls that are under way are on a list. */
    typedef struct k_making { struct k_making *next; PyObject *args; unsigned long thread; } k_making;
    static k_making *k_under_way = NULL;
    static newfunc k_type_new = NULL;
    static int (*k_guest_is_direct)(void) = NULL;
    static int (*k_check_bases)(PyObject *args) = NULL;
    static PyObject *k_marking_new(PyTypeObject *meta, PyObject *args, PyObject *kwargs) {
        k_making here, **at;
        PyObject *made;
        if (!k_guest_is_direct()) { return k_type_new(meta, args, kwargs); }
        if (k_check_bases(args) < 0) { return NULL; }
        here.args = args;
        here.thread = PyThread_get_thread_ident();
        here.next = k_under_way;
        k_under_way = &here;
        made = k_type_new(meta, args, kwargs);
        for (at = &k_under_way; *at != &here; at = &(*at)->next) { }
        *at = here.next;
        if (made != NULL) { k_add_flags(made, K_MADE); }
        return made;
    }
    static PyObject *k_arguments_under_way(int depth) {     /* borrowed; NULL beyond the last */
        k_making *at;
        unsigned long thread = PyThread_get_thread_ident();
        for (at = k_under_way; at != NULL; at = at->next) {
            if (at->thread == thread && depth-- == 0) { return at->args; }
        }
        return NULL;
    }
    static PyObject *k_bases_of(PyObject *type) { return ((PyTypeObject *)type)->tp_bases; }
    static void k_mark_new_classes(int (*is_direct)(void), int (*check_bases)(PyObject *)) {
        k_guest_is_direct = is_direct;
        k_check_bases = check_bases;
        if (k_type_new == NULL) {
            k_type_new = PyType_Type.tp_new;
            PyType_Type.tp_new = k_marking_new;
        }
    }
    static void k_inherit_new(PyObject *meta) {
        if (((PyTypeObject *)meta)->tp_new == k_type_new) { ((PyTypeObject *)meta)->tp_new = k_marking_new; }
    }
    static int k_gate_failed(void) { return -1; }
    """
    void k_add_flags(PyObject *type, unsigned long flags) noexcept
    void k_drop_flags(PyObject *type, unsigned long flags) noexcept
    PyObject *k_mro_of(PyObject *type) noexcept
    PyObject *k_bases_of(PyObject *type) noexcept
    PyObject *k_type_dict_of(PyObject *type) noexcept
    bint k_is_data(PyObject *d) noexcept
    bint k_has_plain_setattr(PyObject *type) noexcept
    PyObject *k_referent(PyObject *proxy) noexcept
    PyObject *k_arguments_under_way(int depth) noexcept
    void k_mark_new_classes(int (*is_direct)() noexcept, int (*check_bases)(PyObject *) noexcept) noexcept
    void k_inherit_new(PyObject *meta) noexcept
    int raise_pending "k_gate_failed"() except -1


cdef frozenset NAMES_OF_FUNCTIONS = frozenset(["__globals__", "__builtins__", "__code__", "__closure__"])
cdef frozenset NAMES_OF_FRAMES = frozenset([
    "f_back", "f_builtins", "f_code", "f_globals", "f_locals", "f_trace", "f_trace_lines", "f_trace_opcodes", "clear"])
cdef frozenset NAMES_OF_GENERATORS = frozenset([
    "gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_code", "cr_await", "cr_origin", "ag_frame", "ag_code",
    "ag_await"])
cdef frozenset NAMES_OF_MODULES = frozenset(["__loader__", "__spec__", "__builtins__"])
cdef set FRAME_TYPES = {types.FrameType}
cdef set OWN_FRAMES = {StackFrame, GeneratorFrame}
cdef set GENERATOR_TYPES = {types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType}
cdef set FUNCTION_TYPES = {types.FunctionType, types.LambdaType, method_type()}
cdef set DESCRIPTOR_TYPES = {types.GetSetDescriptorType, types.MemberDescriptorType, types.MethodDescriptorType,
                             types.WrapperDescriptorType, types.ClassMethodDescriptorType}
cdef tuple DESCRIPTORS = tuple(DESCRIPTOR_TYPES)
# Types of the host whose descriptors would go round the gate.
cdef set GUARDED_TYPES = (FRAME_TYPES | GENERATOR_TYPES | FUNCTION_TYPES
                          | {types.BuiltinFunctionType, types.CodeType, types.ModuleType, types.TracebackType, type})
# Members of library modules that only library code sees: module -> names.
cdef dict MEMBERS_OF_LIBRARY = {"types": {"FrameType", "CodeType"}, "inspect": {"CodeType"}}

# Names that some listed type withholds, or that are watched: only these need a look.
cdef dict INTERESTING = {}
# name -> the types (and their subclasses, for type and module) that it is watched on; None: on every type.
cdef dict WATCHED = {}


cdef int watch(names, set on) except -1:
    for name in names:
        WATCHED[sys.intern(name)] = tuple(set(WATCHED.get(name) or ()) | on)
    return 0


watch(NAMES_OF_FUNCTIONS, FUNCTION_TYPES | {types.MethodType, Function})
watch(NAMES_OF_FRAMES, FRAME_TYPES)
watch(["f_globals", "f_builtins"], OWN_FRAMES)
watch(NAMES_OF_GENERATORS, GENERATOR_TYPES)
watch(NAMES_OF_MODULES, {types.ModuleType})
for each in MEMBERS_OF_LIBRARY.values():
    watch(each, {types.ModuleType})
watch(["tb_frame"], {types.TracebackType})
watch(["__self__"], {types.BuiltinFunctionType, type([].__len__), ContextFunction})
watch(["__subclasses__", "__dict__"], {type})
watch(["__get__", "__set__", "__delete__", "__call__"], DESCRIPTOR_TYPES)
watch(["__get__", "__set__", "__delete__"], {type})
watch(["replace", "co_consts"], {types.CodeType})
# The descriptors of guarded types, read from the class: any native that calls `__get__` would go round the gate with them.
cdef frozenset NAMES_OF_DESCRIPTORS = (NAMES_OF_FUNCTIONS | NAMES_OF_FRAMES - {"clear"} | NAMES_OF_GENERATORS
                                       | {"tb_frame", "__self__", "co_consts"})
watch(NAMES_OF_DESCRIPTORS, {type})
cdef set DATA_DESCRIPTORS = {types.GetSetDescriptorType, types.MemberDescriptorType}
cdef str s_getattribute = sys.intern("__getattribute__")
# Whatever object they are read from: a guest gets what stand_in() says.
cdef frozenset STOOD_IN = frozenset(["__getattribute__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__getstate__",
                                     "__callback__"])
for each in STOOD_IN:
    WATCHED[sys.intern(each)] = None
# By these an object gives its state away.
cdef frozenset NAMES_OF_STATE = frozenset(["__dict__", "__getstate__", "__reduce__", "__reduce_ex__"])
for each in (*WATCHED, *NAMES_OF_STATE, "__class__", "__bases__"):
    INTERESTING[sys.intern(each)] = None


# Left out of the dictionaries of guarded types. Calling a function or class by `__call__` is no way round the gate.
cdef frozenset HIDDEN = (frozenset(WATCHED) - {"__call__", "__get__", "__set__", "__delete__", "__reduce__", "__reduce_ex__", "__getstate__", "__callback__"}
                         | {"__class__"})


include "tables.pxi"


cdef bint watched(PyObject *cls, PyObject *name) except -1:
    cdef PyObject *found = PyDict_GetItemRaw(<PyObject *>WATCHED, name)
    cdef Py_ssize_t i
    cdef tuple on
    if found == NULL:
        return False
    if <object>found is None:
        return True
    on = <tuple>found
    if k_flags_of(cls) & TYPE_SUBCLASS and is_one_of(<PyObject *>type, on):
        return True
    return is_one_of(cls, on) or (is_one_of(<PyObject *>types.ModuleType, on) and is_module_type(cls))


cdef bint is_module_type(PyObject *cls) noexcept:
    return is_one_of(<PyObject *>types.ModuleType, <tuple>k_mro_of(cls)) if k_mro_of(cls) != NULL else False


# What stands for methods that read a clock: set when there is a policy for clocks in the process.
cdef object clock_attribute = None
cdef frozenset names_of_clocks = frozenset()


def use_clock(choose, of_classes, of_instances, owners):
    """Methods of these names are looked up by ``choose(object, name)``, which gives a function or None.

    Args:
        choose: see above; what it gives is called with the object first.
        of_classes: names read from classes.
        of_instances: names read from instances of the owners.
        owners: types of the host.
    """
    global clock_attribute, names_of_clocks
    if clock_attribute is not None:
        return
    clock_attribute = choose
    names_of_clocks = frozenset((*of_classes, *of_instances))
    watch(of_classes, {type})
    watch(of_instances, set(owners))
    for name in (*of_classes, *of_instances):
        INTERESTING[sys.intern(name)] = None
    for each in owners:
        PyType_Modified(get_slots(each))            # what sites have found out about them before is not so any more


# ---- the question ----------------------------------------------------------------------------
cdef bint guards(PyObject *o, PyObject *name) except -1:
    """Whether ``o.name`` is anything else than what the object itself says."""
    cdef PyObject *cls = <PyObject *>Py_TYPE(o)
    cdef unsigned long flags
    if not is_open(cls) or watched(cls, name):
        return True
    flags = k_flags_of(cls)
    if flags & K_LOOK:
        if not is_module_type(cls):
            return True
        return is_module_of_host(<object>o) or is_withheld(o, name)
    if flags & K_KEPT and <object>name in NAMES_OF_STATE:
        return True
    if PyType_Check(o) and not is_open(o):      # this may be the first look at the class: its flags are complete after it only
        return True
    if (flags & K_STATE or (flags & TYPE_SUBCLASS and PyType_Check(o) and k_flags_of(o) & K_STATE)) \
            and is_state(o, name):
        return True
    return is_withheld(o, name)


ctypedef int (*raw_guards)(PyObject *, PyObject *) noexcept
cdef raw_guards try_guards = <raw_guards><void *>guards


# The hash of a name of a million characters is time of the run's, which may end in it. The questions below have no answer for
# that, so who asks them about a name that the guest made takes its hash before: then it is known.
cdef bint gate_guards(PyObject *o, PyObject *name) noexcept:
    cdef unsigned long flags = k_flags_of(<PyObject *>Py_TYPE(o))
    cdef int answer
    if flags & (K_OPEN | K_LOOK | K_STATE) == K_OPEN and PyDict_GetItemRaw(<PyObject *>INTERESTING, name) == NULL \
            and (not flags & TYPE_SUBCLASS or k_flags_of(o) & (K_OPEN | K_STATE) == K_OPEN):
        return 0
    answer = try_guards(o, name)
    if answer < 0:
        PyErr_Clear()           # the run is to stop: no answer now, and who is told to look closer goes on with no exception set
    return answer != 0


cdef bint gate_guards_name(PyObject *cls, PyObject *name) noexcept:
    return k_flags_of(cls) & (K_OPEN | K_STATE) != K_OPEN or PyDict_GetItemRaw(<PyObject *>INTERESTING, name) != NULL


cdef bint gate_guards_store(PyObject *o, PyObject *name) noexcept:
    cdef unsigned long flags = k_flags_of(<PyObject *>Py_TYPE(o))
    return flags & (K_OPEN | K_LOOK | K_KEPT) != K_OPEN or PyDict_GetItemRaw(<PyObject *>INTERESTING, name) != NULL \
        or (flags & TYPE_SUBCLASS and not k_flags_of(o) & K_OPEN) or is_one_of(<PyObject *>Py_TYPE(o), READ_ONLY)


cdef bint is_module_of_host(module) except -1:
    """Whether a module object is one of the host's import system, and not one that the host has handed out."""
    contents = types.ModuleType.__getattribute__(module, "__dict__")
    spec = contents.get("__spec__")
    if type(spec) is HostSpec:
        return spec.name.partition(".")[0] not in trusted_roots
    return is_shared_module(contents) and not by_library()


cdef bint is_shared_module(dict contents) except -1:
    """Whether a module object is the library's own: guests have views of it."""
    builtins = contents.get("__builtins__")
    return isinstance(builtins, dict) and is_privileged(<PyObject *>builtins)


cdef bint by_shared_library():
    """Whether the innermost frame is one of library code that runs once for all guests."""
    cdef PyObject *builtins = hooks.frame_builtins(0) if hooks.frame_builtins != NULL else NULL
    return builtins != NULL and is_of_shared_library(builtins)


cdef object missing(o, name):
    if PyType_Check(<PyObject *>o):
        raise AttributeError(f"type object '{type.__getattribute__(o, '__name__')}' has no attribute '{name}'",
                             name=name, obj=o)
    if is_module_type(<PyObject *>Py_TYPE(<PyObject *>o)):
        raise AttributeError(f"module '{types.ModuleType.__getattribute__(o, '__dict__').get('__name__')}' has no "
                             f"attribute '{name}'", name=name, obj=o)
    raise AttributeError(f"'{type_name_of(o)}' object has no attribute '{name}'", name=name, obj=o)


# ---- reading ---------------------------------------------------------------------------------
cdef object load(o, name):
    """``o.name`` as the guest may see it."""
    cdef PyObject *raw = <PyObject *>o
    cdef PyObject *raw_name = <PyObject *>name
    cdef PyObject *cls = <PyObject *>Py_TYPE(raw)
    if not is_open(cls):
        return load_of_unknown(o, name)
    if k_flags_of(cls) & K_LOOK:
        if is_one_of(cls, FORWARDING) or k_forwards(cls):
            return load_forwarded(o, name)
        if is_module_type(cls) and is_module_of_host(o):
            return missing(o, name)
    if PyType_Check(raw) and not is_open(raw):
        return load_of_unknown_class(o, name)
    if is_withheld(raw, raw_name):
        return missing(o, name)
    if k_flags_of(cls) & K_KEPT and name in NAMES_OF_STATE and id(o) in kept:
        return load_of_kept(o, name)
    if (k_flags_of(cls) & K_STATE or (PyType_Check(raw) and k_flags_of(raw) & K_STATE)) and is_state(raw, raw_name):
        found = load_watched(o, name) if watched(cls, raw_name) else getattr(o, name)
        return copied(found) if owner_of_state(raw, raw_name) or id(o) in kept else found
    if watched(cls, raw_name):
        return load_watched(o, name)
    return getattr(o, name)


ctypedef PyObject *(*raw_load)(PyObject *, PyObject *) noexcept
gate_load = <raw_load><void *>load


cdef bint k_forwards(PyObject *cls) noexcept:
    """For subclasses of forwarding types: guest classes may derive from super and from GenericAlias."""
    cdef PyObject *mro = k_mro_of(cls)
    cdef Py_ssize_t i
    for i in range(PyTuple_GET_SIZE(mro)):
        if is_one_of(PyTuple_GET_ITEM(mro, i), FORWARDING):
            return True
    return False


cdef object load_of_unknown(o, name):
    """An attribute of an instance of a type in no table: none, but exceptions show what every exception has."""
    cdef PyObject *value
    cdef PyObject *owner
    cdef PyObject *cls = <PyObject *>Py_TYPE(<PyObject *>o)
    if name == "__class__":
        return <object>cls
    if PyExceptionInstance_Check(<PyObject *>o) and name != "__dict__":
        owner = owner_of(cls, <PyObject *>name, &value)
        if owner != NULL and not watched(cls, <PyObject *>name) and owner_lists(owner, <PyObject *>name):
            return getattr(o, name)
    return missing(o, name)


cdef object load_of_unknown_class(o, name):
    if name == "__class__":
        return <object><PyObject *>Py_TYPE(<PyObject *>o)
    if name == "__name__" or name == "__qualname__" or name == "__module__":
        return type.__getattribute__(o, name)
    return missing(o, name)


# What a GenericAlias answers itself.
cdef frozenset NAMES_OF_ALIASES = frozenset([
    "__class__", "__origin__", "__args__", "__parameters__", "__unpacked__", "__typing_unpacked_tuple_args__",
    "__mro_entries__", "__reduce_ex__", "__reduce__", "__copy__", "__deepcopy__", "__bases__"])


cdef object load_forwarded(o, name):
    """An attribute of an object that would look it up elsewhere: there by the gate too."""
    cdef PyObject *cls = <PyObject *>Py_TYPE(<PyObject *>o)
    cdef PyObject *found
    cdef PyObject *value
    cdef PyObject *owner
    if cls == <PyObject *>types.MethodType:
        owner = owner_of(cls, <PyObject *>name, &value)
        if owner == NULL or not owner_lists(owner, <PyObject *>name):
            return load(o.__func__, name)
        return load_watched(o, name) if watched(cls, <PyObject *>name) else getattr(o, name)
    if cls == <PyObject *>PROXY or cls == <PyObject *>CALLABLE_PROXY:
        found = k_referent(<PyObject *>o)
        if found == NULL:
            raise ReferenceError("weakly-referenced object no longer exists")
        return load(<object>found, name)
    if issubclass(<object>cls, super):
        return load_super(o, name)
    owner = owner_of(cls, <PyObject *>name, &value)
    if name in NAMES_OF_ALIASES or (owner != NULL and k_flags_of(owner) & K_MADE):
        return load_watched(o, name) if watched(cls, <PyObject *>name) else getattr(o, name)
    load(alias_origin.__get__(o), name)            # whether it may
    return getattr(o, name)


cdef object alias_origin = types.GenericAlias.__dict__["__origin__"]
cdef object super_this = super.__dict__["__thisclass__"]
cdef object super_self = super.__dict__["__self__"]
cdef object super_start = super.__dict__["__self_class__"]


cdef object load_super(o, name):
    """An attribute of a super object: that of the first class after its own which has it, if that lets guests have it."""
    cdef PyObject *value
    cdef PyObject *owner
    start = super_start.__get__(o)
    if start is not None and name != "__class__":
        following = False
        for each in type.__getattribute__(start, "__mro__") or ():
            if following and name in type.__getattribute__(each, "__dict__"):
                if not owner_lists(<PyObject *>each, <PyObject *>name):
                    return missing(o, name)
                break
            following = following or each is super_this.__get__(o)
    owner = owner_of(<PyObject *>Py_TYPE(<PyObject *>o), <PyObject *>name, &value)
    if owner != NULL and not owner_lists(owner, <PyObject *>name):
        return missing(o, name)
    found = getattr(o, name)
    if name == "__dict__" and type(found) is types.MappingProxyType:
        found = class_dict(super_self.__get__(o))
    return stand_in(name, found)


cdef object load_of_kept(o, name):
    """State of an object that guests share: a copy."""
    if name == "__dict__":
        return dict(o.__dict__)
    found = getattr(o, name)
    return new_bound_function(name, found, <void *>state_vectorcall)


cdef object load_watched(o, name):
    """A name that means something else for a guest, on an open type that lists it."""
    cls = <object><PyObject *>Py_TYPE(<PyObject *>o)
    cdef RunContext context
    if name in STOOD_IN:
        return stand_in(name, getattr(o, name))
    if name in names_of_clocks:
        function = clock_attribute(o, name)
        return getattr(o, name) if function is None else new_bound_function(name, (function, o), <void *>clock_vectorcall)
    if PyType_Check(<PyObject *>o):
        if name == "__subclasses__":
            found = getattr(o, name)
            if type(found) is types.BuiltinMethodType and not k_flags_of(<PyObject *>o) & K_MADE:
                return missing(o, name)
            return stand_in(name, found)
        if name == "__dict__":
            return class_dict(o)
        if name in ("__get__", "__set__", "__delete__") and is_one_of(<PyObject *>o, DESCRIPTORS):
            getattr(o, name)
            return new_bound_function(name, name, <void *>unbound_descriptor)
        found = getattr(o, name)
        if type(found) in DATA_DESCRIPTORS and found.__objclass__ in GUARDED_TYPES and name in NAMES_OF_DESCRIPTORS:
            return missing(o, name)
        return found
    if cls is Function:
        context = context_of((<Function>o).builtins)
        if not by_library():
            # Of what the library made its code and its namespaces are no guest's. Of its own functions the guest gets
            # the namespace, the code and the closure, where there is one.
            if name == "__builtins__" or (name == "__closure__" and (<Function>o).closure is None) or (context is not None and context.privileged):
                return missing(o, name)
        return getattr(o, name)
    if cls is StackFrame or cls is GeneratorFrame:
        return getattr(o, name) if by_library() else missing(o, name)
    if cls in FUNCTION_TYPES or cls is types.MethodType:
        return missing(o, name)
    if cls in FRAME_TYPES:
        if not is_guest_frame(o):
            return missing(o, name)
        if name == "f_code":
            code = code_of_frame(o)
            # Another than ours when that is gone, or has another name (a comprehension compiled inline).
            return code if code is not None and code.co_name == o.f_code.co_name else ShownCode(o)
        if name == "clear":
            return o.clear
        if name == "f_locals":
            return visible_namespace(o.f_locals)
        if not by_library():
            return missing(o, name)
        if name == "f_back":
            return None
        if name in ("f_globals", "f_builtins"):
            return visible_namespace(getattr(o, name))
        return missing(o, name)
    if cls is types.TracebackType:
        return o.tb_frame if by_library() and is_guest_frame(o.tb_frame) else missing(o, name)
    if cls in GENERATOR_TYPES or cls is types.CodeType:
        return missing(o, name)
    if name == "__self__":
        if cls is ContextFunction:
            return missing(o, name)
        found = o.__self__
        if found is None or isinstance(found, RunContext):
            return missing(o, name)
        if isinstance(found, types.ModuleType):
            # An empty one of that name for inspect.signature, which wants to know that it is one.
            return types.ModuleType(found.__name__) if by_library() else missing(o, name)
        return found
    if cls in DESCRIPTOR_TYPES:
        if o is class_dict_descriptor and name == "__get__":
            return new_bound_function("__get__", o, <void *>class_dict_vectorcall)
        if o.__objclass__ in GUARDED_TYPES and not (
                o.__objclass__ is type and o.__name__ in OPEN_OF_CLASSES and name == "__get__"):
            return missing(o, name)
        found = getattr(o, name)
        if k_flags_of(<PyObject *>o.__objclass__) & (K_MADE | K_KEPT) and type(found) is types.MethodWrapperType:
            return new_bound_function(name, found, <void *>descriptor_vectorcall)
        return found
    found = getattr(o, name)            # a module: its own name if the guest set it, not the import system's
    if name in NAMES_OF_MODULES:
        if type(found) is GuestSpec or (found is None and (name == "__spec__" or by_library())):
            return found
        return missing(o, name)
    if not by_library() and name in MEMBERS_OF_LIBRARY.get(o.__name__, ()):
        return missing(o, name)
    return found


# ---- writing ---------------------------------------------------------------------------------
cdef int store(o, name, PyObject *value) except -1:
    """``o.name = value`` for a guest; value NULL: ``del o.name``."""
    cdef PyObject *raw = <PyObject *>o
    cdef PyObject *cls = <PyObject *>Py_TYPE(raw)
    cdef PyObject *found
    if not is_open(cls) or is_one_of(cls, READ_ONLY):
        missing(o, name)
    if is_module_type(cls) and is_module_of_host(o):
        missing(o, name)
    if cls == <PyObject *>PROXY or cls == <PyObject *>CALLABLE_PROXY:
        found = k_referent(raw)
        if found == NULL:
            raise ReferenceError("weakly-referenced object no longer exists")
        return store(<object>found, name, value)
    if is_module_type(cls) and not by_shared_library() and is_shared_module(types.ModuleType.__getattribute__(o, "__dict__")):
        missing(o, name)            # not by code like a guest's unittest.mock either
    check_store(o, name, value)
    return set_natively(raw, <PyObject *>name, value)


cdef int check_store(o, name, PyObject *value) except -1:
    """What ``object.__setattr__`` of a guest must not go round; AttributeError or TypeError."""
    cdef PyObject *raw = <PyObject *>o
    cdef PyObject *cls = <PyObject *>Py_TYPE(raw)
    cdef PyObject *owner
    cdef PyObject *found
    if not is_open(cls) or is_one_of(cls, READ_ONLY):
        missing(o, name)
    if cls == <PyObject *>Function and (<Function>o).frozen:
        refuse_change(name)
    if k_flags_of(cls) & K_KEPT and id(o) in kept:
        refuse_change(name)
    if name == "__class__" and value != NULL and PyType_Check(value) and not is_open(value):
        raise TypeError(f"__class__ assignment: '{type.__getattribute__(<object>value, '__name__')}' is not open to guests")
    if PyType_Check(raw) and not is_open(raw):
        raise TypeError(f"cannot set '{name}' attribute of immutable type '{type.__getattribute__(o, '__name__')}'")
    if name == "__bases__" and PyType_Check(raw) and value != NULL and type(<object>value) is tuple:
        for each in <object>value:
            if PyType_Check(<PyObject *>each) and not is_open(<PyObject *>each):
                raise TypeError(f"type '{type.__getattribute__(each, '__name__')}' is not an acceptable base type")
        look_again(o)
    owner = owner_of(cls, <PyObject *>name, &found)
    if owner != NULL and k_is_data(found) and not owner_lists(owner, <PyObject *>name):
        missing(o, name)
    return 0


cdef int refuse_change(name) except -1:
    raise TypeError(f"cannot change attribute '{name}' of an object of the library, which other guests use too")


cdef int set_natively(PyObject *o, PyObject *name, PyObject *value) except -1:
    if PyObject_SetAttr(o, name, value) < 0:
        raise_pending()
    return 0


cdef int look_again(cls) except -1:
    """The MRO of a class and of those that derive from it has changed."""
    k_drop_flags(<PyObject *>cls, K_OPEN | K_LOOK)
    for each in type.__subclasses__(cls):
        look_again(each)
    return 0


ctypedef int (*raw_store)(PyObject *, PyObject *, PyObject *) noexcept
gate_store = <raw_store><void *>store

# Types whose values could be changed in place.
cdef tuple CONTAINERS = (dict, list, set, bytearray, collections.OrderedDict, collections.defaultdict, collections.deque)
# Class by its id -> names of attributes of its kept instances that hold such values.
cdef dict STATE_NAMES = {}


cdef bint owner_of_state(PyObject *o, PyObject *name) except -1:
    """Whether a look-up in classes finds a container that a frozen class of the library holds."""
    cdef PyObject *value
    cdef PyObject *owner = NULL
    if PyType_Check(o):
        owner = owner_of(o, name, &value)
        if owner == NULL and <object>name == "__annotations__":
            return False
    if owner == NULL:
        owner = owner_of(<PyObject *>Py_TYPE(o), name, &value)
    return owner != NULL and k_flags_of(owner) & (K_MADE | IMMUTABLE) == K_MADE | IMMUTABLE \
        and is_one_of(<PyObject *>Py_TYPE(value), CONTAINERS)


cdef bint is_state(PyObject *o, PyObject *name) except -1:
    names = STATE_NAMES.get(id(<object><PyObject *>Py_TYPE(o)))
    return (names is not None and <object>name in names) or owner_of_state(o, name)


def copied(value):
    """A value, or when it is a container a copy of it and of the containers in it."""
    kind = type(value)
    if kind is dict:
        return {key: copied(each) for key, each in value.items()}
    if kind is list or kind is set:
        return kind([copied(each) for each in value])
    if kind is tuple:
        for each in value:
            if is_one_of(<PyObject *>Py_TYPE(<PyObject *>each), CONTAINERS) or type(each) is tuple:
                return tuple([copied(each) for each in value])
        return value
    if is_one_of(<PyObject *>kind, CONTAINERS):
        return value.copy()
    return value


use_copies(copied)


def guard_state(cls):
    """A frozen class of the shared library: guests get copies of the lists and the like that it holds."""
    for value in type.__getattribute__(cls, "__dict__").values():
        if is_one_of(<PyObject *>Py_TYPE(<PyObject *>value), CONTAINERS):
            k_add_flags(<PyObject *>cls, K_STATE)
            look_again(cls)
            return


# Objects of the shared library that are no classes and no functions, by id: no guest may change them.
cdef dict kept = {}


def is_kept(o):
    """Whether ``keep`` has made an object read-only."""
    return id(o) in kept


def keep(o, names):
    """Makes an object of the shared library read-only for guests.

    names: those of its attributes whose values are lists and the like, of which guests get copies.
    """
    cdef PyObject *cls = <PyObject *>Py_TYPE(<PyObject *>o)
    kept[id(o)] = o
    k_add_flags(cls, K_KEPT)
    if names:
        STATE_NAMES.setdefault(id(<object>cls), set()).update(names)
        k_add_flags(cls, K_STATE)
    PyType_Modified(get_slots(<object>cls))     # stores that caches know already


include "stand_ins.pxi"


# ---- builtins --------------------------------------------------------------------------------
cdef object MISSING = object()


cdef object host_getattr = host_builtins.getattr
cdef object host_hasattr = host_builtins.hasattr


cdef PyObject *getattr_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef PyObject *found
    if 2 <= n <= 3 and kwnames == NULL and PyUnicode_CheckExact(args[1]):
        if PyObject_Hash(args[1]) == -1:
            return NULL
        if gate_guards(args[0], args[1]):
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
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and PyUnicode_CheckExact(args[1]):
        if PyObject_Hash(args[1]) == -1:
            return NULL
        if gate_guards(args[0], args[1]):
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


def builtin_getattr():
    """The getattr of guests, one object for all of them."""
    return gated_getattr


cdef object setattr_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if n == 3 and kwnames == NULL and PyUnicode_Check(args[1]):
        name = sys.intern(exact_name(<object>args[1]))
        if gate_guards_store(args[0], <PyObject *>name):
            store(<object>args[0], name, args[2])
            return None
        set_natively(args[0], <PyObject *>name, args[2])
        return None
    return forward(<PyObject *>host_builtins.setattr, args, nargsf, kwnames)


cdef object delattr_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if n == 2 and kwnames == NULL and PyUnicode_Check(args[1]):
        name = exact_name(<object>args[1])
        if gate_guards_store(args[0], <PyObject *>name):
            store(<object>args[0], name, NULL)
            return None
    return forward(<PyObject *>host_builtins.delattr, args, nargsf, kwnames)


cdef object gated_setattr = new_context_function(
    None, "setattr", host_builtins.setattr.__doc__, <void *>setattr_vectorcall)
cdef object gated_delattr = new_context_function(
    None, "delattr", host_builtins.delattr.__doc__, <void *>delattr_vectorcall)


cdef object read(o, name):
    """``o.name`` as the guest may see it."""
    hash(name)
    if gate_guards(<PyObject *>o, <PyObject *>name):
        return load(o, name)
    return getattr(o, name)


hooks.get_attribute = <raw_load><void *>read


def read_for_guest(o, name):
    """``o.name`` as a guest may see it."""
    return read(o, name)


def vars_of(o):
    """``vars(o)`` for a guest."""
    try:
        return read(o, "__dict__")
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None


cdef bint is_visible(o, name) except -1:
    """Whether ``dir`` shows a name to a guest."""
    if type(name) is not str:
        return True
    hash(name)
    if PyDict_GetItemRaw(<PyObject *>INTERESTING, <PyObject *>name) == NULL:
        return True
    if is_withheld(<PyObject *>o, <PyObject *>name):
        return False
    return not is_module_type(<PyObject *>Py_TYPE(<PyObject *>o)) or name == "__spec__" or (
        name not in NAMES_OF_MODULES and name not in MEMBERS_OF_LIBRARY.get(o.__name__, ()))


def dir_of(o):
    """``dir(o)`` for a guest: without names that it cannot read."""
    cdef PyObject *raw = <PyObject *>o
    if not is_open(<PyObject *>Py_TYPE(raw)) or (PyType_Check(raw) and not is_open(raw)):
        return []
    return [name for name in host_builtins.dir(o) if is_visible(o, name)]


use_gate({"getattr": gated_getattr, "hasattr": gated_hasattr, "setattr": gated_setattr, "delattr": gated_delattr,
          "pow": guarded_pow}, vars_of, dir_of)
mark_new_classes()
from kimi_runtime.bridge import formats  # no-cython-lint: guards str.format, by what is set above


def watches(cls, name):
    """Whether the gate watches a name on a type; for tests."""
    return watched(<PyObject *>cls, <PyObject *>name)


def is_shared_class(cls):
    """Whether a class is one of the shared library's, frozen for all guests."""
    return PyType_Check(<PyObject *>cls) and k_flags_of(<PyObject *>cls) & (K_MADE | IMMUTABLE) == K_MADE | IMMUTABLE


def is_listed(cls):
    """Whether guests may look into a class; for tests and tools."""
    return is_open(<PyObject *>cls)


def listed_names(cls):
    """The names that a listed type defines and shows, sorted; for tests and tools."""
    is_open(<PyObject *>cls)
    entry = LISTED.get(id(cls))
    return [] if entry is None else sorted(set(type.__getattribute__(cls, "__dict__")) & entry[1])


def load_for_test(o, name):
    """What a guest gets for ``o.name``; for tests."""
    return load(o, name)


def mark_made(cls):
    """Marks a class, which came from a snapshot, as made by a guest."""
    k_add_flags(<PyObject *><object>cls, K_MADE)


def is_made(cls):
    """Whether a class was made for a guest."""
    return isinstance(cls, type) and k_flags_of(<PyObject *><object>cls) & K_MADE != 0
