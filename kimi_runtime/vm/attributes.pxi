# Inline caches of global names and attributes.
#
# Guards: the version of a dict's key table (globals, shared keys of instances) and the version tag of a type. While a guard
# holds, what the site points to (`target`) is kept alive by that type or dict, so sites own nothing.

cdef enum CacheKind:
    C_EMPTY = 0
    C_GLOBAL = 1           # version: keys of globals; index
    C_BUILTIN = 2          # version: keys of globals, version2: keys of builtins; index
    A_VALUE = 3            # instance value table: version, index; where an instance has a dict by now, there
    A_SLOT = 4             # __slots__ member: version, index = offset
    A_METHOD = 5           # method found on the type; instances have no dict
    A_METHOD_VALUES = 6    # ... instance value table whose shared keys (version2) lack the name, or a dict that does
    A_METHOD_DICT = 7      # ... instances have no value table: their dict is looked at first
    A_CLASS_ATTR = 8       # attribute of a class object: version of that class; target
    A_CLASS_METHOD = 9     # classmethod or staticmethod found on a class object
    A_CONST = 10           # class attribute that is not a descriptor, through an instance without dict
    A_CONST_VALUES = 11    # ... as A_METHOD_VALUES
    A_CONST_DICT = 12      # ... as A_METHOD_DICT
    A_PROPERTY = 13        # property whose getter is a guest function: target = the property
    A_MODULE = 14          # module dict: version, index
    A_DICT = 15            # instance with a dict of its own; no class attribute
    A_STORE_VALUE = 16
    A_STORE_SLOT = 17
    A_NONE = 18            # not cacheable: the generic path
    A_TYPE = 19            # o.__class__ as object has it: version
    A_DESCRIPTOR = 20      # member or getset of a C type, asked on the generic path: version; target
    A_TUPLE_ITEM = 21      # field of a named tuple: version, index
    A_STORE_DICT = 22      # as A_DICT
    A_DEFAULT = 23         # class attribute that instances may set too: version2 = index in the value table; target
    A_BOUND_VALUES = 24    # as A_METHOD_VALUES, of a classmethod or staticmethod
    A_SUPER = 25           # of super(aux, C): version of C; index: what target is (supers.pxi)
    A_SUPER_METHOD = 26    # of super(aux, o): version of o's class; target is a method

cdef inline PyObject *name_error_global(PyObject *name) noexcept:
    PyErr_Format(PyExc_NameError, b"name '%U' is not defined", name)
    set_name_attribute(name)
    return NULL

cdef void set_name_attribute(PyObject *name) noexcept:
    """Sets NameError.name, from which suggestions are made."""
    cdef PyObject *exc = k_take_raised()
    if exc != NULL:
        PyObject_SetAttr(exc, <PyObject *>STR_NAME, name)
        PyErr_Clear()
        k_restore_raised(exc)

# What a namespace with a __getitem__ of its own gave last: keeps it alive until the instruction has taken its reference.
cdef PyObject *found_in_mapping = NULL

cdef void drop_found_in_mapping() noexcept:
    global found_in_mapping
    cdef PyObject *old
    while found_in_mapping != NULL:     # its finalizer may look names up too
        old = found_in_mapping
        found_in_mapping = NULL
        Py_DECREF(old)

cdef PyObject *load_from_mapping(Frame *f, PyObject *name, bint named) noexcept:
    """As load_global_slow, for globals or builtins that are no plain dict.

    named: the instruction is LOAD_NAME, which looks for a key of a dict subclass without its methods after them.
    """
    global found_in_mapping
    cdef PyObject *o = PyObject_GetItem(f.globals, name)
    if o == NULL:
        if not PyErr_ExceptionMatches(PyExc_KeyError):
            return NULL
        PyErr_Clear()
        if named:
            o = PyDict_GetItemWithError(f.globals, name)
            if o == NULL and PyErr_Occurred() != NULL:
                return NULL
            Py_XINCREF(o)
    if o == NULL:
        o = PyObject_GetItem(f.builtins, name)
        if o == NULL:
            if PyErr_ExceptionMatches(PyExc_KeyError):
                PyErr_Clear()
                name_error_global(name)
            return NULL
    drop_found_in_mapping()
    found_in_mapping = o
    return o

cdef PyObject *module_of_builtins(Frame *f) noexcept:
    """What the name __builtins__ means where the program has given it no meaning: borrowed, or NULL."""
    global found_in_mapping
    cdef PyObject *module
    if PyDict_GetItemWithError(f.builtins, <PyObject *>STR_IMPORT) == NULL:
        return name_error_global(<PyObject *>STR_BUILTINS)
    try:
        imported = (<dict>f.builtins)["__import__"]("builtins")
    except BaseException as error:
        restore_object(error)
        return NULL
    module = <PyObject *>imported
    Py_INCREF(module)
    drop_found_in_mapping()
    found_in_mapping = module
    return module

cdef PyObject *load_global_slow(Frame *f, CacheSite *site, bint named) noexcept:
    """Global or builtin of the site's name: borrowed, or NULL with NameError. Fills the cache."""
    cdef uint32_t v, v2
    cdef Py_ssize_t i
    cdef PyObject *o
    site.kind = C_EMPTY
    if not PyDict_CheckExact(f.globals) or not PyDict_CheckExact(f.builtins):
        return load_from_mapping(f, site.name, named)
    o = PyDict_GetItemWithError(f.globals, site.name)
    if o != NULL:
        i = k_dict_index(f.globals, site.name, &v)
        if i >= 0 and v != 0:
            site.kind = C_GLOBAL
            site.version = v
            site.index = i
        return o
    if PyErr_Occurred() != NULL:
        return NULL
    o = PyDict_GetItemWithError(f.builtins, site.name)
    if o == NULL:
        if PyErr_Occurred() == NULL:
            if PyUnicode_Compare(site.name, <PyObject *>STR_BUILTINS) == 0:
                return module_of_builtins(f)
            name_error_global(site.name)
        return NULL
    k_dict_index(f.globals, site.name, &v)
    i = k_dict_index(f.builtins, site.name, &v2)
    if i >= 0 and v != 0 and v2 != 0:
        site.kind = C_BUILTIN
        site.version = v
        site.version2 = v2
        site.index = i
    return o

cdef inline PyObject *load_global(Frame *f, CacheSite *site, bint named) noexcept:
    cdef PyObject *o
    if K_EVEN(site.kind == C_GLOBAL):
        if K_LIKELY(k_dict_version(f.globals) == site.version):
            o = k_dict_value_at(f.globals, site.index)
            if K_LIKELY(o != NULL):
                return o
    elif K_LIKELY(site.kind == C_BUILTIN):
        if K_LIKELY(k_dict_version(f.globals) == site.version) and K_LIKELY(k_dict_version(f.builtins) == site.version2):
            o = k_dict_value_at(f.builtins, site.index)
            if K_LIKELY(o != NULL):
                return o
    return load_global_slow(f, site, named)

cdef PyObject *load_name_slow(Frame *f, CacheSite *site) noexcept:
    """Name in the namespace mapping, then global, then builtin: new reference or NULL."""
    cdef PyObject *o
    if PyDict_CheckExact(f.ns):
        o = PyDict_GetItemWithError(f.ns, site.name)
        if o != NULL:
            Py_INCREF(o)
            return o
        if PyErr_Occurred() != NULL:
            return NULL
    else:
        o = PyObject_GetItem(f.ns, site.name)
        if o != NULL:
            return o
        if not PyErr_ExceptionMatches(PyExc_KeyError):
            return NULL
        PyErr_Clear()
    if PyDict_CheckExact(f.globals):
        o = load_global_slow(f, site, 1)
        Py_XINCREF(o)
        return o
    o = PyDict_GetItemWithError(f.globals, site.name)
    if o != NULL:
        Py_INCREF(o)
        return o
    if PyErr_Occurred() != NULL:
        return NULL
    o = PyObject_GetItem(f.builtins, site.name)
    if o == NULL and PyErr_ExceptionMatches(PyExc_KeyError):
        PyErr_Clear()
        name_error_global(site.name)
    return o

cdef int store_name(Frame *f, PyObject *name, PyObject *value) noexcept:
    if PyDict_CheckExact(f.ns):
        return PyDict_SetItem(f.ns, name, value)
    return PyObject_SetItem(f.ns, name, value)

cdef int delete_name(Frame *f, PyObject *name) noexcept:
    cdef int r = PyObject_DelItem(f.ns, name)
    if r < 0 and PyErr_ExceptionMatches(PyExc_KeyError):
        PyErr_Clear()
        name_error_global(name)
    return r

cdef extern from *:
    """
    /* From 3.13 on the flag is not set any more: a version that is not 0 is valid. */
    #if PY_VERSION_HEX >= 0x030D0000
    #define k_valid_version(t) (((PyTypeObject *)(t))->tp_version_tag != 0)
    #else
    #define k_valid_version(t) (((t)->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG) && (t)->tp_version_tag != 0)
    #endif
    """
    bint k_valid_version(PyTypeObject *t) noexcept

cdef inline bint valid_version(PyTypeObject *t) noexcept:
    return k_valid_version(t)

cdef inline bint is_heap_type(PyTypeObject *t) noexcept:
    return ((<PyTypeFull *>t).tp_flags & Py_TPFLAGS_HEAPTYPE) != 0

cdef PyObject *object_class = NULL       # the descriptor object.__class__, once it was looked up

cdef inline PyObject *object_class_descriptor() noexcept:
    global object_class
    if object_class == NULL:
        object_class = _PyType_Lookup(&PyBaseObject_Type, <PyObject *>STR_CLASS)
    return object_class

cdef bint found_property(PyObject *o, CacheSite *site) noexcept:
    """Whether the site's attribute of o is a property with a guest's getter, which the site then knows."""
    cdef PyObject *found = _PyType_Lookup(Py_TYPE(o), site.name)
    if found == NULL or Py_TYPE(found) != &PyProperty_Type or gate_guards(o, site.name):
        return 0
    fill_attr(site, o, 0)
    return site.kind == A_PROPERTY and k_type_version(Py_TYPE(o)) == site.version

cdef enum:
    MANY_FILLS = 200
    FILL_SELDOM = 32            # a power of two

cdef bint worth_filling(CacheSite *site) noexcept:
    """Counts a miss. Where many kinds of objects come by, filling costs more than it gives; but code is shared by runs, each of
    which has classes of its own, so now and then it is tried."""
    site.counter += 1
    if site.counter >= MANY_FILLS + FILL_SELDOM:
        site.counter = MANY_FILLS
    return site.counter <= MANY_FILLS

cdef void fill_attr(CacheSite *site, PyObject *o, bint method) noexcept:
    """Chooses the cache of a LOAD_ATTR or LOAD_METHOD site for this kind of object."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyTypeFull *tf = <PyTypeFull *>t
    cdef PyTypeObject *dt
    cdef PyObject *d
    cdef PyObject *name = site.name
    cdef Py_ssize_t i, at
    cdef uint32_t v
    cdef PyMemberDef *member
    if not worth_filling(site):
        return
    site.kind = A_NONE
    if tf.tp_getattro == module_getattro:
        i = -1
        v = 0
        if PyModule_CheckExact(o):
            i = k_dict_index(module_dict(o), name, &v)
        if i >= 0 and v != 0 and _PyType_Lookup(t, name) == NULL:
            site.kind = A_MODULE
            site.version = v
            site.index = i
        return
    if tf.tp_getattro == type_getattro:
        fill_class_attr(site, o, method)
        return
    if tf.tp_getattro != PyObject_GenericGetAttr:
        return
    d = _PyType_Lookup(t, name)
    if not valid_version(t):
        return
    site.version = k_type_version(t)
    if d != NULL:
        dt = Py_TYPE(d)
        if (<PyTypeFull *>dt).tp_descr_set != NULL:
            if dt == &PyMemberDescr_Type:
                member = (<PyMemberDescrObject *>d).d_member
                if member.type == T_OBJECT_EX:
                    site.kind = A_SLOT
                    site.index = member.offset
            elif dt == &PyProperty_Type and not method:
                if property_getter(d) != NULL and Py_TYPE(property_getter(d)) == FunctionType:
                    site.kind = A_PROPERTY
                    site.target = d          # its getter is looked at again each time: property.__init__ may change it
            elif dt == &PyGetSetDescr_Type and not method and d == object_class_descriptor():
                site.kind = A_TYPE
            elif dt == TupleGetterType and tuple_getter_works and PyTuple_Check(o):
                site.kind = A_TUPLE_ITEM
                site.index = (<TupleGetter *>d).index
            if site.kind == A_NONE and not method and (
                    dt == &PyGetSetDescr_Type or dt == &PyMemberDescr_Type or dt == TupleGetterType):
                site.index = 0
                site.kind = A_DESCRIPTOR
                site.target = d
            return
        # A non-data descriptor or plain value: an entry of the instance would win. What it is depends on its own class,
        # which for classes of the guest can change.
        site.index = 0
        if is_heap_type(dt) and not note_value_type(site, d):
            return
        # An entry of the instance would win.
        if gate_replacement(d) != NULL:
            if not method:
                return
            d = gate_replacement(d)
        site.target = d
        i = 0
        if (<PyTypeFull *>dt).tp_descr_get == NULL:
            i = A_CONST
        elif method and ((<PyTypeFull *>dt).tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR):
            i = A_METHOD
        elif method and (dt == &PyClassMethod_Type or dt == &PyStaticMethod_Type):
            i = A_BOUND_VALUES
        if i == 0:
            return
        if k_type_has_values(t) and is_heap_type(t):
            at = k_keys_index(k_type_keys(t), name)
            if at >= 0:
                if i == A_CONST:
                    site.kind = A_DEFAULT
                    site.version2 = <uint32_t>at
                return
            v = k_keys_version(k_type_keys(t))
            if v == 0:
                return
            site.version2 = v
            site.kind = <uint16_t>(A_METHOD_VALUES if i == A_METHOD else A_CONST_VALUES if i == A_CONST else A_BOUND_VALUES)
        elif i == A_BOUND_VALUES:
            return
        elif tf.tp_dictoffset == 0 and not k_type_managed_dict(t):
            site.kind = <uint16_t>i
        elif tf.tp_dictoffset > 0:
            site.kind = <uint16_t>(A_METHOD_DICT if i == A_METHOD else A_CONST_DICT)
        return
    i = -1
    if k_type_has_values(t) and is_heap_type(t):
        i = k_keys_index(k_type_keys(t), name)
    if i >= 0:
        site.kind = A_VALUE
        site.index = i
    elif k_type_managed_dict(t) or tf.tp_dictoffset > 0:
        site.kind = A_DICT

cdef void fill_class_attr(CacheSite *site, PyObject *o, bint method) noexcept:
    """Attribute of a class object: the metaclass must not have a say."""
    cdef PyTypeObject *meta = Py_TYPE(o)
    cdef PyTypeObject *t = <PyTypeObject *>o
    cdef PyObject *d
    if meta != &PyType_Type or _PyType_Lookup(meta, site.name) != NULL:
        return
    d = _PyType_Lookup(t, site.name)
    if d == NULL or not valid_version(t):
        return
    site.version = k_type_version(t)
    if is_heap_type(Py_TYPE(d)):
        if not note_value_type(site, d):
            return
    else:
        site.index = 0
    site.target = d
    if (<PyTypeFull *>Py_TYPE(d)).tp_descr_get == NULL or Py_TYPE(d) == FunctionType:
        site.kind = A_CLASS_ATTR
    elif method and (Py_TYPE(d) == &PyClassMethod_Type or Py_TYPE(d) == &PyStaticMethod_Type):
        site.kind = A_CLASS_METHOD

cdef bint note_value_type(CacheSite *site, PyObject *d) noexcept:
    """Remembers in site.index the version of the heap type of a class attribute; false when it has none."""
    _PyType_Lookup(Py_TYPE(d), <PyObject *>STR_GET)          # hands out a version
    if not valid_version(Py_TYPE(d)):
        return 0
    site.index = k_type_version(Py_TYPE(d))
    return 1

cdef inline PyObject *target_of(CacheSite *site) noexcept:
    """The cached class attribute, borrowed; NULL when its own class changed."""
    cdef PyObject *d = <PyObject *>site.target
    if site.index == 0 or k_type_version(Py_TYPE(d)) == site.index:
        return d
    return NULL

cdef inline int find_in_own_dict(PyObject *o, PyObject *name, PyObject ***place) noexcept:
    """Looks a name up in the dict that o has by now: as k_dict_find_str; K_MISSING also where it has none."""
    cdef PyObject *d = k_own_dict(o)
    return K_MISSING if d == NULL else k_dict_find_str(d, name, place)

cdef inline bint dict_lacks(PyObject *o, PyObject *name) noexcept:
    """Whether the dict of o, if it has one by now, is without that name; 0 also where asking might run code."""
    cdef PyObject **place
    return find_in_own_dict(o, name, &place) == K_MISSING

cdef PyObject *attr_of_dict(CacheSite *site, PyObject *o) noexcept:
    """As cached_attr, for an object without a value table, of the version that the site knows and a kind that asks its dict."""
    cdef PyObject **place
    cdef int found
    if site.kind == A_VALUE and k_shares_keys(k_own_dict(o), Py_TYPE(o)):
        return k_shared_value(k_own_dict(o), site.index)
    found = find_in_own_dict(o, site.name, &place)
    if found == K_FOUND:
        return place[0]
    if found == K_MISSING and (site.kind == A_CONST_VALUES or site.kind == A_CONST_DICT or site.kind == A_DEFAULT):
        return target_of(site)
    return NULL

cdef inline PyObject *cached_attr(CacheSite *site, PyObject *o) noexcept:
    """What the cache says about o.name: borrowed, or NULL (no exception) on a miss. Not for the method kinds."""
    cdef PyObject **values
    cdef uint32_t kind = site.kind
    if K_LIKELY(k_type_version(Py_TYPE(o)) == site.version):
        if K_LIKELY(kind == A_VALUE):
            values = k_values(o)
            if K_LIKELY(values != NULL):
                return values[site.index]
            return attr_of_dict(site, o)
        elif kind == A_DICT or kind == A_CONST_DICT:
            return attr_of_dict(site, o)
        elif kind == A_SLOT:
            return (<PyObject **>(<char *>o + site.index))[0]
        elif kind == A_TYPE:
            return <PyObject *>Py_TYPE(o)
        elif kind == A_CONST_VALUES:
            if k_values(o) == NULL:
                return attr_of_dict(site, o)
            if k_type_keys(Py_TYPE(o)).dk_version == site.version2:
                return target_of(site)
        elif kind == A_DEFAULT:
            values = k_values(o)
            if values == NULL:
                return attr_of_dict(site, o)
            if values[site.version2] != NULL:
                return values[site.version2]
            return target_of(site)
        elif kind == A_CONST:
            return target_of(site)
        elif kind == A_TUPLE_ITEM:
            if site.index < PyTuple_GET_SIZE(o):
                return PyTuple_GET_ITEM(o, site.index)
    elif kind == A_CLASS_ATTR:
        if Py_TYPE(o) == &PyType_Type and k_type_version(<PyTypeObject *>o) == site.version:
            return target_of(site)
    elif kind == A_MODULE:
        if PyModule_CheckExact(o) and k_dict_version(module_dict(o)) == site.version:
            return k_dict_value_at(module_dict(o), site.index)
    return NULL

# What fill_attr and set_attr found, by the version of the type and the name: a site where several types come by refills
# from here. Versions are never used twice, so what an entry points to is as alive as the type that still has its version.
# Guests share the table, so only what the gate lets a guest have gets into it: library code's finds stay at its own sites.
cdef struct AttrEntry:
    PyObject *name          # owned, so that no other name can have its address
    void *target
    int64_t index
    uint32_t version
    uint32_t version2
    uint16_t kind
    uint16_t use

cdef enum AttrUse:
    USE_LOAD = 0
    USE_METHOD = 1
    USE_STORE = 2
    USE_OF_CLASS = 4        # bit: the attribute of a class itself
    ATTR_ENTRIES = 2048

cdef AttrEntry attr_table[ATTR_ENTRIES]

cdef inline AttrEntry *attr_entry(uint32_t version, PyObject *name, uint16_t use) noexcept:
    return &attr_table[(version * 31 ^ <uint32_t>(<size_t>name >> 4) ^ use) & (ATTR_ENTRIES - 1)]

cdef bint refill_attr(CacheSite *site, PyObject *o, uint16_t use) noexcept:
    """Fills the site from the table: 1, or 0 when that does not know this type and name."""
    cdef AttrEntry *e
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject *getter
    if t == &PyType_Type:
        t = <PyTypeObject *>o
        use |= USE_OF_CLASS
    e = attr_entry(k_type_version(t), site.name, use)
    if e.name != site.name or e.version != k_type_version(t) or e.use != use or not valid_version(t):
        return 0
    if e.kind == A_PROPERTY:
        getter = property_getter(<PyObject *>e.target)
        if getter == NULL or Py_TYPE(getter) != FunctionType:
            return 0
    site.kind = e.kind
    site.version = e.version
    site.version2 = e.version2
    site.index = e.index
    site.target = e.target
    return 1

cdef void keep_attr(CacheSite *site, PyObject *o, uint16_t use) noexcept:
    """Puts what was found for o into the table."""
    cdef AttrEntry *e
    cdef PyObject *old
    cdef PyTypeObject *t = Py_TYPE(o)
    if t == &PyType_Type:
        t = <PyTypeObject *>o
        use |= USE_OF_CLASS
    if site.kind == A_NONE or site.kind == A_MODULE or site.version == 0 or site.version != k_type_version(t) or by_library():
        return
    e = attr_entry(site.version, site.name, use)
    old = e.name
    Py_INCREF(site.name)
    e.name = site.name
    e.kind = site.kind
    e.version = site.version
    e.version2 = site.version2
    e.index = site.index
    e.target = site.target
    e.use = use
    Py_XDECREF(old)

cdef bint remember_attr(CacheSite *site, PyObject *o) noexcept:
    """Whether the table knows o.name, and the site from now on."""
    if not refill_attr(site, o, USE_LOAD):
        return 0
    return site.kind == A_PROPERTY or cached_attr(site, o) != NULL

cdef PyObject *get_attr(PyObject *o, CacheSite *site) noexcept:
    """o.name on the generic path, filling the cache: new reference or NULL."""
    cdef PyObject *r
    cdef PyObject *d
    if site.kind == A_DESCRIPTOR and k_type_version(Py_TYPE(o)) == site.version:
        d = target_of(site)
        Py_INCREF(d)
        r = (<PyTypeFull *>Py_TYPE(d)).tp_descr_get(d, o, <PyObject *>Py_TYPE(o))
        Py_DECREF(d)
        if r == NULL and PyErr_ExceptionMatches(PyExc_AttributeError):
            PyErr_Clear()                       # once more, for an error that knows the object and the name
            return PyObject_GetAttr(o, site.name)
        return r
    if gate_guards(o, site.name):
        return load_guarded(o, site)
    r = PyObject_GetAttr(o, site.name)
    if r != NULL:
        fill_attr(site, o, 0)
        keep_attr(site, o, USE_LOAD)
    return r

cdef PyObject *load_guarded(PyObject *o, CacheSite *site) noexcept:
    """What the gate says o.name is: new reference or NULL. Fills the cache where a class always gives the same."""
    cdef PyObject *r = gate_load(o, site.name)
    if r != NULL and Py_TYPE(o) == &PyType_Type and valid_version(<PyTypeObject *>o) and gate_is_permanent(r):
        site.kind = A_CLASS_ATTR
        site.version = k_type_version(<PyTypeObject *>o)
        site.target = r
        site.index = 0
    return r

cdef int set_attr(PyObject *o, PyObject *value, CacheSite *site) noexcept:
    """o.name = value on the generic path, filling the cache."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject *d
    cdef Py_ssize_t i
    cdef PyMemberDef *member
    cdef int r
    if gate_guards_store(o, site.name):
        site.kind = A_NONE
        return gate_store(o, site.name, value)
    r = PyObject_SetAttr(o, site.name, value)
    if r < 0 or (<PyTypeFull *>t).tp_setattro != PyObject_GenericSetAttr or not worth_filling(site):
        return r
    site.kind = A_NONE
    d = _PyType_Lookup(t, site.name)
    if not valid_version(t):
        return r
    site.version = k_type_version(t)
    if d != NULL and (<PyTypeFull *>Py_TYPE(d)).tp_descr_set != NULL:
        if Py_TYPE(d) == &PyMemberDescr_Type:
            member = (<PyMemberDescrObject *>d).d_member
            if member.type == T_OBJECT_EX and not (member.flags & READONLY):
                site.kind = A_STORE_SLOT
                site.index = member.offset
        return r
    if d != NULL and is_heap_type(Py_TYPE(d)):
        return r                             # its class may become a data descriptor
    i = -1
    if k_type_has_values(t) and is_heap_type(t):
        i = k_keys_index(k_type_keys(t), site.name)
    if i >= 0:
        site.kind = A_STORE_VALUE
        site.index = i
    elif k_type_managed_dict(t) or (<PyTypeFull *>t).tp_dictoffset > 0:
        site.kind = A_STORE_DICT
    return r

cdef bint store_in_dict(CacheSite *site, PyObject *o, PyObject *value) noexcept:
    """As try_store, for an object with a dict of its own, of the version that the site knows."""
    cdef PyObject *old
    cdef PyObject **place
    if find_in_own_dict(o, site.name, &place) != K_FOUND or not k_dict_may_swap(k_own_dict(o), value):
        return 0
    old = place[0]
    place[0] = value
    Py_DECREF(old)
    return 1

cdef inline bint try_store(PyObject *o, PyObject *value, CacheSite *site) noexcept:
    """o.name = value by what the site knows: 1, and the reference to value is taken over; 0 on a miss."""
    cdef PyObject **slot
    cdef PyObject **values
    cdef PyObject *old
    if K_UNLIKELY(k_type_version(Py_TYPE(o)) != site.version):
        return 0
    if K_LIKELY(site.kind == A_STORE_VALUE):
        values = k_values(o)
        if K_LIKELY(values != NULL):
            old = values[site.index]
            values[site.index] = value
            if K_EVEN(old == NULL):
                k_values_inserted(values, site.index)
            else:
                Py_DECREF(old)
            return 1
        return store_in_dict(site, o, value)
    elif site.kind == A_STORE_DICT:
        return store_in_dict(site, o, value)
    elif site.kind == A_STORE_SLOT:
        slot = <PyObject **>(<char *>o + site.index)
        old = slot[0]
        slot[0] = value
        Py_XDECREF(old)
        return 1
    return 0

cdef inline bint stored_number(PyObject *o, const Value *v, CacheSite *site) noexcept:
    """o.name = v by changing the number object that the instance holds there: 1; 0 when an object is to be stored."""
    cdef PyObject **values
    if K_UNLIKELY(k_type_version(Py_TYPE(o)) != site.version):
        return 0
    if K_LIKELY(site.kind == A_STORE_VALUE):
        values = k_values(o)
        if K_LIKELY(values != NULL):
            return values[site.index] != NULL and rewrite_number(values[site.index], v)
    elif site.kind != A_STORE_DICT:
        return 0
    return find_in_own_dict(o, site.name, &values) == K_FOUND and rewrite_number(values[0], v)

cdef int store_attr_slow(PyObject *o, PyObject *value, CacheSite *site) noexcept:
    """The rest of store_attr; takes over the reference to value."""
    cdef int r
    if refill_attr(site, o, USE_STORE) and try_store(o, value, site):
        return 0
    r = set_attr(o, value, site)
    if r == 0:
        keep_attr(site, o, USE_STORE)
    Py_DECREF(value)
    return r

cdef int load_method_slow(Value *R, const Instr *ins, uint32_t ft, CacheSite *site) noexcept:
    """LOAD_METHOD without a cache hit. b is consumed unless it is R[a] or R[a+1], which are overwritten anyway."""
    cdef Value *b = &R[ins.t.abc.b]
    cdef PyObject *o = value_object(b)
    cdef PyTypeObject *t
    cdef PyObject *self
    cdef PyObject *d
    cdef PyObject *r
    if o == NULL:
        return -1
    if Py_TYPE(o) == &PySuper_Type:
        r = load_of_super(o, site, &self)
        if r != NULL:
            Py_XINCREF(self)
            Py_DECREF(o)
            return put_method(R, ins, ft, r, self)
        if PyErr_Occurred() != NULL:
            Py_DECREF(o)
            return -1
    if gate_guards(o, site.name):
        r = load_guarded(o, site)
        Py_DECREF(o)
        if r == NULL:
            return -1
        return put_method(R, ins, ft, r, NULL)
    t = Py_TYPE(o)
    if (<PyTypeFull *>t).tp_getattro == PyObject_GenericGetAttr:
        d = _PyType_Lookup(t, site.name)
        if d != NULL and ((<PyTypeFull *>Py_TYPE(d)).tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR):
            r = gate_replacement(d)
            if r != NULL:
                d = r
            Py_INCREF(d)
            r = instance_attr(o, site.name)
            if r == NULL:
                if PyErr_Occurred() != NULL:
                    Py_DECREF(d)
                    Py_DECREF(o)
                    return -1
                fill_attr(site, o, 1)
                keep_attr(site, o, USE_METHOD)
                return put_method(R, ins, ft, d, o)
            Py_DECREF(d)
            Py_DECREF(o)
            return put_method(R, ins, ft, r, NULL)
    r = PyObject_GetAttr(o, site.name)
    if r != NULL:
        fill_attr(site, o, 1)
        keep_attr(site, o, USE_METHOD)
    Py_DECREF(o)
    if r == NULL:
        return -1
    return put_method(R, ins, ft, r, NULL)

cdef PyObject *instance_attr(PyObject *o, PyObject *name) noexcept:
    """Entry of the instance's own dict or value table: new reference, or NULL (exception only on error)."""
    cdef PyTypeObject *t = Py_TYPE(o)
    cdef PyObject **values
    cdef PyObject *r
    cdef PyObject *d
    cdef Py_ssize_t i
    if k_type_has_values(t) and is_heap_type(t):
        values = k_values(o)
        if values != NULL:
            i = k_keys_index(k_type_keys(t), name)
            if i < 0 or values[i] == NULL:
                return NULL
            r = values[i]
            Py_INCREF(r)
            return r
    elif (<PyTypeFull *>t).tp_dictoffset == 0 and not k_type_managed_dict(t):
        return NULL
    d = PyObject_GenericGetDict(o, NULL)
    if d == NULL:
        if PyErr_ExceptionMatches(PyExc_AttributeError):
            PyErr_Clear()
        return NULL
    r = PyDict_GetItemWithError(d, name)
    if r != NULL:
        Py_INCREF(r)
    Py_DECREF(d)
    return r

cdef inline int put_method(Value *R, const Instr *ins, uint32_t ft, PyObject *function, PyObject *self) noexcept:
    """R[a], R[a+1] = function, self (or empty), taking over the references; consumes b."""
    cdef uint32_t b = ins.t.abc.b
    if b >= ft and b != ins.a and b != <uint32_t>ins.a + 1:
        value_clear(&R[b])
    put_pair(R, ins.a, function, self)
    return 0

cdef inline bint method_hit(CacheSite *site, PyObject *o) noexcept:
    """Whether o.name is the function site.target with o as self."""
    if K_UNLIKELY(k_type_version(Py_TYPE(o)) != site.version):
        return 0
    if K_EVEN(site.kind == A_METHOD):
        return 1
    if K_LIKELY(site.kind == A_METHOD_VALUES):
        if K_LIKELY(k_values(o) != NULL):
            return K_LIKELY(k_type_keys(Py_TYPE(o)).dk_version == site.version2)
        if k_shares_keys(k_own_dict(o), Py_TYPE(o)) and k_type_keys(Py_TYPE(o)).dk_version == site.version2:
            return 1
        return dict_lacks(o, site.name)
    return site.kind == A_METHOD_DICT and dict_lacks(o, site.name)

cdef PyObject *unwrapped_method(CacheSite *site, PyObject *o, PyObject **self) noexcept:
    """The function behind the classmethod or staticmethod that the site knows as o.name, and what it is called with: borrowed.

    NULL on a miss. The callable is looked at again each time: __init__ may change it.
    """
    cdef PyObject *r
    self[0] = NULL
    if site.kind == A_CLASS_METHOD:
        if Py_TYPE(o) != &PyType_Type or k_type_version(<PyTypeObject *>o) != site.version:
            return NULL
        self[0] = o
    elif site.kind == A_BOUND_VALUES:
        if k_type_version(Py_TYPE(o)) != site.version:
            return NULL
        if k_type_keys(Py_TYPE(o)).dk_version != site.version2 if k_values(o) != NULL else not dict_lacks(o, site.name):
            return NULL
        self[0] = <PyObject *>Py_TYPE(o)
    else:
        return NULL
    r = (<StaticMethodStruct *>site.target).callable        # a classmethod has it at the same place
    if Py_TYPE(<PyObject *>site.target) == &PyStaticMethod_Type:
        self[0] = NULL
    elif r != NULL and Py_TYPE(r) != FunctionType:
        return NULL                     # it is bound in a way of its own
    return r

cdef int load_method(Value *R, const Instr *ins, uint32_t ft, CacheSite *site) noexcept:
    """LOAD_METHOD for what method_hit does not know."""
    cdef Value *b = &R[ins.t.abc.b]
    cdef PyObject *o
    cdef PyObject *r
    cdef PyObject *self
    cdef Value number, method
    cdef bint again = 0
    if K_LIKELY(b.tag == T_OBJ) and Py_TYPE(b.u.o) != &PySuper_Type:
        o = b.u.o
        r = cached_attr(site, o)
        if K_LIKELY(r == NULL):
            r = unwrapped_method(site, o, &self)
            if r == NULL and refill_attr(site, o, USE_METHOD):
                r = unwrapped_method(site, o, &self)
                again = 1
            if r != NULL:
                Py_INCREF(r)
                Py_XINCREF(self)
                return put_method(R, ins, ft, r, self)
        if again:
            if method_hit(site, o):
                Py_INCREF(o)
                r = <PyObject *>site.target
                Py_INCREF(r)
                return put_method(R, ins, ft, r, o)
            r = cached_attr(site, o)
        if r != NULL:
            Py_INCREF(r)
            return put_method(R, ins, ft, r, NULL)
    elif site.kind == A_METHOD and ((b.tag == T_INT and site.version == k_type_version(&PyLong_Type))
                                    or (b.tag == T_FLOAT and site.version == k_type_version(&PyFloat_Type))):
        number = b[0]                       # of which no object need be made
        method.tag = T_OBJ
        method.u.o = <PyObject *>site.target
        Py_INCREF(method.u.o)
        if ins.t.abc.b >= ft:
            b.tag = T_UNDEF
        store(R, ins.a, &method)
        store(R, <uint32_t>ins.a + 1, &number)
        return 0
    return load_method_slow(R, ins, ft, site)
