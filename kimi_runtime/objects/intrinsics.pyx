# cython: binding=False, wraparound=True, boundscheck=True
"""Intrinsics: what PEP 695 and PEP 696 syntax makes, and the display of interactive mode.

Bounds, constraints, defaults and alias values come as functions without arguments, to be called when somebody asks.  The
host's ``typing`` classes want values, so objects of ours take their place, which ``isinstance`` and ``typing`` accept.
"""
cimport cython
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t

from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport PyType_Modified, get_slots

import sys
import types

cdef extern from "Python.h":
    PyObject *PyErr_Format(PyObject *exc_type, const char *format, ...) noexcept
    PyObject *PyExc_SystemError

cdef bint has_infer_variance = sys.version_info >= (3, 12)
cdef bint has_defaults = sys.version_info >= (3, 13)
cdef object typing_module = None
cdef object shared_module = None        # function(name) -> a module of the library that guests share


def use_shared(function):
    """Called by the library: how its shared modules are had."""
    global shared_module
    shared_module = function


cdef object typing():
    global typing_module
    if typing_module is None:
        import typing
        typing_module = typing
    return typing_module


cdef object guest_module():
    """``__name__`` of the running guest's namespace."""
    cdef PyObject *found = hooks.frame_globals() if hooks.frame_globals != NULL else NULL
    return None if found == NULL else (<dict>found).get("__name__")


cdef object with_module(made):
    try:
        made.__module__ = guest_module()
    except (AttributeError, TypeError):     # an object of the host that does not let us
        pass
    return made


cdef class Lazy:
    """A value that a function without arguments gives when it is first asked for."""
    cdef object function, value

    def __cinit__(self, function=None):
        self.function = function

    cdef object get(self):
        if self.function is not None:
            self.value = self.function()
            self.function = None
        return self.value


@cython.final
@cython.auto_pickle(False)
cdef class LazyTypeVar:
    """A type variable with a bound, constraints or default, or any on hosts whose own would show as ``~T``."""
    cdef readonly str __name__
    cdef object home
    cdef Lazy bound, constraints, default
    cdef dict attrs

    def __cinit__(self, str name, bound, constraints, default):
        self.__name__ = name
        self.home = guest_module()
        self.bound = Lazy(bound)
        self.constraints = Lazy(constraints)
        self.default = Lazy(default)

    @property
    def __module__(self):
        return self.home

    @property
    def __bound__(self):
        return self.bound.get()

    @property
    def __constraints__(self):
        found = self.constraints.get()
        return () if found is None else found

    @property
    def __default__(self):
        return self.default.get()

    @property
    def __covariant__(self):
        return False

    @property
    def __contravariant__(self):
        return False

    @property
    def __infer_variance__(self):
        return True

    @property
    def __class__(self):
        # Generic and the unions of typing accept type variables only.
        return typing().TypeVar

    def __typing_subst__(self, arg):
        return typing()._type_check(arg, "Parameters to generic types must be types.")

    def has_default(self):
        return self.default.function is not None or self.default.value is not None

    def __or__(self, other):
        return typing().Union[self, other]

    def __ror__(self, other):
        return typing().Union[other, self]

    def __mro_entries__(self, bases):
        raise TypeError("Cannot subclass an instance of TypeVar")

    def __call__(self, *args, **kwargs):
        raise TypeError("'TypeVar' object is not callable")

    def __repr__(self):
        return self.__name__


@cython.final
@cython.auto_pickle(False)
cdef class TypeAlias:
    """What a ``type`` statement makes."""
    cdef readonly str __name__
    cdef object home
    cdef readonly tuple __type_params__
    cdef Lazy value

    def __cinit__(self, str name, function, tuple type_params):
        self.__name__ = name
        self.home = guest_module()
        self.__type_params__ = type_params
        self.value = Lazy(function)

    @property
    def __module__(self):
        return self.home

    @property
    def __value__(self):
        return self.value.get()

    @property
    def __parameters__(self):
        return unpacked(self.__type_params__)

    @property
    def __class__(self):
        return typing().TypeAliasType if has_infer_variance else TypeAlias

    def __getitem__(self, item):
        if not self.__type_params__:
            raise TypeError("Only generic type aliases are subscriptable")
        return types.GenericAlias(self, item)

    def __or__(self, other):
        return typing().Union[self, other]

    def __ror__(self, other):
        return typing().Union[other, self]

    def __call__(self, *args, **kwargs):
        raise TypeError("'typing.TypeAliasType' object is not callable")

    def __repr__(self):
        return self.__name__

    def __reduce__(self):
        return self.__name__


get_slots(LazyTypeVar).tp_name = b"typing.TypeVar"
PyType_Modified(get_slots(LazyTypeVar))
get_slots(TypeAlias).tp_name = b"typing.TypeAliasType"
PyType_Modified(get_slots(TypeAlias))


cdef tuple unpacked(tuple params):
    """Type parameters with each TypeVarTuple as ``*Ts``."""
    cdef list found = []
    for each in params:
        if isinstance(each, typing().TypeVarTuple):
            found.extend(each)
        else:
            found.append(each)
    return tuple(found)


cdef object type_var(name, bound, constraints, default):
    if has_infer_variance and bound is None and constraints is None and default is None:
        return with_module(typing().TypeVar(name, infer_variance=True))
    return LazyTypeVar(name, bound, constraints, default)


cdef object param_spec(name, default_function):
    cdef dict options = {}
    if has_infer_variance:
        options["infer_variance"] = True
    if has_defaults and default_function is not None:
        options["default"] = default_function()
    return with_module(typing().ParamSpec(name, **options))


cdef object type_var_tuple(name, default_function):
    if has_defaults and default_function is not None:
        return with_module(typing().TypeVarTuple(name, default=default_function()))
    return with_module(typing().TypeVarTuple(name))


cdef object generic_base(params):
    cdef object generic
    # 3.12: the class of C asks the host's typing, so guests have another. It does not take our lazy type variables yet.
    if has_infer_variance and not any(type(each) is LazyTypeVar for each in params):
        generic = shared_module("_typing").Generic
    else:
        generic = typing().Generic
    return generic[unpacked(tuple(params))]


cdef object print_expression(value):
    from kimi_runtime.objects.builtins import display_hook
    display_hook()(value)
    return None


cdef object call(number, PyObject **args):
    cdef int which = number
    if which == 0:
        return type_var(<object>args[0], <object>args[1], None, <object>args[2])
    if which == 1:
        return type_var(<object>args[0], None, <object>args[1], <object>args[2])
    if which == 2:
        return param_spec(<object>args[0], <object>args[1])
    if which == 3:
        return type_var_tuple(<object>args[0], <object>args[1])
    if which == 4:
        return TypeAlias(<object>args[0], <object>args[1], tuple(<object>args[2]))
    if which == 5:
        return generic_base(<object>args[0])
    if which == 6:
        return print_expression(<object>args[0])
    raise SystemError(f"unknown intrinsic {which}")


ctypedef PyObject *(*raw_call)(PyObject *, PyObject **) noexcept
cdef raw_call try_call = <raw_call><void *>call


cdef PyObject *intrinsic(uint32_t number, PyObject **args) noexcept:
    cdef object which = number
    return try_call(<PyObject *>which, args)


def intrinsic_for_test(number, *args):
    """One intrinsic, for tests."""
    cdef PyObject *raw[3]
    cdef Py_ssize_t i
    for i, each in enumerate(args):
        raw[i] = <PyObject *>each
    return call(number, raw)
