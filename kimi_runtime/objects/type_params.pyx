# cython: binding=False, wraparound=True, boundscheck=True
"""What PEP 695 and PEP 696 syntax and the library's ``typing`` make: type variables, parameter specifications, aliases.

From 3.12 on the host has these types in C, and there they ask the host's ``typing`` for unions, substitution and checks.
Guests have a ``typing`` of their own, whose classes the host's does not know; these types ask that one. On 3.11, where the
library's ``typing`` brings classes for them, they are what the syntax makes, and ``isinstance`` takes them for those.
"""
cimport cython
from cpython.object cimport Py_EQ, Py_NE
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots, type_name_of

import sys
import types

cdef extern from *:
    """
    /* The arguments of a types.UnionType, which CPython makes of types that it knows only. */
    #define KIMI_UNION_ARGUMENTS(union_) (((PyObject **)(union_))[sizeof(PyObject) / sizeof(PyObject *)])
    static int kimi_set_union_arguments(PyObject *made, PyObject *old, PyObject *arguments) {
        if (KIMI_UNION_ARGUMENTS(made) != old) return 0;
        Py_INCREF(arguments);
        KIMI_UNION_ARGUMENTS(made) = arguments;
        Py_DECREF(old);
        return 1;
    }
    """
    bint kimi_set_union_arguments(object made, object old, object arguments)

cdef bint HAS_TYPES = sys.version_info >= (3, 12)
cdef bint HAS_DEFAULTS = sys.version_info >= (3, 13)
cdef object UnionType = types.UnionType
cdef object GenericAlias = types.GenericAlias
cdef object NoneType = type(None)
cdef object shared_module = None        # function(name) -> a module of the library that guests share

cdef object BARE = object()             # stands for the name: the object is filled by who makes it
cdef object NO_DEFAULT = None
if HAS_DEFAULTS:
    from _typing import NoDefault
    NO_DEFAULT = NoDefault


def use_shared(function):
    """Called by the library: how its shared modules are had."""
    global shared_module
    shared_module = function


def _idfunc(value):
    """The argument: what calls of ``NewType`` need."""
    return value


_idfunc.__module__ = "_typing"


cdef object typing():
    """The ``typing`` that guests share."""
    return shared_module("typing")


cdef object caller():
    """``__name__`` of the namespace that the innermost frame runs in."""
    cdef PyObject *found = hooks.frame_globals() if hooks.frame_globals != NULL else NULL
    return None if found == NULL else (<dict>found).get("__name__")


cdef object checked_bound(value):
    if value is None:
        return None
    return typing()._type_check(value, "Bound must be a type.")


cdef int check_variance(bint covariant, bint contravariant, bint infer) except -1:
    if covariant and contravariant:
        raise ValueError("Bivariant types are not supported.")
    if infer and (covariant or contravariant):
        raise ValueError("Variance cannot be specified with infer_variance.")
    return 0


cdef Lazy default_of(dict options, str function):
    """The default among the options of a call; hosts before 3.13 know no such option."""
    default = options.pop("default", NO_DEFAULT) if HAS_DEFAULTS else NO_DEFAULT
    if options:
        raise TypeError(f"{function}() got an unexpected keyword argument {next(iter(options))!r}")
    return Lazy(None, default)


cdef str checked_name(name, str function):
    if not isinstance(name, str):
        raise TypeError(f"{function}() argument 'name' must be str, not {'None' if name is None else type_name_of(name)}")
    return str(name)


cdef class Lazy:
    """A value that a function without arguments gives when it is first asked for."""
    cdef object function, value

    def __cinit__(self, function=None, value=None):
        self.function = function
        self.value = value

    cdef object get(self):
        if self.function is not None:
            self.value = self.function()
            self.function = None
        return self.value


@cython.auto_pickle(False)
cdef class Parameter:
    """What type variables, parameter specifications and tuples of type variables have in common."""
    cdef readonly str __name__
    cdef Lazy bound, default
    cdef readonly bint __covariant__, __contravariant__, __infer_variance__
    cdef dict __dict__          # for `__module__`, which those of parameter lists do not have, and what programs note
    cdef object __weakref__

    @property
    def __bound__(self):
        return self.bound.get()

    @property
    def __default__(self):
        return self.default.get()

    def has_default(self):
        """Whether it has a default."""
        return self.default.function is not None or self.default.value is not NO_DEFAULT

    def __repr__(self):
        if self.__infer_variance__:
            return self.__name__
        return ("+" if self.__covariant__ else "-" if self.__contravariant__ else "~") + self.__name__

    def __reduce__(self):
        return self.__name__

    def __or__(self, other):
        return typing().Union[self, other]

    def __ror__(self, other):
        return typing().Union[other, self]


@cython.final
@cython.auto_pickle(False)
cdef class TypeVar(Parameter):
    """Type variable."""
    cdef Lazy constraints

    def __cinit__(self, name, *constraints, bound=None, bint covariant=False, bint contravariant=False,
                  bint infer_variance=False, **options):
        if name is BARE:
            return
        self.__name__ = checked_name(name, "typevar")
        self.default = default_of(options, "typevar")
        check_variance(covariant, contravariant, infer_variance)
        bound = checked_bound(bound)
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        setattr(self, "__module__", caller())
        self.bound = Lazy(None, bound)
        self.constraints = Lazy(None, constraints)
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant
        self.__infer_variance__ = infer_variance

    @property
    def __class__(self):
        return TypeVar if HAS_TYPES else typing().TypeVar

    @property
    def __constraints__(self):
        return self.constraints.get()

    def __typing_subst__(self, arg):
        if HAS_TYPES:
            return typing()._typevar_subst(self, arg)
        return typing().TypeVar.__typing_subst__(self, arg)

    def __typing_prepare_subst__(self, alias, args):
        """The arguments with the default, where the last is missing."""
        cdef Py_ssize_t index = alias.__parameters__.index(self)
        if index < len(args):
            return args
        if index == len(args) and self.default.get() is not NO_DEFAULT:
            return (*args, self.default.get())
        raise TypeError(f"Too few arguments for {alias}; actual {len(args)}, expected at least {index + 1}")

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of TypeVar")


@cython.final
@cython.auto_pickle(False)
cdef class ParamSpec(Parameter):
    """Parameter specification."""

    def __cinit__(self, name, *, bound=None, bint covariant=False, bint contravariant=False,
                  bint infer_variance=False, **options):
        if name is BARE:
            return
        self.__name__ = checked_name(name, "paramspec")
        self.default = default_of(options, "paramspec")
        check_variance(covariant, contravariant, infer_variance)
        bound = checked_bound(bound)
        setattr(self, "__module__", caller())
        self.bound = Lazy(None, bound)
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant
        self.__infer_variance__ = infer_variance

    @property
    def __class__(self):
        return ParamSpec if HAS_TYPES else typing().ParamSpec

    @property
    def args(self):
        """Represents positional arguments."""
        return ParamSpecArgs(self) if HAS_TYPES else typing().ParamSpecArgs(self)

    @property
    def kwargs(self):
        """Represents keyword arguments."""
        return ParamSpecKwargs(self) if HAS_TYPES else typing().ParamSpecKwargs(self)

    def __typing_subst__(self, arg):
        if HAS_TYPES:
            return typing()._paramspec_subst(self, arg)
        return typing().ParamSpec.__typing_subst__(self, arg)

    def __typing_prepare_subst__(self, alias, args):
        if HAS_TYPES:
            return typing()._paramspec_prepare_subst(self, alias, args)
        return typing().ParamSpec.__typing_prepare_subst__(self, alias, args)

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of ParamSpec")


@cython.auto_pickle(False)
cdef class ParameterPart:
    cdef readonly object __origin__
    cdef object __weakref__

    def __cinit__(self, origin):
        self.__origin__ = origin

    def __richcmp__(self, other, int op):
        if type(other) is not type(self) or op not in (Py_EQ, Py_NE):
            return NotImplemented
        same = self.__origin__ == (<ParameterPart>other).__origin__
        return same if op == Py_EQ else not same


@cython.final
@cython.auto_pickle(False)
cdef class ParamSpecArgs(ParameterPart):
    """The args for a ParamSpec object."""

    def __repr__(self):
        origin = self.__origin__
        return f"{(<ParamSpec>origin).__name__ if type(origin) is ParamSpec else repr(origin)}.args"

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of ParamSpecArgs")


@cython.final
@cython.auto_pickle(False)
cdef class ParamSpecKwargs(ParameterPart):
    """The kwargs for a ParamSpec object."""

    def __repr__(self):
        origin = self.__origin__
        return f"{(<ParamSpec>origin).__name__ if type(origin) is ParamSpec else repr(origin)}.kwargs"

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of ParamSpecKwargs")


@cython.final
@cython.auto_pickle(False)
cdef class TypeVarTuple:
    """Type variable tuple."""
    cdef readonly str __name__
    cdef Lazy default
    cdef dict __dict__
    cdef object __weakref__

    def __cinit__(self, name, **options):
        if name is BARE:
            return
        self.__name__ = checked_name(name, "typevartuple")
        self.default = default_of(options, "typevartuple")
        setattr(self, "__module__", caller())

    @property
    def __class__(self):
        return TypeVarTuple if HAS_TYPES else typing().TypeVarTuple

    @property
    def __default__(self):
        return self.default.get()

    def has_default(self):
        """Whether it has a default."""
        return self.default.function is not None or self.default.value is not NO_DEFAULT

    def __iter__(self):
        return iter((typing().Unpack[self],))

    def __repr__(self):
        return self.__name__

    def __reduce__(self):
        return self.__name__

    def __typing_subst__(self, arg):
        raise TypeError("Substitution of bare TypeVarTuple is not supported")

    def __typing_prepare_subst__(self, alias, args):
        if HAS_TYPES:
            return typing()._typevartuple_prepare_subst(self, alias, args)
        return typing().TypeVarTuple.__typing_prepare_subst__(self, alias, args)

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of TypeVarTuple")


@cython.final
@cython.auto_pickle(False)
cdef class TypeAliasType:
    """Type alias."""
    cdef readonly str __name__
    cdef object home, __weakref__
    cdef readonly tuple __type_params__
    cdef Lazy value

    def __cinit__(self, name, value, *, type_params=()):
        if type(type_params) is not tuple:
            raise TypeError("type_params must be a tuple")
        self.__name__ = checked_name(name, "typealias")
        self.home = caller()
        self.__type_params__ = type_params
        self.value = Lazy(None, value)

    @property
    def __module__(self):
        return self.home

    @property
    def __value__(self):
        return self.value.get()

    @property
    def __parameters__(self):
        return unpacked(self.__type_params__)

    def __getitem__(self, item):
        if not self.__type_params__:
            raise TypeError("Only generic type aliases are subscriptable")
        return GenericAlias(self, item)

    def __or__(self, other):
        return union_of(self, other)

    def __ror__(self, other):
        return union_of(other, self)

    def __call__(self, *args, **kwargs):
        raise TypeError("'typing.TypeAliasType' object is not callable")

    def __repr__(self):
        return self.__name__

    def __reduce__(self):
        return self.__name__


cdef object union_of(left, right):
    """What ``|`` gives for an alias and a type: a ``types.UnionType``, as CPython makes of its own aliases."""
    cdef list found = []
    for each in (left, right):
        each = NoneType if each is None else each
        if not isinstance(each, (type, GenericAlias, UnionType)) and type(each) is not TypeAliasType:
            return NotImplemented
        for member in each.__args__ if isinstance(each, UnionType) else (each,):
            if not any(member is other or type(member) is GenericAlias is type(other) and member == other for other in found):
                found.append(member)
    if len(found) == 1:
        return found[0]
    made = int | str
    if kimi_set_union_arguments(made, made.__args__, tuple(found)):
        return made
    return typing().Union[tuple(found)]


cdef tuple unpacked(tuple params):
    """Type parameters with each TypeVarTuple as ``*Ts``."""
    cdef list found = []
    for each in params:
        if isinstance(each, TypeVarTuple):
            found.extend(each)
        else:
            found.append(each)
    return tuple(found)


cdef Lazy lazy_default(function):
    return Lazy(None, NO_DEFAULT) if function is None else Lazy(function)


cdef object inferred_type_var(str name, bound, constraints, default):
    """The type variable of a parameter list; functions give what it has, or None."""
    cdef TypeVar made = TypeVar.__new__(TypeVar, BARE)
    made.__name__ = name
    made.__infer_variance__ = True
    made.bound = Lazy(bound)
    made.constraints = Lazy(None, ()) if constraints is None else Lazy(constraints)
    made.default = lazy_default(default)
    return made


cdef object inferred_param_spec(str name, default):
    cdef ParamSpec made = ParamSpec.__new__(ParamSpec, BARE)
    made.__name__ = name
    made.__infer_variance__ = True
    made.bound = Lazy()
    made.default = lazy_default(default)
    return made


cdef object type_var_tuple(str name, default):
    cdef TypeVarTuple made = TypeVarTuple.__new__(TypeVarTuple, BARE)
    made.__name__ = name
    made.default = lazy_default(default)
    return made


cdef object type_alias(str name, function, tuple type_params):
    """What a ``type`` statement makes."""
    cdef TypeAliasType made = TypeAliasType.__new__(TypeAliasType, name, None, type_params=type_params)
    made.value = Lazy(function)
    return made


cdef object generic_base(tuple params):
    """The base class ``Generic[params]`` of a class with a parameter list."""
    return typing().Generic[unpacked(params)]


# ---- for snapshots -----------------------------------------------------------------------------
def type_parameter_parts(o):
    """Kind, name, module, flags and what is evaluated later, as pairs of a function and a value, of a type parameter or an alias;
    None for anything else."""
    cdef Parameter parameter
    if type(o) is TypeAliasType:
        return ("TypeAliasType", (<TypeAliasType>o).__name__, (<TypeAliasType>o).home, 0, *lazy_parts((<TypeAliasType>o).value),
                *(<TypeAliasType>o).__type_params__)
    if type(o) is TypeVarTuple:
        return ("TypeVarTuple", (<TypeVarTuple>o).__name__, vars(o).get("__module__"), 0, *lazy_parts((<TypeVarTuple>o).default))
    if type(o) is not TypeVar and type(o) is not ParamSpec:
        return None
    parameter = o
    flags = parameter.__covariant__ | parameter.__contravariant__ << 1 | parameter.__infer_variance__ << 2
    return (type(o).__name__, parameter.__name__, vars(o).get("__module__"), flags, *lazy_parts(parameter.default),
            *lazy_parts(parameter.bound), *(lazy_parts((<TypeVar>o).constraints) if type(o) is TypeVar else ()))


def make_type_parameter(kind, name, module, flags, *rest):
    """The same the other way. ValueError, TypeError: the parts do not fit."""
    cdef TypeVar variable
    cdef ParamSpec spec
    cdef TypeVarTuple several
    cdef TypeAliasType alias
    if type(name) is not str or type(flags) is not int or len(rest) < 2:
        raise ValueError("a type parameter that is none")
    if kind == "TypeAliasType":
        alias = TypeAliasType.__new__(TypeAliasType, name, None, type_params=rest[2:])
        alias.home = module
        alias.value = lazy_of(rest)
        return alias
    if kind == "TypeVarTuple":
        several = TypeVarTuple.__new__(TypeVarTuple, BARE)
        several.__name__ = name
        several.default = lazy_of(rest)
        return with_module(several, module)
    if kind == "ParamSpec":
        spec = ParamSpec.__new__(ParamSpec, BARE)
        made = spec
    elif kind == "TypeVar":
        variable = TypeVar.__new__(TypeVar, BARE)
        variable.constraints = lazy_of(rest[4:])
        made = variable
    else:
        raise ValueError("a type parameter that is none")
    (<Parameter>made).__name__ = name
    (<Parameter>made).__covariant__, (<Parameter>made).__contravariant__ = flags & 1, flags >> 1 & 1
    (<Parameter>made).__infer_variance__ = flags >> 2 & 1
    (<Parameter>made).default = lazy_of(rest)
    (<Parameter>made).bound = lazy_of(rest[2:])
    return with_module(made, module)


cdef object with_module(made, module):
    if module is not None:
        vars(made)["__module__"] = module
    return made


cdef tuple lazy_parts(Lazy lazy):
    """A function or None, and the value; NotImplemented stands for no default."""
    return lazy.function, NotImplemented if lazy.value is NO_DEFAULT else lazy.value


cdef Lazy lazy_of(tuple parts):
    if len(parts) < 2 or parts[0] is not None and not callable(parts[0]):
        raise ValueError("a type parameter that is none")
    return Lazy(parts[0], NO_DEFAULT if parts[1] is NotImplemented else parts[1])


def union_with(tuple args not None):
    """The ``types.UnionType`` of just these. ValueError: they make none."""
    made = int | str
    if len(args) < 2 or not all([isinstance(each, (type, GenericAlias)) or type(each) is TypeAliasType or hasattr(type(each), "__or__")
                                 for each in args]) or not kimi_set_union_arguments(made, made.__args__, args):
        raise ValueError("a union that is none")
    return made


cdef set_name(cls, const char *name):
    get_slots(cls).tp_name = name
    if cls is not TypeAliasType:        # an alias says its own
        (<dict><object>get_slots(cls).tp_dict)["__module__"] = "typing"
    PyType_Modified(get_slots(cls))


set_name(TypeVar, b"typing.TypeVar")
set_name(ParamSpec, b"typing.ParamSpec")
set_name(ParamSpecArgs, b"typing.ParamSpecArgs")
set_name(ParamSpecKwargs, b"typing.ParamSpecKwargs")
set_name(TypeVarTuple, b"typing.TypeVarTuple")
set_name(TypeAliasType, b"typing.TypeAliasType")
if not HAS_DEFAULTS:        # where it is, typing says nothing of how many arguments it wants
    del (<dict><object>get_slots(TypeVar).tp_dict)["__typing_prepare_subst__"]
    PyType_Modified(get_slots(TypeVar))
