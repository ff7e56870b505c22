# Functions and objects that stand for those of the host which would go round the gate.

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
    def __class__(self):        # for the library's isinstance(code, types.CodeType)
        return Code if by_library() else ShownCode

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


cdef ContextFunction new_bound_function(str name, self, void *vectorcall):
    cdef ContextFunction f = new_context_function(None, name, None, vectorcall)
    f.bound = self
    return f


cdef object clock_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """A method that reads a clock: the function is called with the class or instance first."""
    cdef tuple bound = <tuple>(<ContextFunction>callable).bound
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    cdef Py_ssize_t i
    positional = [bound[1], *[<object>args[i] for i in range(n)]]
    keywords = {}
    if kwnames != NULL:
        keywords = {name: <object>args[n + i] for i, name in enumerate(<tuple>kwnames)}
    return bound[0](*positional, **keywords)


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
    """``type.__subclasses__`` without classes of the host and of other guests. AttributeError when guest code did not
    make the class."""
    serial = current_serial()
    if not k_flags_of(<PyObject *>cls) & K_MADE:
        missing(cls, "__subclasses__")
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
    if sealed_base is not None and sealed_base in (type.__getattribute__(cls, "__mro__") or ()):  # None: it is being made
        missing(cls, "__dict__")
    found = type.__getattribute__(cls, "__dict__")
    flags = k_flags_of(<PyObject *>cls)
    if not flags & K_MADE and k_mro_of(<PyObject *>cls) != NULL:
        entry = LISTED.get(id(cls))
        guarded = cls in GUARDED_TYPES or cls is object
        found = {name: value for name, value in found.items()
                 if entry is not None and name in (<tuple>entry)[1] and not (guarded and name in HIDDEN)}
        if cls is type:
            found["__dict__"] = class_dict_descriptor
        return types.MappingProxyType(found)
    if flags & K_STATE and flags & IMMUTABLE:
        return types.MappingProxyType({name: copied(value) for name, value in found.items()})
    return found


cdef object stand_in(name, found):
    """What a guest gets where a look-up found one of the host's methods that would go round the gate; others as they are."""
    kind = type(found)
    if kind is types.WrapperDescriptorType and found in REPLACEMENTS:
        return REPLACEMENTS[found]
    if name == "__getattribute__":
        if kind is types.WrapperDescriptorType:
            return new_bound_function(name, found, <void *>unbound_getattribute)
        if kind is types.MethodWrapperType:
            return new_bound_function(name, found, <void *>bound_getattribute)
    elif name == "__setattr__" or name == "__delattr__":
        if kind is types.WrapperDescriptorType:
            return new_bound_function(name, found, <void *>unbound_setattr)
        if kind is types.MethodWrapperType:
            return new_bound_function(name, found, <void *>bound_setattr)
    elif name == "__reduce__" or name == "__reduce_ex__":
        if kind is types.MethodDescriptorType:
            return REPLACEMENTS.get(found, found)
        if kind is types.BuiltinMethodType:
            return new_bound_function(name, found, <void *>reduce_vectorcall)
    elif name == "__getstate__":
        if kind is types.MethodDescriptorType:
            return REPLACEMENTS.get(found, found)
    elif name == "__callback__":
        return given_callback(found)
    elif name == "__subclasses__":
        if kind is types.BuiltinMethodType:
            return new_bound_function(name, found.__self__, <void *>subclasses_vectorcall)
        if kind is types.MethodDescriptorType:
            return new_bound_function(name, None, <void *>unbound_subclasses)
    return found


cdef object unbound_getattribute(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and PyUnicode_Check(args[1]):
        name = exact_name(<object>args[1])
        if gate_guards(args[0], <PyObject *>name):
            # What the wrapper of a class further up would find is what the gate says, but for a guest's own __getattr__.
            return load_plain(<object>args[0], name)
        return original(<object>args[0], name)
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object bound_getattribute(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    cdef object target = original.__self__
    if PyVectorcall_NARGS(nargsf) == 1 and kwnames == NULL and PyUnicode_Check(args[0]):
        # The wrapper's object is what super() or an instance bound; a super object keeps its own look-up.
        name = exact_name(<object>args[0])
        if gate_guards(<PyObject *>target, <PyObject *>name):
            return load_plain(target, name)
        return original(name)
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object load_plain(o, name):
    """``load`` for a ``__getattribute__`` of the host: what the guest's class says by its own is not asked again."""
    cdef PyObject *cls = <PyObject *>Py_TYPE(<PyObject *>o)
    cdef PyObject *value
    cdef PyObject *owner
    if is_open(cls) and not PyType_Check(<PyObject *>o):
        owner = owner_of(cls, <PyObject *>s_getattribute, &value)
        if owner != NULL and k_flags_of(owner) & K_MADE:
            owner = owner_of(cls, <PyObject *>name, &value)
            if owner == NULL:
                return object.__getattribute__(o, name)
            if owner_lists(owner, <PyObject *>name):
                if name == "__dict__":
                    return dict_of_kept(o) if id(o) in kept else object.__getattribute__(o, name)
                return stand_in(name, object.__getattribute__(o, name))
            return missing(o, name)
    return load(o, name)


cdef object dict_of_kept(o):
    return dict(object.__getattribute__(o, "__dict__"))


cdef str exact_name(name):
    """A str as an exact one, so that the gate and the look-up see the same name; its hash is known then."""
    cdef str exact = name if type(name) is str else str.__str__(name)
    hash(exact)
    return exact


cdef object unbound_setattr(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if 2 <= n <= 3 and kwnames == NULL and PyUnicode_Check(args[1]):
        name = exact_name(<object>args[1])
        check_store(<object>args[0], name, args[2] if n == 3 else NULL)
        return original(<object>args[0], name, <object>args[2]) if n == 3 else original(<object>args[0], name)
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object bound_setattr(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if 1 <= n <= 2 and kwnames == NULL and PyUnicode_Check(args[0]):
        name = exact_name(<object>args[0])
        check_store(original.__self__, name, args[1] if n == 2 else NULL)
        return original(name, <object>args[1]) if n == 2 else original(name)
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object unbound_descriptor(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``__get__``, ``__set__`` or ``__delete__`` read from the type of a descriptor."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if n < 1 or kwnames != NULL or type(<object>args[0]) not in DESCRIPTOR_TYPES:
        raise TypeError(f"unbound method {(<ContextFunction>callable).name}() needs a descriptor")
    return load(<object>args[0], (<ContextFunction>callable).bound)(*[<object>args[i] for i in range(1, n)])


cdef object descriptor_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``__get__``, ``__set__`` or ``__delete__`` of a descriptor through which an object gives or takes its state."""
    original = (<ContextFunction>callable).bound
    cdef str name = (<ContextFunction>callable).name
    if PyVectorcall_NARGS(nargsf) and id(<object>args[0]) in kept:
        if name != "__get__":
            refuse_change(original.__self__.__name__)
        if original.__self__.__name__ == "__dict__":
            return dict(original(<object>args[0]))
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef object state_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``__getstate__``, ``__reduce__`` and ``__reduce_ex__`` of an object of the library: with copies of dictionaries."""
    original = (<ContextFunction>callable).bound
    if type(original) is types.MethodDescriptorType and PyVectorcall_NARGS(nargsf):
        if not is_open(<PyObject *>Py_TYPE(args[0])):
            missing(<object>args[0], (<ContextFunction>callable).name)
        if id(<object>args[0]) not in kept:
            return forward(<PyObject *>original, args, nargsf, kwnames)
    found = forward(<PyObject *>original, args, nargsf, kwnames)
    if type(found) is dict:
        return dict(found)
    if type(found) is tuple:
        found = with_guests_makers(found)
        return tuple([dict(each) if type(each) is dict else each for each in found])
    return found


ctypedef PyObject *(*raw_vectorcall)(PyObject *, PyObject **, size_t, PyObject *) noexcept


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


cdef object reduce_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    original = (<ContextFunction>callable).bound
    cdef PyObject *target = NULL
    if type(original) is types.BuiltinMethodType:
        owner = original.__self__
        target = <PyObject *>owner
    elif PyVectorcall_NARGS(nargsf):
        target = args[0]
    if target != NULL and not is_open(<PyObject *>Py_TYPE(target)):
        missing(<object>target, (<ContextFunction>callable).name)
    result = forward(<PyObject *>original, args, nargsf, kwnames)
    if target != NULL and id(<object>target) in kept and type(result) is tuple:
        result = tuple([dict(each) if type(each) is dict else each for each in result])
    return with_guests_makers(result)


cdef object with_guests_makers(result):
    """What an object was reduced to, with the guest's own copyreg in the place of the host's."""
    cdef RunContext context
    if type(result) is tuple and result and type(result[0]) is types.FunctionType and result[0] in HOST_MAKERS:
        context = current_context()
        if context is not None:
            maker = getattr(library_module(context, "copyreg"), HOST_MAKERS[result[0]])
            return (maker, *result[1:])
    return result


# ---- methods of built-in types ---------------------------------------------------------------
cdef object split_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    """``split`` and ``subgroup`` of exception groups, which before 3.13 take Python functions of the host only."""
    original = (<ContextFunction>callable).bound
    if PyVectorcall_NARGS(nargsf) == 2 and kwnames == NULL and type(<object>args[1]) is Function:
        return original(<object>args[0], as_function(<object>args[1]))
    return forward(<PyObject *>original, args, nargsf, kwnames)


cdef bint sets_plainly(PyObject *cls) noexcept:
    """Whether object.__setattr__ may be used on instances of a class: no native class before object has a way of its own."""
    cdef PyObject *mro = k_mro_of(cls)
    cdef Py_ssize_t i
    cdef PyObject *each
    for i in range(PyTuple_GET_SIZE(mro)):
        each = PyTuple_GET_ITEM(mro, i)
        if not k_flags_of(each) & K_MADE and not k_has_plain_setattr(each):
            return False
    return True


cdef PyObject *setattr_of_object(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    """``object.__setattr__`` and ``object.__delattr__``, read from a class."""
    if PyVectorcall_NARGS(nargsf) == 3 and kwnames == NULL and PyUnicode_CheckExact(args[1]):
        if PyObject_Hash(args[1]) == -1:
            return NULL
        if not PyType_Check(args[0]) and not gate_guards_store(args[0], args[1]) \
                and k_flags_of(<PyObject *>Py_TYPE(args[0])) & K_MADE and sets_plainly(<PyObject *>Py_TYPE(args[0])):
            if PyObject_GenericSetAttr(args[0], args[1], args[2]) < 0:
                return NULL
            Py_INCREF(<PyObject *>None)
            return <PyObject *>None
    return (<raw_vectorcall><void *>unbound_setattr)(callable, args, nargsf, kwnames)


cdef dict REPLACEMENTS = {
    object.__reduce__: new_bound_function("__reduce__", object.__reduce__, <void *>reduce_vectorcall),
    object.__reduce_ex__: new_bound_function("__reduce_ex__", object.__reduce_ex__, <void *>reduce_vectorcall),
}
if hasattr(object, "__getstate__"):
    REPLACEMENTS[object.__getstate__] = new_bound_function(
        "__getstate__", object.__getstate__, <void *>state_vectorcall)
if sys.version_info < (3, 13):
    REPLACEMENTS[BaseExceptionGroup.split] = new_bound_function(
        "split", BaseExceptionGroup.split, <void *>split_vectorcall)
    REPLACEMENTS[BaseExceptionGroup.subgroup] = new_bound_function(
        "subgroup", BaseExceptionGroup.subgroup, <void *>split_vectorcall)

# ... and those of object, which generated code of frozen dataclasses calls for every field.
REPLACEMENTS[object.__getattribute__] = new_bound_function(
    "__getattribute__", object.__getattribute__, <void *>unbound_getattribute)
for each in (object.__setattr__, object.__delattr__):
    REPLACEMENTS[each] = new_bound_function(each.__name__, each, <void *>setattr_of_object)
cdef frozenset PERMANENT = frozenset([id(each) for each in REPLACEMENTS.values()])


cdef bint gate_is_permanent(PyObject *found) noexcept:
    cdef size_t address = <size_t>found
    return type(<object>found) is ContextFunction and address in PERMANENT


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
