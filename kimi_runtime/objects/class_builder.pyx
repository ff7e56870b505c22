# cython: binding=False, wraparound=True, boundscheck=True
"""The class statement: ``__build_class__`` with guest functions.

``type.__new__`` puts the new class into the ``__classcell__`` of the namespace before it calls ``__set_name__`` and
``__init_subclass__``, which may already need it.  It takes only cells of the host, so the namespace gets one of those;
the guest's own cell is filled from it when it is first read (``resolve_cell``) or when the class is finished.
"""
from cpython.ref cimport PyObject
from cpython.weakref cimport PyWeakref_NewRef

from kimi_runtime.objects.function cimport (
    Cell, Function, begin_finalizer, hooks, report_unraisable, resolve_empty_cell)
from kimi_runtime.objects.context cimport current_serial, is_of_shared_library, library_serial
from kimi_runtime.objects.slots cimport IMMUTABLE_TYPE, PyType_Modified, TypeSlots, get_slots, type_name_of
from kimi_runtime.vm.values cimport Py_DECREF, Py_TYPE, T_UNDEF

import types

from kimi_runtime.vm.stopping import Stopped

# Classes made by class statements of guests: id -> (weak reference, serial number of the context). By id, because a
# metaclass may define __hash__ and __eq__.
cdef dict guest_classes = {}


class _WithDel:
    def __del__(self):
        pass


# What type.__new__ puts into tp_finalize of a class with __del__: it shows errors on the host's stderr.
cdef void *host_finalize = get_slots(_WithDel).tp_finalize


cdef PyObject *guests_builtins(PyObject *cls) noexcept:
    """The builtins (borrowed) of the guest that made a class or one that it derives from, by a function in it; or NULL."""
    cdef PyObject *builtins
    try:
        for each in type.__getattribute__(<object>cls, "__mro__"):
            for value in type.__getattribute__(each, "__dict__").values():
                value = getattr(value, "__func__", value) if type(value) in WRAPPERS else value
                if type(value) is Function:
                    builtins = <PyObject *>(<Function>value).builtins
                    if not is_of_shared_library(builtins):
                        return builtins
    except BaseException:           # no memory
        pass
    return NULL


cdef tuple WRAPPERS = (staticmethod, classmethod, types.MethodType)


cdef int begin_del(PyObject *self, PyObject *method) noexcept:
    cdef PyObject *builtins = NULL
    # The class is no way to its run: the collector drops weak references before it finalizes.
    if method != NULL and type(<object>method) is Function:
        builtins = <PyObject *>(<Function>method).builtins
    if builtins == NULL or is_of_shared_library(builtins):
        # What the library's __del__ calls may be a guest's.
        if type_is_of_library(<PyObject *>Py_TYPE(self)):
            return begin_finalizer(builtins)
        builtins = guests_builtins(<PyObject *>Py_TYPE(self))
        if builtins == NULL:
            return hooks.begin_unattended(True, NULL)
    return begin_finalizer(builtins)


cdef bint type_is_of_library(PyObject *cls) noexcept:
    try:
        return serial_of_class(<object>cls) == library_serial()
    except BaseException:           # no memory
        return False


cdef void guest_finalize(PyObject *self) noexcept:
    """Calls ``__del__``; an error goes to the guest's stderr while it runs."""
    cdef PyObject *raised = k_take_raised()
    cdef PyObject *method = k_lookup_special(self, <PyObject *>s_del)
    cdef PyObject *done
    cdef PyObject *error
    cdef int begun
    if method != NULL:
        begun = begin_del(self, method)
        if begun >= 0:
            done = k_call_special(method, self)
            if done == NULL:
                error = k_take_raised()
                if error != NULL:
                    if begun == 0:          # otherwise nobody is there to be told
                        report_unraisable(error, method)
                    Py_DECREF(error)
            else:
                Py_DECREF(done)
            hooks.end_unattended(begun)
        Py_DECREF(method)
    if raised != NULL:
        k_restore_raised(raised)


cdef int remember(cls) except -1:
    cdef TypeSlots *slots = get_slots(cls)
    key = id(cls)
    if slots.tp_finalize == host_finalize:
        slots.tp_finalize = <void *>guest_finalize
    k_take_dict_slots(<PyObject *>cls, <PyObject *>s_getitem, <PyObject *>s_setitem, <PyObject *>s_delitem)

    def forget(reference):
        try:
            guest_classes.pop(key, None)
        except Stopped:
            # The hash of the key was guarded, and the run is over its time. What was told is not told again at once.
            guest_classes.pop(key, None)

    # Not by the type's constructor, which takes the callback for the guest's: it would not be called once the guest was stopped.
    guest_classes[key] = PyWeakref_NewRef(cls, forget), current_serial()
    return 0


def serial_of_class(cls):
    """Serial number of the context whose class statement made a class, or None. The gate shows a guest only its own."""
    entry = guest_classes.get(id(cls))
    return None if entry is None or entry[0]() is not cls else entry[1]


def freeze_class(cls):
    """Makes a class an immutable type, for good."""
    cdef TypeSlots *slots = get_slots(cls)
    slots.tp_flags |= IMMUTABLE_TYPE
    PyType_Modified(slots)


cdef extern from *:
    """
    static int k_class_body_failed(void) { return -1; }
    /* Whether a class has a method from dict itself. */
    static int k_is_of_dict(PyObject *cls, PyObject *name) {
        PyObject *found = _PyType_Lookup((PyTypeObject *)cls, name);
        return found != NULL && found == _PyType_Lookup(&PyDict_Type, name);
    }
    /* type.__new__ gives a class that derives from dict slots that look the method up and call it, also where the method is
       dict's own; dict's slots do the same without that. Setting or deleting such a method later chooses the slots anew. */
    static void k_take_dict_slots(PyObject *cls, PyObject *getitem, PyObject *setitem, PyObject *delitem) {
        PyTypeObject *t = (PyTypeObject *)cls;
        PyMappingMethods *of_dict = PyDict_Type.tp_as_mapping;
        if (!(t->tp_flags & Py_TPFLAGS_DICT_SUBCLASS) || !(t->tp_flags & Py_TPFLAGS_HEAPTYPE)) return;
        if (t->tp_as_mapping->mp_subscript != of_dict->mp_subscript && k_is_of_dict(cls, getitem))
            t->tp_as_mapping->mp_subscript = of_dict->mp_subscript;
        if (t->tp_as_mapping->mp_ass_subscript != of_dict->mp_ass_subscript && k_is_of_dict(cls, setitem)
                && k_is_of_dict(cls, delitem))
            t->tp_as_mapping->mp_ass_subscript = of_dict->mp_ass_subscript;
    }
    /* The attribute of the type, not bound: a new reference, or NULL without an exception. */
    static PyObject *k_lookup_special(PyObject *self, PyObject *name) {
        return Py_XNewRef(_PyType_Lookup(Py_TYPE(self), name));
    }
    static PyObject *k_call_special(PyObject *method, PyObject *self) {
        descrgetfunc get = Py_TYPE(method)->tp_descr_get;
        PyObject *bound, *result;
        if (get == NULL || (Py_TYPE(method)->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR)) {
            return get == NULL ? PyObject_CallNoArgs(method) : PyObject_CallOneArg(method, self);
        }
        bound = get(method, self, (PyObject *)Py_TYPE(self));
        if (bound == NULL) { return NULL; }
        result = PyObject_CallNoArgs(bound);
        Py_DECREF(bound);
        return result;
    }
    static int k_is_subtype(PyObject *a, PyObject *b) { return PyType_IsSubtype((PyTypeObject *)a, (PyTypeObject *)b); }
    """
    int raise_pending "k_class_body_failed"() except -1
    PyObject *k_lookup_special(PyObject *self, PyObject *name) noexcept
    void k_take_dict_slots(PyObject *cls, PyObject *getitem, PyObject *setitem, PyObject *delitem) noexcept
    PyObject *k_call_special(PyObject *method, PyObject *self) noexcept

cdef extern from "layout.h":
    PyObject *k_take_raised() noexcept
    void k_restore_raised(PyObject *exc) noexcept

cdef extern from "Python.h":
    object PyStaticMethod_New(object function)
    object PyClassMethod_New(object function)
    bint PyDict_Check(object o)
    bint PyDict_CheckExact(object o)
    bint PyType_Check(object o)
    bint PyType_IsSubtype "k_is_subtype"(PyObject *a, PyObject *b) noexcept
    bint PyMapping_Check(object o)
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    int PyDict_SetItem(object d, object key, object value) except -1

cdef object HostCell = types.CellType
# Guest cell by its id -> (the cell, the host cell that type.__new__ fills), until it is filled or given up.
cdef dict cells_to_fill = {}
cdef enum:
    MAX_CELLS = 1000
cdef str s_del = "__del__", s_getitem = "__getitem__", s_setitem = "__setitem__", s_delitem = "__delitem__"
cdef str s_prepare = "__prepare__", s_mro_entries = "__mro_entries__", s_metaclass = "metaclass"
cdef str s_classcell = "__classcell__", s_orig_bases = "__orig_bases__"
cdef str s_module = "__module__", s_name = "__name__"
cdef str s_new = "__new__", s_init_subclass = "__init_subclass__", s_class_getitem = "__class_getitem__"


def adopt_class(cls, serial):
    """Notes a class, which came from a snapshot, as one of the guest whose context has that serial number."""
    remember(cls)
    guest_classes[id(cls)] = guest_classes[id(cls)][0], serial


cdef int wrap(dict namespace, name, bint as_class_method) except -1:
    cdef PyObject *found = PyDict_GetItemWithError(namespace, name)
    if found != NULL and type(<object>found) is Function:
        if as_class_method:
            PyDict_SetItem(namespace, name, PyClassMethod_New(<object>found))
        else:
            PyDict_SetItem(namespace, name, PyStaticMethod_New(<object>found))
    return 0


cdef int fix_in_place(dict namespace) except -1:
    wrap(namespace, s_new, False)
    wrap(namespace, s_init_subclass, True)
    wrap(namespace, s_class_getitem, True)
    return 0


cdef dict fix_namespace(dict namespace):
    cdef PyObject *found
    cdef bint changes = PyDict_GetItemWithError(namespace, s_module) == NULL
    for name in (s_new, s_init_subclass, s_class_getitem):
        found = PyDict_GetItemWithError(namespace, name)
        if found != NULL and type(<object>found) is Function:
            changes = True
    found = PyDict_GetItemWithError(namespace, s_classcell)
    if found != NULL and type(<object>found) is Cell:
        namespace = dict(namespace)
        namespace[s_classcell] = host_cell_for(<Cell>found)
        changes = True
    if not changes:
        return namespace
    namespace = dict(namespace)
    fix_in_place(namespace)
    if s_module not in namespace:
        # type.__new__ would take the name of the module of the host that happens to run the guest.
        found = hooks.frame_globals()
        if found != NULL:
            found = PyDict_GetItemWithError(<object>found, s_name)
            if found != NULL:
                namespace[s_module] = <object>found
    return namespace


cdef bint calls_type_as_guest(meta):
    """Whether a metaclass has a ``__new__`` of the guest and none of the host before type's: the core watches guest code
    call type.__new__."""
    cdef bint found_one = False
    for cls in meta.__mro__:
        if cls is type:
            return found_one
        found = type.__getattribute__(cls, "__dict__").get(s_new)
        if found is not None:
            if type(getattr(found, "__func__", found)) is not Function:
                return False
            found_one = True
    return False


cdef int fix_mapping(namespace) except -1:
    """fix_namespace for what a ``__prepare__`` returned that is no dict."""
    for name, kind in ((s_new, staticmethod), (s_init_subclass, classmethod), (s_class_getitem, classmethod)):
        try:
            found = namespace[name]
        except KeyError:
            continue
        if type(found) is Function:
            namespace[name] = kind(found)
    return 0


cdef object EMPTY = object()


cdef object contents(host):
    """Contents of a cell of the host, or EMPTY."""
    try:
        return host.cell_contents
    except ValueError:
        return EMPTY


cdef int fill(Cell cell, value) except -1:
    cell.cell_contents = value
    return 0


cdef bint resolve_cell(Cell cell) noexcept:
    if not cells_to_fill:
        return False
    entry = cells_to_fill.get(<size_t><PyObject *>cell)
    if entry is None:
        return False
    found = contents(entry[1])
    if found is EMPTY:                  # the class does not exist yet
        return False
    del cells_to_fill[<size_t><PyObject *>cell]
    fill(cell, found)
    return True


cdef bint resolve_raw(PyObject *cell) noexcept:
    return resolve_cell(<Cell>cell)


resolve_empty_cell = resolve_raw


cdef object host_cell_for(Cell cell):
    """A new host cell that stands for a guest cell in a namespace that type.__new__ gets."""
    host = HostCell()
    if len(cells_to_fill) >= MAX_CELLS:
        cells_to_fill.clear()
    cells_to_fill[<size_t><PyObject *>cell] = (cell, host)
    return host


cdef tuple resolve_bases(tuple bases):
    """The bases after ``__mro_entries__`` of those that are no classes; the same tuple when there are none."""
    cdef list resolved = None
    cdef Py_ssize_t i
    for i, base in enumerate(bases):
        if not PyType_Check(base):
            entries = getattr(base, s_mro_entries, None)
            if entries is not None:
                found = entries(bases)
                if not isinstance(found, tuple):
                    raise TypeError("__mro_entries__ must return a tuple")
                if resolved is None:
                    resolved = list(bases[:i])
                resolved.extend(found)
                continue
        if resolved is not None:
            resolved.append(base)
    return bases if resolved is None else tuple(resolved)


cdef object most_derived(meta, tuple bases):
    """The metaclass that is a subclass of all others; TypeError when there is none."""
    winner = meta
    for base in bases:
        candidate = type(base)
        if PyType_IsSubtype(<PyObject *>winner, <PyObject *>candidate):
            continue
        if PyType_IsSubtype(<PyObject *>candidate, <PyObject *>winner):
            winner = candidate
            continue
        raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the "
                        "metaclasses of all its bases")
    return winner


cdef object run_body(func, namespace):
    cdef PyObject *cell = hooks.run_class_body(<PyObject *>func, <PyObject *>namespace)
    if cell == NULL:
        raise_pending()
    result = <object>cell
    Py_DECREF(cell)
    return result


cdef object class_name(meta, bint is_class):
    return meta.__name__ if is_class else "<metaclass>"


cpdef object build_class(func, name, tuple original_bases, dict keywords):
    """Makes the class of a class statement.

    func: the guest function of the body.  keywords: those of the class statement; the dict is consumed.
    Returns what the metaclass returns.  Raises what the body or the metaclass raises, and the TypeErrors of CPython.
    """
    cdef bint is_class, is_guest
    if type(func) is not Function:
        raise TypeError("__build_class__: func must be a function")
    if not isinstance(name, str):
        raise TypeError("__build_class__: name is not a string")
    bases = original_bases
    if bases:
        bases = resolve_bases(bases)
    meta = None
    if keywords:
        meta = keywords.pop(s_metaclass, None)
    if meta is None:
        meta = type(bases[0]) if bases else type
        is_class = True
    else:
        is_class = PyType_Check(meta)
    if is_class:
        meta = most_derived(meta, bases)
    if meta is type:
        namespace = {}
    else:
        prepare = getattr(meta, s_prepare, None)
        if prepare is None:
            namespace = {}
        else:
            namespace = prepare(name, bases, **keywords)
            if not PyMapping_Check(namespace):
                raise TypeError(f"{class_name(meta, is_class)}.__prepare__() must return a mapping, not "
                                f"{type_name_of(namespace)}")
    cell = run_body(func, namespace)
    if bases is not original_bases:
        namespace[s_orig_bases] = original_bases
    is_guest = meta is not type and is_class and calls_type_as_guest(meta)
    if not is_guest:
        if PyDict_Check(namespace):
            fix_in_place(<dict>namespace)
        else:
            fix_mapping(namespace)
    if type(cell) is Cell:
        # A guest metaclass gets the guest's cell; on its way to type.__new__ the core passes fix_namespace.
        mark = cell if is_guest else host_cell_for(<Cell>cell)
        if PyDict_Check(namespace):
            PyDict_SetItem(namespace, s_classcell, mark)
        else:
            namespace[s_classcell] = mark
    try:
        cls = meta(name, bases, namespace, **keywords) if keywords else meta(name, bases, namespace)
    except BaseException:
        if type(cell) is Cell:
            cells_to_fill.pop(<size_t><PyObject *>cell, None)
        raise
    if PyType_Check(cls):
        if type(cell) is Cell:
            check_cell(<Cell>cell, name, cls)
        remember(cls)
    return cls


cdef int check_cell(Cell cell, name, cls) except -1:
    """The ``__class__`` cell must hold the new class now."""
    if cell.value.tag == T_UNDEF and not resolve_cell(cell):
        cells_to_fill.pop(<size_t><PyObject *>cell, None)
        raise RuntimeError(f"__class__ not set defining {name!r} as {cls!r}. Was __classcell__ propagated to type.__new__?")
    found = cell.cell_contents
    if found is not cls:
        raise TypeError(f"__class__ set to {found!r} defining {name!r} as {cls!r}")
    return 0


def __build_class__(*args, **keywords):
    """__build_class__(func, name, /, *bases, [metaclass], **kwds) -> class

Internal helper function used by the class statement.
"""
    if len(args) < 2:
        raise TypeError("__build_class__: not enough arguments")
    return build_class(args[0], args[1], args[2:], keywords)
