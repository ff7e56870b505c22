# Which classes a guest may look into, and which of their names: the tables of exposure.py, looked up once for each type.

# Listed type by its id -> (a weak reference to it, its names). By id, because a metaclass may define __hash__ and __eq__;
# weak, because some modules of the host, and their types, are made anew for each guest.
cdef dict LISTED = {}
# Roots of the modules that hosts have handed to guests as they are.
cdef set trusted_roots = set()
cdef set looked_for = set()             # keys of OWN whose types are listed
# Listed types whose instances look a name up in another object, natively.
cdef tuple FORWARDING = (types.MethodType, types.GenericAlias, weakref.ProxyType, weakref.CallableProxyType, super)
cdef object PROXY = weakref.ProxyType, CALLABLE_PROXY = weakref.CallableProxyType
# ... and those where it depends on the instance what it shows.
cdef tuple LOOKED_AT = FORWARDING + (types.ModuleType,)
# Types of the host whose instances no guest may change in any way.
cdef tuple READ_ONLY = (types.FunctionType,)


def forget_type(ident, reference):
    """A listed type is gone: another object may get its id."""
    LISTED.pop(ident, None)


cdef int list_names(cls, names) except -1:
    """Enters a type into the tables."""
    LISTED[id(cls)] = (PyWeakref_NewRef(cls, functools.partial(forget_type, id(cls))), names)
    for name in type.__getattribute__(cls, "__dict__"):
        if name not in names:
            INTERESTING[sys.intern(name)] = None
    return 0


cdef object names_of(str key, dict table, dict private):
    """The names that the tables list for a type; None when it stands in none."""
    public = table.get(key)
    if public is None:
        return None
    names = set(public.split())
    names.update(exposure.UNDERSCORED)
    names.difference_update(exposure.WITHHELD.get(key, "").split())
    names.update(private.get(key, "").split())
    return frozenset(names)


cdef int list_own_types() except -1:
    """Lists the types of this package whose modules have been loaded since."""
    for key in exposure.OWN:
        if key not in looked_for:
            module, _, name = key.partition(":")
            cls = getattr(sys.modules.get(module), name, None)
            if cls is not None:
                looked_for.add(key)
                list_names(cls, names_of(key, exposure.OWN, exposure.OWN_PRIVATE))
    return 0


cdef bint list_type(cls) except -1:
    """Finds a type in the tables; False when it stands in none."""
    cdef KHeap *heap = leave_heap()         # most types stay for the process
    try:
        return find_type(cls)
    finally:
        return_to_heap(heap)


cdef bint find_type(cls) except -1:
    list_own_types()
    if id(cls) in LISTED:
        return True
    module = type.__getattribute__(cls, "__module__")
    name = type.__getattribute__(cls, "__qualname__")
    if type(module) is not str or type(name) is not str:
        return False
    names = names_of(f"{module}.{name}", exposure.HOST, exposure.HOST_PRIVATE)
    if names is None:
        if module.partition(".")[0] not in trusted_roots:
            return False
        names = frozenset([each for each in type.__getattribute__(cls, "__dict__")
                           if not each.startswith("__") or each in exposure.UNDERSCORED])
    list_names(cls, names)
    return True


def trust(name):
    """What a module of the host and its submodules define may be used by guests, but for names with an underscore.

    name: of a module that the host hands to guests as it is.
    """
    trusted_roots.add(name.partition(".")[0])


def let_through(cls):
    """A class of the host whose instances guard their attributes themselves: guests may read what they answer to."""
    k_add_flags(<PyObject *>cls, K_MADE)


cdef object sealed_base = None


def seal(base):
    """Classes derived from base do not show their dictionary."""
    global sealed_base
    sealed_base = base


cdef bint is_being_made(cls) except -1:
    """Whether type.__new__ is making the class for guest code right now."""
    cdef PyObject *found
    cdef int depth = 0
    if not k_flags_of(<PyObject *>cls) & HEAP_TYPE:
        return False
    contents = type.__getattribute__(cls, "__dict__")
    while True:
        found = k_arguments_under_way(depth)
        if found == NULL:
            return False
        arguments = <object>found
        depth += 1
        if type(arguments) is not tuple or len(arguments) != 3 or not isinstance(arguments[2], dict):
            continue
        if <object>k_bases_of(<PyObject *>cls) is not arguments[1] and arguments[1] != ():
            continue
        if type.__getattribute__(cls, "__name__") != arguments[0]:
            continue
        # A namesake of the host's does not hold the very objects of the namespace.
        same = [contents.get(name) is value for name, value in dict.items(arguments[2])
                if name not in ("__new__", "__init_subclass__", "__class_getitem__", "__slots__", "__classcell__",
                                "__qualname__", "__module__", "__doc__")]
        if all(same) and (same or arguments[1] != ()):
            return True


cdef bint is_open(PyObject *cls) except -1:
    """Whether every class of the MRO is listed or made by guest code."""
    cdef unsigned long flags = k_flags_of(cls)
    cdef PyObject *mro
    cdef PyObject *each
    cdef Py_ssize_t i
    cdef unsigned long found = K_OPEN
    if flags & K_OPEN:
        return True
    mro = k_mro_of(cls)
    if mro == NULL:                     # it is being made: mro() of its metaclass runs
        return flags & K_MADE != 0 or k_arguments_under_way(0) != NULL
    for i in range(PyTuple_GET_SIZE(mro)):
        each = PyTuple_GET_ITEM(mro, i)
        flags = k_flags_of(each)
        found |= flags & K_STATE
        if flags & K_MADE:
            continue
        if id(<object>each) in LISTED:
            if is_one_of(each, LOOKED_AT):
                found |= K_LOOK
        elif is_being_made(<object>each):
            k_add_flags(each, K_MADE)
        elif list_type(<object>each):
            if is_one_of(each, LOOKED_AT):
                found |= K_LOOK
        else:
            return False
    k_add_flags(cls, found)
    return True


cdef bint is_one_of(PyObject *cls, tuple those) noexcept:
    cdef Py_ssize_t i
    for i in range(PyTuple_GET_SIZE(<PyObject *>those)):
        if PyTuple_GET_ITEM(<PyObject *>those, i) == cls:
            return True
    return False


cdef PyObject *owner_of(PyObject *cls, PyObject *name, PyObject **value) except? NULL:
    """The first class of the MRO that defines a name (borrowed), or NULL; *value: what it is there, borrowed."""
    cdef PyObject *mro = k_mro_of(cls)
    cdef PyObject *contents
    cdef Py_ssize_t i
    value[0] = NULL
    if mro == NULL:
        return NULL
    for i in range(PyTuple_GET_SIZE(mro)):
        contents = k_type_dict_of(PyTuple_GET_ITEM(mro, i))
        if contents == NULL:
            continue
        value[0] = PyDict_GetItemRaw(contents, name)
        Py_DECREF(contents)
        if value[0] != NULL:
            return PyTuple_GET_ITEM(mro, i)
    return NULL


cdef bint owner_lists(PyObject *owner, PyObject *name) except -1:
    """Whether the class that defines a name lets guests have it."""
    if k_flags_of(owner) & K_MADE:
        return True
    entry = LISTED.get(id(<object>owner))
    return entry is not None and <object>name in <object>(<tuple>entry)[1]


cdef bint is_withheld(PyObject *o, PyObject *name) except -1:
    """Whether the tables keep a name of an open type, or of an open class, from guests."""
    cdef PyObject *value
    cdef PyObject *static_value
    cdef PyObject *owner = owner_of(<PyObject *>Py_TYPE(o), name, &value)
    cdef PyObject *static_owner
    if PyType_Check(o):
        static_owner = owner_of(o, name, &static_value)
        if static_owner != NULL and (owner == NULL or not k_is_data(value)):
            owner = static_owner
    return owner != NULL and not owner_lists(owner, name)


# ---- classes made by guest code --------------------------------------------------------------
cdef int check_bases(PyObject *args) except -1:
    """TypeError when guest code derives from a class that it may not look into."""
    bases = (<object>args)[1] if type(<object>args) is tuple and len(<object>args) > 1 else ()
    if type(bases) is tuple:
        for base in bases:
            if PyType_Check(<PyObject *>base) and not is_open(<PyObject *>base) and not issubclass_of_exception(base):
                raise TypeError(f"type '{type.__getattribute__(base, '__name__')}' is not an acceptable base type")
    return 0


cdef bint issubclass_of_exception(cls) except -1:
    return BaseException in type.__getattribute__(cls, "__mro__")


cdef int mark_new_classes() except -1:
    """From here on type.__new__ marks what it makes for guests, also by way of metaclasses that inherited it."""
    waiting = [type]
    k_mark_new_classes(hooks_direct, <raw_check><void *>check_bases)
    while waiting:
        for each in type.__subclasses__(waiting.pop()):
            k_inherit_new(<PyObject *>each)
            waiting.append(each)
    return 0


cdef int hooks_direct() noexcept:
    return hooks.guest_is_direct != NULL and hooks.guest_is_direct()


ctypedef int (*raw_check)(PyObject *) noexcept
