# super(): methods past a class in the order of an instance's or a class's bases, without super objects where they show nothing.
#
# A site that knows what comes next holds for one class of instances, or one class that super is about, by its version. Whatever
# lies in a class of its order stays there while that version holds, so sites own nothing.

cdef enum:                  # site.index of an A_SUPER: what its target is
    PAST_ITSELF = 0         # what super gives
    PAST_STATIC = 1         # a staticmethod around it
    PAST_CLASS = 2          # a classmethod around it

cdef PyObject *found_past(PyTypeObject *t, PyObject *cls, PyObject *name) noexcept:
    """The attribute as it lies in the first class after cls in the MRO of t that has one: a new reference. NULL where none has,
    or with an exception."""
    cdef PyObject *mro = k_mro(t)
    cdef PyObject *names
    cdef PyObject *d = NULL
    cdef Py_ssize_t n = PyTuple_GET_SIZE(mro)
    cdef Py_ssize_t i = 0
    while i < n and PyTuple_GET_ITEM(mro, i) != cls:
        i += 1
    i += 1
    Py_INCREF(mro)
    while i < n:
        names = k_type_dict(<PyTypeObject *>PyTuple_GET_ITEM(mro, i))
        if names != NULL:
            d = PyDict_GetItemWithError(names, name)
            if d != NULL or PyErr_Occurred() != NULL:
                break
        i += 1
    Py_XINCREF(d)
    Py_DECREF(mro)
    return d

cdef PyObject *method_past(PyObject *cls, PyObject *self, CacheSite *site) noexcept:
    """The method that an instance has from the classes after cls in its MRO: a new reference. NULL where there is none, or it is
    no plain method: then super() has to say, or an exception is set."""
    cdef PyTypeObject *t = Py_TYPE(self)
    cdef PyObject *d
    if site.kind == A_SUPER_METHOD and k_type_version(t) == site.version and site.aux == <void *>cls:
        d = <PyObject *>site.target
        Py_INCREF(d)
        return d
    if not PyType_IsSubtype(t, <PyTypeObject *>cls) or PyType_Check(self) or gate_guards_name(<PyObject *>t, site.name):
        return NULL
    d = found_past(t, cls, site.name)
    if d == NULL:
        return NULL
    if not (<PyTypeFull *>Py_TYPE(d)).tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR:
        Py_DECREF(d)
        return NULL
    if valid_version(t):
        site.kind = A_SUPER_METHOD
        site.version = k_type_version(t)
        site.aux = <void *>cls
        site.target = <void *>d
    return d

cdef PyObject *class_method_past(PyTypeObject *t, PyObject *cls, CacheSite *site, PyObject **self) noexcept:
    """What super(cls, t) gives for the name, as the site knows it: a new reference, NULL on a miss. self: what it is to be called
    with, borrowed, or NULL. The callable of a classmethod or staticmethod is looked at each time: __init__ may change it."""
    cdef PyObject *r
    self[0] = NULL
    if site.kind != A_SUPER or k_type_version(t) != site.version or site.aux != <void *>cls:
        return NULL
    r = <PyObject *>site.target
    if site.index != PAST_ITSELF:
        r = (<StaticMethodStruct *>r).callable
        if r == NULL or Py_TYPE(r) != FunctionType:
            return NULL                     # it may be bound in a way of its own, or be one that the gate replaces
        if site.index == PAST_CLASS:
            self[0] = <PyObject *>t
    Py_INCREF(r)
    return r

cdef void note_class_method_past(PyTypeObject *t, PyObject *cls, CacheSite *site, PyObject *r) noexcept:
    """Notes in the site that super(cls, t) gave r by the gate, where it always will while t stays what it is."""
    cdef PyObject *d
    cdef PyObject *inside
    cdef int64_t index = PAST_ITSELF
    if gate_is_permanent(r):
        d = r
    else:
        d = found_past(t, cls, site.name)
        if d == NULL:
            PyErr_Clear()
            return
        Py_DECREF(d)                        # the class has it, or it differs from what super gave
        if d == r:
            if Py_TYPE(d) != &PyCFunction_Type:
                return
        elif Py_TYPE(d) == &PyStaticMethod_Type or Py_TYPE(d) == &PyClassMethod_Type:
            index = PAST_STATIC if Py_TYPE(d) == &PyStaticMethod_Type else PAST_CLASS
            inside = (<StaticMethodStruct *>d).callable
            if index == PAST_CLASS:
                if Py_TYPE(r) != &PyMethod_Type or PyMethod_GET_SELF(r) != <PyObject *>t:
                    return
                r = PyMethod_GET_FUNCTION(r)
            if inside != r or Py_TYPE(r) != FunctionType:
                return
        else:
            return
    if not valid_version(t):
        return
    site.kind = A_SUPER
    site.version = k_type_version(t)
    site.aux = <void *>cls
    site.index = index
    site.target = <void *>d

cdef int load_super_method(VM *vm, Frame *f, Value *R, uint32_t a, CacheSite *site) noexcept:
    """LOAD_SUPER_METHOD: looks the name up past __class__ in the MRO without making the super object when nothing is special."""
    cdef PyObject *self
    cdef PyObject *bound
    cdef PyObject *cls
    cdef PyObject *d
    cdef PyObject *r
    cdef PyObject *sup
    cdef bint about_class
    if R[a].tag != T_OBJ or R[a].u.o != <PyObject *>&PySuper_Type:
        # Somebody's own `super`.
        r = call_native(R[a].u.o, &R[a], 0, NULL) if R[a].tag == T_OBJ else NULL
        if r == NULL:
            if PyErr_Occurred() == NULL:
                PyErr_SetString(PyExc_TypeError, b"object is not callable")
            return -1
        d = gate_load(r, site.name) if gate_guards(r, site.name) else PyObject_GetAttr(r, site.name)
        Py_DECREF(r)
        if d == NULL:
            return -1
        put_pair(R, a, d, NULL)
        return 0
    self = frame_super_of(f, &cls)
    if self == NULL:
        return -1
    about_class = 0
    if PyType_Check(cls):
        d = method_past(cls, self, site)
        if d != NULL:
            Py_DECREF(cls)
            put_pair(R, a, d, self)
            return 0
        about_class = PyErr_Occurred() == NULL and PyType_Check(self) and PyType_IsSubtype(<PyTypeObject *>self, <PyTypeObject *>cls)
        if about_class:
            d = class_method_past(<PyTypeObject *>self, cls, site, &bound)
        if d != NULL or PyErr_Occurred() != NULL:
            Py_DECREF(cls)
            if d == NULL or bound == NULL:
                Py_DECREF(self)
            if d == NULL:
                return -1
            put_pair(R, a, d, bound)
            return 0
    sup = zero_argument_super(f)
    d = NULL
    if sup != NULL:
        d = gate_load(sup, site.name)
        Py_DECREF(sup)
    if d != NULL and about_class:
        note_class_method_past(<PyTypeObject *>self, cls, site, d)
    Py_DECREF(self)
    Py_DECREF(cls)
    if d == NULL:
        return -1
    put_pair(R, a, d, NULL)
    return 0

cdef PyObject *load_of_super(PyObject *o, CacheSite *site, PyObject **self) noexcept:
    """The method that a super object made with arguments gives: a new reference, and in self a borrowed one of what it is to be
    called with, or NULL. NULL when it is none of ours, or with an exception."""
    cdef PyObject *cls
    cdef PyObject *r
    cdef PyTypeObject *t
    self[0] = k_super_instance(o, &cls)
    if self[0] != NULL:
        r = method_past(cls, self[0], site)
        if r != NULL or PyErr_Occurred() != NULL:
            return r
    t = k_super_class(o, &cls)
    if t == NULL:
        return NULL
    r = class_method_past(t, cls, site, self)
    if r != NULL:
        return r
    self[0] = NULL
    r = gate_load(o, site.name)
    if r != NULL:
        note_class_method_past(t, cls, site, r)
    return r
