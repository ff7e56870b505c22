# cython: binding=False
"""Objects of the host by reference: ``expose`` and ``expose_class``.

A guest gets a *proxy*. Its type has the listed attributes and methods as descriptors and nothing else: no ``__dict__``, no
constructor, no subclasses, no way to the host's object. What is read or returned through it is converted like the result of
a host function. One type serves all proxies with the same name and the same lists; it is made once in the process and cannot
be changed.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.bridge.functions cimport argument, finish_host_call, set_clean
from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport (
    DISALLOW_INSTANTIATION, IMMUTABLE_TYPE, METHOD_DESCRIPTOR_FLAGS, PyType_Modified, TypeSlots, call_by_vector, get_slots, newfunc,
    slot_offset, type_name_of)
from kimi_runtime.vm.values cimport Py_DECREF, Py_INCREF

import functools
import operator
import types
import weakref
from _thread import allocate_lock

from kimi_runtime.bridge.gate import let_through, seal

cdef extern from *:
    """
    static int k_exposed_failed(void) { return -1; }
    """
    int raise_pending "k_exposed_failed"() except -1
    PyObject *PyObject_Vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept
    PyObject *PyObject_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept
    int PyObject_SetAttr(PyObject *o, PyObject *name, PyObject *value) noexcept
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf) noexcept
    PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *kwargs) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *o) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *o, Py_ssize_t i) noexcept
    unsigned long BASE_TYPE "Py_TPFLAGS_BASETYPE"
    PyObject *k_none "Py_None"

# Special methods that may be listed. What Python itself calls behind an object's back (creation, class, reduction, attribute
# access) is not among them.
cdef frozenset SPECIAL = frozenset("""
__len__ __length_hint__ __contains__ __iter__ __reversed__ __getitem__ __setitem__ __delitem__ __missing__ __call__ __enter__
__exit__ __bool__ __int__ __float__ __complex__ __index__ __round__ __trunc__ __floor__ __ceil__ __str__ __repr__ __format__
__bytes__ __hash__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __pos__ __abs__ __invert__ __add__ __radd__ __iadd__ __sub__
__rsub__ __isub__ __mul__ __rmul__ __imul__ __matmul__ __rmatmul__ __imatmul__ __truediv__ __rtruediv__ __itruediv__
__floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__ __divmod__ __rdivmod__ __pow__ __rpow__ __ipow__ __lshift__
__rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__ __and__ __rand__ __iand__ __or__ __ror__ __ior__ __xor__ __rxor__ __ixor__
""".split())
cdef frozenset BINARY = frozenset("""
__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ __matmul__
__rmatmul__ __imatmul__ __truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__
__divmod__ __rdivmod__ __pow__ __rpow__ __ipow__ __lshift__ __rlshift__ __ilshift__ __rshift__ __rrshift__ __irshift__ __and__
__rand__ __iand__ __or__ __ror__ __ior__ __xor__ __rxor__ __ixor__
""".split())
# They change the object: listed only where readonly is False.
cdef frozenset CHANGING = frozenset(each for each in SPECIAL if each in ("__setitem__", "__delitem__")
                                    or (each.startswith("__i") and each not in ("__int__", "__index__", "__invert__", "__iter__")))
cdef size_t last_serial = 0
cdef object SECRET = object()
cdef frozenset ITERATORS = frozenset(("__iter__", "__reversed__"))


@cython.final
@cython.auto_pickle(False)
cdef class Rule:
    """What guests see of an object. The host makes it by ``expose`` and ``expose_class``."""


@cython.auto_pickle(False)
cdef class Proxy:
    """What a guest has of an object of the host. Only the types that are derived from it here have instances."""

    def __cinit__(self, *args, **kwargs):
        if len(args) != 3 or args[0] is not SECRET:
            raise TypeError("cannot create proxies of host objects")
        self.rule = args[1]
        self.target = args[2]

    def __init__(self, *args, **kwargs):
        if not self.being_made:
            raise TypeError("host objects cannot be initialized again")
        self.being_made = False

    def __repr__(self):
        return f"<{self.rule.name} of the host>"

    def __str__(self):
        return repr(self)

    def __hash__(self):
        return <Py_hash_t>(self.serial * 0x9E3779B1)

    def __eq__(self, other):
        return True if self is other else NotImplemented

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError(f"cannot pickle the host object {self.rule.name}")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle the host object {self.rule.name}")

    def __dir__(self):
        return sorted([*self.rule.attrs, *self.rule.methods])

    def __sizeof__(self):
        return 48


@cython.final
@cython.auto_pickle(False)
cdef class Exposed:
    """An object of the host together with what guests may see of it: what ``expose`` returns. For the host only."""

    @property
    def target(self):
        """The object."""
        return self.target

    def __repr__(self):
        return f"<exposed {self.rule.name}>"


# ---- what proxy types are made of ----------------------------------------------------------------
@cython.final
@cython.auto_pickle(False)
cdef class ExposedAttribute:
    """An attribute of a proxy."""
    cdef str name
    cdef bint writable

    def __get__(self, instance, owner):
        cdef Proxy proxy
        cdef PyObject *r
        cdef int outer
        if instance is None:
            return self
        proxy = self.checked(instance)
        if begin(&outer):
            return getattr(proxy.target, self.name)
        r = PyObject_GetAttr(<PyObject *>proxy.target, <PyObject *>self.name)
        return finish_host_call(r, outer, f"{proxy.rule.name}.{self.name}", None)

    def __set__(self, instance, value):
        cdef Proxy proxy = self.checked(instance)
        cdef PyObject *r
        cdef int outer
        if not self.writable:
            raise AttributeError(f"attribute '{self.name}' of '{proxy.rule.name}' objects of the host is read-only")
        value = argument(<PyObject *>value, f"{proxy.rule.name}.{self.name}.__set__", 1, None, False)
        if begin(&outer):
            setattr(proxy.target, self.name, value)
            return
        r = k_none if PyObject_SetAttr(<PyObject *>proxy.target, <PyObject *>self.name, <PyObject *>value) == 0 else NULL
        if r != NULL:
            Py_INCREF(r)
        finish_host_call(r, outer, self.name, None)

    def __delete__(self, instance):
        raise AttributeError(f"attribute '{self.name}' of '{self.checked(instance).rule.name}' objects of the host cannot be deleted")

    cdef Proxy checked(self, instance):
        """The proxy, when it has this attribute."""
        if not isinstance(instance, Proxy) or type.__getattribute__(type(instance), "__dict__").get(self.name) is not self:
            raise TypeError(f"attribute '{self.name}' belongs to another type than '{type_name_of(instance)}'")
        return <Proxy>instance

    def __repr__(self):
        return f"<attribute '{self.name}' of host objects>"

    def __reduce__(self):
        raise TypeError("cannot pickle an attribute of host objects")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle an attribute of host objects")


@cython.final
@cython.auto_pickle(False)
cdef class ExposedMethod:
    """A method of proxies: called with the proxy and the arguments."""
    cdef PyObject *vectorcall
    cdef readonly str __name__
    cdef object call                # of the host instead of a look-up in the object: gets the object and the arguments
    cdef object doc

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return types.MethodType(self, instance)

    cdef object invoke(self, PyObject **args, Py_ssize_t n, PyObject *kwnames):
        cdef Proxy proxy
        cdef Py_ssize_t npos = n - (PyTuple_GET_SIZE(kwnames) if kwnames != NULL else 0)
        cdef Py_ssize_t i
        cdef PyObject *r
        cdef int outer
        cdef bint direct
        cdef list given
        cdef dict named = None
        if npos < 1 or not isinstance(<object>args[0], Proxy) \
                or type.__getattribute__(type(<object>args[0]), "__dict__").get(self.__name__) is not self:
            raise TypeError(f"{self.__name__}() needs a host object that has it as its first argument")
        proxy = <Proxy>args[0]
        name = f"{proxy.rule.name}.{self.__name__}"
        try:
            given = [argument(args[i], name, i, None, False) for i in range(1, npos)]
        except TypeError:
            if self.__name__ in BINARY:
                return NotImplemented       # the other operand may know what to do
            raise
        if kwnames != NULL:
            named = {}
            for i in range(npos, n):
                key = <object>PyTuple_GET_ITEM(kwnames, i - npos)
                named[key if type(key) is str else str.__str__(key)] = argument(args[i], name, 0, key, False)
        direct = begin(&outer)
        if self.call is not None:
            given.insert(0, proxy.target)
            method = self.call
        else:
            r = PyObject_GetAttr(<PyObject *>proxy.target, <PyObject *>self.__name__)
            if r == NULL:
                if direct:
                    raise_pending()
                return finish_host_call(NULL, outer, name, None)
            method = <object>r
            Py_DECREF(r)
        arguments = tuple(given)
        r = PyObject_Call(<PyObject *>method, <PyObject *>arguments, NULL if named is None else <PyObject *>named)
        method = None
        if direct:
            if r == NULL:
                raise_pending()
            result = <object>r
            Py_DECREF(r)
            return result
        if r != NULL and self.__name__ in ITERATORS:
            # What it gives is no plain data; the guest walks over it item by item.
            result = HostIterator.__new__(HostIterator, SECRET, name, <object>r)
            Py_DECREF(r)
            finish_host_call(k_new_none(), outer, name, None)
            return result
        return finish_host_call(r, outer, name, None)

    def __call__(self, *args, **kwargs):
        return call_by_vector(self, args, kwargs)

    @property
    def __qualname__(self):
        return self.__name__

    @property
    def __doc__(self):
        return self.doc

    def __repr__(self):
        return f"<method '{self.__name__}' of host objects>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("cannot pickle a method of host objects")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle a method of host objects")


cdef bint begin(int *outer) except -1:
    """Before the host's code runs for a guest: whether it is code of the host that wants it, for which it need not be said."""
    if hooks.running == NULL or not hooks.running() or hooks.in_host_code():
        return True
    if hooks.begin_host_call(outer) < 0:
        raise_pending()
    return False


cdef PyObject *method_vectorcall(PyObject *self, PyObject **args, size_t nargsf, PyObject *kwnames) noexcept:
    cdef PyObject *raw
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if kwnames != NULL:
        n += PyTuple_GET_SIZE(kwnames)
    error = None
    try:
        result = (<ExposedMethod>self).invoke(args, n, kwnames)
    except BaseException as raised:
        error = raised
    if error is not None:
        set_clean(error)
        return NULL
    raw = <PyObject *>result
    Py_INCREF(raw)
    return raw


# What the host's __iter__ gives is walked on the host's side, item by item.
@cython.final
@cython.auto_pickle(False)
cdef class HostIterator:
    """An iterator over an object of the host."""
    cdef object target
    cdef str name

    def __cinit__(self, *args):
        if len(args) != 3 or args[0] is not SECRET:
            raise TypeError("cannot create iterators of the host")
        self.name = args[1]
        self.target = args[2]

    def __iter__(self):
        return self

    def __next__(self):
        cdef PyObject *r
        cdef int outer
        if begin(&outer):
            return next(self.target)
        arguments = (self.target, END)
        r = PyObject_Call(<PyObject *>next_of, <PyObject *>arguments, NULL)
        if r == <PyObject *>END:
            finish_host_call(k_new_none(), outer, self.name, None)
            Py_DECREF(r)
            raise StopIteration
        return finish_host_call(r, outer, self.name, None)

    def __repr__(self):
        return "<iterator of the host>"

    def __reduce__(self):
        raise TypeError("cannot pickle an iterator of the host")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle an iterator of the host")


cdef object next_of = next
cdef object END = object()


cdef PyObject *k_new_none() noexcept:
    Py_INCREF(k_none)
    return k_none


# ---- rules ---------------------------------------------------------------------------------------
_rules = weakref.WeakKeyDictionary()        # class of the host -> {lists: Rule}
_exposed_classes = weakref.WeakKeyDictionary()      # -> Rule
_lock = allocate_lock()
MOST_RULES = 64                             # kept for a class

cdef object new_object(TypeSlots *cls, PyObject *args, PyObject *kwargs):
    """What calling a proxy type does: an object of the host is made when the host has said that guests may."""
    cdef Rule rule = (<RuleHolder>type.__getattribute__(<type><object><PyObject *>cls, "__dict__")["__rule__"]).rule
    cdef PyObject *r
    cdef int outer
    if rule.makes is None:
        raise TypeError(f"cannot create '{rule.name}' instances")
    given = tuple([argument(<PyObject *>each, rule.name, i + 1, None, False) for i, each in enumerate(<tuple><object>args)])
    named = {}
    if kwargs != NULL:
        named = {str.__str__(key): argument(<PyObject *>each, rule.name, 0, key, False)
                 for key, each in (<dict><object>kwargs).items()}
    if begin(&outer):
        return rule.makes(*given, **named)
    r = PyObject_Call(<PyObject *>rule.makes, <PyObject *>given, <PyObject *>named)
    made = finish_host_call(r, outer, rule.name, None)
    if isinstance(made, Proxy):
        (<Proxy>made).being_made = True
    return made


@cython.final
@cython.auto_pickle(False)
cdef class RuleHolder:
    """Keeps the rule in the dictionary of a proxy type, out of reach."""
    cdef Rule rule

    def __reduce__(self):
        raise TypeError("cannot pickle a rule of the host")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle a rule of the host")


cdef ExposedMethod new_method(str name, call, doc):
    cdef ExposedMethod method = ExposedMethod.__new__(ExposedMethod)
    method.vectorcall = <PyObject *><void *>method_vectorcall
    method.__name__ = name
    method.call = call
    method.doc = doc if type(doc) is str else None
    return method


cdef object SPECIAL_CALLS = {
    "__len__": len, "__iter__": iter, "__reversed__": reversed, "__contains__": operator.contains, "__getitem__": operator.getitem,
    "__setitem__": operator.setitem, "__delitem__": operator.delitem, "__bool__": bool, "__str__": str, "__repr__": repr,
    "__hash__": hash, "__int__": int, "__float__": float, "__complex__": complex, "__index__": operator.index}


cdef Rule make_rule(cls, str name, dict attrs, frozenset methods, makes):
    """A rule with its type of proxies."""
    cdef Rule rule = Rule.__new__(Rule)
    cdef RuleHolder holder = RuleHolder.__new__(RuleHolder)
    cdef ExposedAttribute attribute
    cdef TypeSlots *slots
    cdef TypeSlots *base = get_slots(Proxy)
    holder.rule = rule
    rule.name = name
    rule.attrs = attrs
    rule.methods = methods
    rule.makes = makes
    namespace = {"__module__": "builtins", "__slots__": (), "__qualname__": name, "__doc__": None, "__rule__": holder}
    for each, writable in attrs.items():
        attribute = ExposedAttribute.__new__(ExposedAttribute)
        attribute.name = each
        attribute.writable = writable
        namespace[each] = attribute
    for each in methods:
        namespace[each] = new_method(each, SPECIAL_CALLS.get(each), getattr(getattr(cls, each, None), "__doc__", None))
    base.tp_flags |= BASE_TYPE
    try:
        rule.proxies = type.__new__(type, name, (Proxy,), namespace)
    finally:
        base.tp_flags &= ~BASE_TYPE
    slots = get_slots(rule.proxies)
    slots.tp_new = <void *>new_object
    slots.tp_flags = (slots.tp_flags | IMMUTABLE_TYPE) & ~BASE_TYPE
    PyType_Modified(slots)
    let_through(rule.proxies)
    return rule


cdef Rule rule_for(cls, str name, attrs, methods, readonly, makes, str who):
    """The rule with these lists, which are checked."""
    cdef Rule rule
    attrs = checked_names(attrs, who, "attrs")
    methods = checked_names(methods, who, "methods")
    if type(readonly) is not bool:
        raise TypeError(f"{who}: readonly must be a bool, not {type_name_of(readonly)}")
    for each in attrs:
        if each.startswith("__"):
            raise ValueError(f"{who}: attrs: {each!r} cannot be exposed")
        if each in methods:
            raise ValueError(f"{who}: {each!r} is both in attrs and in methods")
    for each in methods:
        if each.startswith("__"):
            if each not in SPECIAL:
                raise ValueError(f"{who}: methods: {each!r} cannot be exposed")
            if each in CHANGING and readonly:
                raise ValueError(f"{who}: methods: {each!r} changes the object; that needs readonly=False")
            if not any([each in type.__getattribute__(base, "__dict__") for base in type.__getattribute__(cls, "__mro__")]):
                raise ValueError(f"{who}: {cls.__name__} objects have no {each!r}")
    key = (name, tuple(sorted(attrs)), tuple(sorted(methods)), readonly, makes)
    with _lock:
        rules = _rules.get(cls)
        if rules is None:
            rules = _rules[cls] = {}
        rule = rules.get(key)
        if rule is None:
            rule = make_rule(cls, name, dict.fromkeys(attrs, not readonly), frozenset(methods), cls if makes else None)
            if len(rules) >= MOST_RULES:
                del rules[next(iter(rules))]
            rules[key] = rule
    return rule


cdef tuple checked_names(names, str who, str which):
    if isinstance(names, (str, bytes)):
        raise TypeError(f"{who}: {which} must be a collection of names, not the single one {names!r}")
    try:
        names = tuple(names)
    except TypeError:
        raise TypeError(f"{who}: {which} must be a collection of names, not {type_name_of(names)}") from None
    for each in names:
        if type(each) is not str or not each.isidentifier():
            raise TypeError(f"{who}: {which}: {each!r} is not a name")
    return names


cdef Proxy proxy_of(target, Rule rule, context):
    global last_serial
    cdef Proxy proxy
    cdef dict proxies
    key = id(target), id(rule)
    if context is not None:
        proxies = context.proxies
        if proxies is None:
            proxies = context.proxies = {}
        found = proxies.get(key)
        if found is not None:
            found = found()
            if found is not None:
                return <Proxy>found
        elif len(proxies) > 1000 and len(proxies) & (len(proxies) - 1) == 0:
            for each in [each for each, reference in proxies.items() if reference() is None]:
                del proxies[each]
    arguments = (SECRET, rule, target)
    proxy = <Proxy>(<newfunc>get_slots(Proxy).tp_new)(get_slots(rule.proxies), <PyObject *>arguments, NULL)
    last_serial += 1
    proxy.serial = last_serial
    if context is not None:
        proxies[key] = proxies[id(target)] = weakref.ref(proxy)
    return proxy


cdef Rule rule_of(cls):
    if not len(_exposed_classes):
        return None
    for each in cls.__mro__:
        rule = _exposed_classes.get(each)
        if rule is not None:
            return <Rule>rule
    return None


# ---- for workers, whose host is another process -----------------------------------------------------
def rule_of_proxy(proxy):
    """The rule, and the object of the host, of a proxy; the rule and None of a type of proxies; None of anything else."""
    if isinstance(proxy, Proxy):
        return (<Proxy>proxy).rule, (<Proxy>proxy).target
    if isinstance(proxy, type) and issubclass(proxy, Proxy) and proxy is not Proxy:
        return (<RuleHolder>type.__getattribute__(proxy, "__dict__")["__rule__"]).rule, None
    return None


def settings_of_rule(Rule rule not None):
    """Name, attributes (name -> whether it can be set), methods (name -> documentation) and whether guests may make instances."""
    contents = type.__getattribute__(rule.proxies, "__dict__")
    return rule.name, dict(rule.attrs), {each: (<ExposedMethod>contents[each]).doc for each in rule.methods}, rule.makes is not None


def maker_of_rule(Rule rule not None):
    """The class of the host whose instances guests may make, or None."""
    return rule.makes


def call_exposed(Rule rule not None, target, str name, args, kwargs):
    """Calls a method that the rule lists, or raises LookupError."""
    if name not in rule.methods:
        raise LookupError(name)
    special = SPECIAL_CALLS.get(name)
    return getattr(target, name)(*args, **kwargs) if special is None else special(target, *args, **kwargs)


def remote_rule(str name not None, dict attrs not None, dict methods not None, caller, maker):
    """The rule for objects of a host in another process.

    Args:
        name, attrs, methods: see ``settings_of_rule``.
        caller: for the name of a method gives what is called with the object and the arguments.
        maker: what makes an instance, or None.
    """
    cdef Rule rule = make_rule(object, name, attrs, frozenset(methods), maker)
    for each, doc in methods.items():
        method = <ExposedMethod>type.__getattribute__(rule.proxies, "__dict__")[each]
        method.call = caller(each)
        method.doc = doc
    return rule


def exposed_with(target, Rule rule not None):
    """An object with a rule that there is already."""
    cdef Exposed exposed = Exposed.__new__(Exposed)
    exposed.target = target
    exposed.rule = rule
    return exposed


def proxies_of(Rule rule not None):
    """The type of a rule's proxies."""
    return rule.proxies


def expose(obj, *, attrs=(), methods=(), readonly=True, name=None):
    """An object of the host as guests may see it: as an input, or returned by a host function.

    A guest gets a proxy with the listed attributes and methods and nothing else. What it reads or gets by a method is converted like
    the result of a host function. When the guest gives the proxy back, the host gets the object itself.

    Args:
        obj: the object.
        attrs: names of attributes that can be read, and set when it is not read-only.
        methods: names of methods that can be called; special ones such as ``__len__`` and ``__getitem__`` too.
        readonly: whether attributes and items cannot be set. Methods that change the object, if listed, do so all the same.
        name: of the type that guests see, by default the name of the object's class.

    Raises:
        TypeError, ValueError: a name cannot be exposed, or an argument is of another type.
    """
    cdef Exposed exposed = Exposed.__new__(Exposed)
    if type(obj) is Exposed:
        obj = (<Exposed>obj).target
    if name is not None and type(name) is not str:
        raise TypeError(f"expose: name must be a str, not {type_name_of(name)}")
    cls = type(obj)
    exposed.target = obj
    exposed.rule = rule_for(cls, name or cls.__name__, attrs, methods, readonly, False, "expose")
    return exposed


def expose_class(cls=None, /, *, attrs=(), methods=(), readonly=True, name=None, constructor=False):
    """Says what guests see of the instances of a class, wherever they come from. Can be used as a decorator.

    An instance in the inputs, or in what a host function returns, then becomes a proxy as by ``expose``. The class itself as
    an input is for ``isinstance``; with ``constructor`` the guest can make instances, which live in the host.

    Args:
        cls: the class; its subclasses are meant too.
        attrs, methods, readonly, name: see ``expose``.
        constructor: whether guests may call the class.

    Returns:
        The class.

    Raises:
        TypeError, ValueError: see ``expose``.
    """
    if cls is None:
        return functools.partial(expose_class, attrs=attrs, methods=methods, readonly=readonly, name=name,
                                 constructor=constructor)
    if not isinstance(cls, type):
        raise TypeError(f"expose_class needs a class, not {type_name_of(cls)}")
    if name is not None and type(name) is not str:
        raise TypeError(f"expose_class: name must be a str, not {type_name_of(name)}")
    _exposed_classes[cls] = rule_for(cls, name or cls.__name__, attrs, methods, readonly, bool(constructor), "expose_class")
    return cls


cdef int patch_types() except -1:
    cdef TypeSlots *slots = get_slots(ExposedMethod)
    cdef ExposedMethod method = ExposedMethod.__new__(ExposedMethod)
    slots.tp_flags |= METHOD_DESCRIPTOR_FLAGS
    slots.tp_vectorcall_offset = slot_offset(method, &method.vectorcall)
    slots.tp_call = <void *>PyVectorcall_Call
    slots.tp_name = b"host_method"
    get_slots(ExposedAttribute).tp_name = b"host_attribute"
    get_slots(Proxy).tp_name = b"host_object"
    get_slots(HostIterator).tp_name = b"host_iterator"
    get_slots(RuleHolder).tp_name = b"host_rule"
    for each in (ExposedMethod, ExposedAttribute, RuleHolder):
        get_slots(each).tp_new = get_slots(each).tp_vectorcall = NULL
        del (<object>get_slots(each).tp_dict)["__new__"]
        get_slots(each).tp_flags |= DISALLOW_INSTANTIATION
    for each in (ExposedMethod, ExposedAttribute, Proxy, HostIterator, RuleHolder):
        get_slots(each).tp_flags = (get_slots(each).tp_flags | IMMUTABLE_TYPE) & ~BASE_TYPE
        PyType_Modified(get_slots(each))
        let_through(each)
    seal(Proxy)
    return 0


patch_types()
