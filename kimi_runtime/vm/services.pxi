# Calls into the object modules, with exceptions turned into status values at the border.
from kimi_runtime.objects.tracebacks cimport add_traceback as objects_add_traceback, clear_shadow_frames

from kimi_runtime.objects.groups cimport prepare_reraise_star, split_group
from kimi_runtime.objects.patterns cimport map_without, match_class, match_keys
from kimi_runtime.objects.imports cimport import_from, import_name, import_star
from kimi_runtime.objects.intrinsics cimport intrinsic, intrinsic_size
from kimi_runtime.objects.class_builder cimport fix_namespace, resolve_cell
from kimi_runtime.bridge.gate cimport (
    gate_guards, gate_guards_name, gate_guards_store, gate_is_permanent, gate_load, gate_replacement, gate_store)
from kimi_runtime.objects.intrinsics cimport intrinsic, intrinsic_size

cdef inline void add_traceback(PyObject *exc, PyObject *code, PyObject *globals, uint32_t pc) noexcept:
    objects_add_traceback(exc, <Code>code, globals, pc)

cdef PyObject *own(object value) noexcept:
    """A new reference to a Python value."""
    cdef PyObject *raw = <PyObject *>value
    Py_INCREF(raw)
    return raw

cdef object make_builtins():
    from kimi_runtime.objects.builtins import make_builtins as make
    return make()

cdef object nobodys_builtins():
    from kimi_runtime.objects.builtins import nobodys_builtins as find
    return find()


cdef int group_match(Value *exc, Value *t, Value *out) noexcept:
    """EG_MATCH: *exc becomes the rest, *out (a dead slot) the matching part."""
    cdef PyObject *e = value_object(exc)
    cdef PyObject *c = value_object(t)
    cdef PyObject *matched = NULL
    cdef PyObject *rest = NULL
    cdef int status = -1
    if e != NULL and c != NULL:
        status = split_group(e, c, &matched, &rest)
    Py_XDECREF(e)
    Py_XDECREF(c)
    if status < 0:
        return -1
    store_object(exc, 0, rest)
    value_steal(out, matched)
    return 0

cdef PyObject *prepare_reraise(PyObject *original, PyObject *raised) noexcept:
    return prepare_reraise_star(original, raised)

cdef PyObject *match_helper(uint32_t op, Value *subject, Value *keys) noexcept:
    cdef PyObject *o = value_object(subject)
    cdef PyObject *r
    if o == NULL:
        return NULL
    if op == OP_MATCH_KEYS:
        r = match_keys(o, keys.u.o)
    else:
        r = map_without(o, keys.u.o)
    Py_DECREF(o)
    return r

cdef PyObject *match_class_helper(Value *subject, Value *at) noexcept:
    """MATCH_CLASS: at[0..2] class, tuple of names, number of positional patterns; consumed."""
    cdef PyObject *o
    cdef PyObject *c
    cdef PyObject *r = NULL
    cdef int known = -1
    if at.tag == T_OBJ and Py_TYPE(at.u.o) == &PyType_Type:
        known = instance_by_type(type_of_value(subject), at.u.o)
    if known == 0 or (known == 1 and at[2].u.i == 0 and PyTuple_GET_SIZE(at[1].u.o) == 0):
        r = empty_tuple if known else Py_None
        Py_INCREF(r)
        clear_registers(at, 0, 3)
        return r
    o = value_object(subject)
    c = value_object(at)
    if o != NULL and c != NULL:
        r = match_class(o, c, at[1].u.o, at[2].u.i)
    Py_XDECREF(o)
    Py_XDECREF(c)
    if r != NULL:
        clear_registers(at, 0, 3)
    return r

cdef PyObject *import_name_helper(Frame *f, PyObject *name, Value *at) noexcept:
    """IMPORT_NAME: at[0] level, at[1] list of names or None; consumed."""
    cdef PyObject *level = value_object(at)
    cdef PyObject *names = value_object(at + 1)
    cdef PyObject *r = NULL
    if level != NULL and names != NULL:
        r = import_name(f.builtins, name, f.globals, f.ns, names, level)
    Py_XDECREF(level)
    Py_XDECREF(names)
    if r != NULL:
        clear_registers(at, 0, 2)
    return r

cdef PyObject *import_from_helper(const Value *module, PyObject *name) noexcept:
    cdef PyObject *m = value_object(module)
    cdef PyObject *r
    if m == NULL:
        return NULL
    r = import_from(m, name)
    Py_DECREF(m)
    return r

cdef int import_star_helper(Frame *f, Value *module) noexcept:
    cdef PyObject *m = value_object(module)
    cdef int status
    if m == NULL:
        return -1
    status = import_star(m, f.ns if f.ns != NULL else f.globals)     # a module that awaits has no namespace beside its globals
    Py_DECREF(m)
    return status

cdef PyObject *intrinsic_helper(uint32_t number, Value *at) noexcept:
    """INTRINSIC: consumes its registers."""
    cdef PyObject *args[3]
    cdef uint32_t n = intrinsic_size(number)
    cdef uint32_t i
    cdef PyObject *r = NULL
    for i in range(n):
        args[i] = value_object(&at[i])
        if args[i] == NULL:
            n = i
            break
    else:
        r = intrinsic(number, args)
    for i in range(n):
        Py_DECREF(args[i])
    if r != NULL:
        clear_registers(at, 0, n)
    return r

cdef bint resolve_class_cell(PyObject *cell) noexcept:
    """Whether an empty cell is the __class__ cell of a class that type.__new__ is making: it is filled then."""
    return resolve_cell(<Cell>cell)
