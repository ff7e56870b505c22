# cython: binding=False
"""Slots of the host's types through which native code runs long or deep.

``sum(range(10**12))``, the comparison of two lists that share their parts forty levels deep, or the ``repr`` of a chain of
a million iterators run in C without a look at any limit. What such code does over and over is to call a slot of one of
the builtin types: the next item, a comparison, a hash, a text, or the release of an object. These slots get a guard in
front, once in the process, when the package is imported. It tests how much of the C stack is left and one flag that the
watching thread sets when a run is over its time (``vm/watch.h``), which together cost about a nanosecond. For threads
without a run nothing else happens.
"""
from kimi_runtime.objects.function cimport hooks

import collections
import functools
import io
import itertools
import operator
import types
import weakref
from builtins import BaseException as host_exception

from cpython.ref cimport PyObject


cdef extern from "slots.h":
    const int *k_alarm_set
    int *k_metered_runs
    int (*k_interrupted)(bint endless) noexcept
    int (*k_tick)() noexcept
    int (*k_afford)(double seconds) noexcept
    int k_guard_next(PyObject *type) noexcept
    int k_guard_endless(PyObject *type) noexcept
    int k_guard_repr(PyObject *type) noexcept
    int k_guard_str(PyObject *type) noexcept
    int k_guard_hash(PyObject *type) noexcept
    int k_guard_compare(PyObject *type) noexcept
    int k_guard_dealloc(PyObject *type) noexcept
    void k_use_class(PyObject *type) noexcept
    void k_enter_thread() noexcept

ctypedef int (*guard_function)(PyObject *) noexcept

cdef bint installed = False


def endless_types():
    """Iterators whose items cost no memory, so that they need not end. Their items are counted as ticks."""
    return [type(iter(range(1))), type(iter(range(1 << 100))), type(iter(int, 0)), itertools.count, itertools.cycle,
            itertools.repeat, itertools.product, itertools.permutations, itertools.combinations,
            itertools.combinations_with_replacement]


class _Indexed:
    def __getitem__(self, index):
        raise IndexError


def iterator_types():
    """Other iterators: what they go through is finite, but the same list may be gone through a million times."""
    ordered = collections.OrderedDict()
    examples = [[], (), "", "\xe9", b"", bytearray(), set(), {}, {}.keys(), {}.values(), {}.items(), collections.deque(),
                memoryview(b""), ordered, ordered.keys(), ordered.values(), ordered.items(), _Indexed(),
                list[int]]
    backward = [[], (), {}, {}.keys(), {}.values(), {}.items(), collections.deque(), ordered, range(1)]
    found = [type(iter(each)) for each in examples] + [type(reversed(each)) for each in backward]
    found += [enumerate, zip, map, filter, reversed, io.StringIO, io.BytesIO, io.TextIOWrapper, io.BufferedReader]
    found += [value for value in vars(itertools).values() if isinstance(value, type)]
    return found


def value_types():
    """Types whose values hold others, or are compared, hashed and shown in the loops of others."""
    return [int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, memoryview, type({}.keys()),
            type({}.items()), type({}.values()), collections.deque, collections.OrderedDict, collections.defaultdict, type(collections.OrderedDict().keys()),
            type(collections.OrderedDict().items()), types.MappingProxyType, types.SimpleNamespace, types.GenericAlias, type(int | str),
            types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, weakref.ref, weakref.ProxyType, weakref.CallableProxyType, functools.partial,
            type(functools.cmp_to_key(print)),
            operator.itemgetter, operator.attrgetter, operator.methodcaller, staticmethod, classmethod, property, super,
            types.CellType, map, filter, zip, enumerate, reversed, type]


def all_exceptions():
    """The builtin exceptions."""
    found = []
    waiting = [host_exception]
    while waiting:
        each = waiting.pop()
        if each not in found and each.__module__ == "builtins":
            found.append(each)
            waiting += type.__subclasses__(each)
    return found


def nesting_types():
    """Types that hold others and are released without the interpreter's trashcan."""
    return [map, filter, zip, enumerate, reversed, type(iter(_Indexed())), type(iter(int, 0)), type(iter(())), type(iter([])),
            functools.partial, types.MethodType,
            staticmethod, classmethod, property, slice, types.MappingProxyType, types.GenericAlias, type(int | str), types.CellType,
            collections.deque, collections.defaultdict, types.SimpleNamespace, operator.itemgetter, operator.attrgetter, operator.methodcaller,
            type(functools.cmp_to_key(print)), super, memoryview,
            *[value for value in vars(itertools).values() if isinstance(value, type)], *all_exceptions()]


def guard_types(found):
    """Guards the slots of further types whose values are compared, hashed, shown or gone through."""
    for each in found:
        guard_all(k_guard_next, [each])
        guard_all(k_guard_repr, [each])
        if each.__str__ is not object.__str__:
            guard_all(k_guard_str, [each])
        if each.__hash__ is not object.__hash__:
            guard_all(k_guard_hash, [each])
        guard_all(k_guard_compare, [each])


cdef int guard_all(guard_function guard, found) except -1:
    for each in found:
        if guard(<PyObject *>each) < 0:
            raise RuntimeError(f"too many types to guard: {each}")
    return 0


def install():
    """When the package is imported."""
    global installed, k_alarm_set, k_metered_runs, k_interrupted, k_tick, k_afford
    if installed:
        return
    installed = True
    k_alarm_set = hooks.alarm
    k_metered_runs = &hooks.metered_runs
    k_interrupted = hooks.interrupted
    k_tick = hooks.tick
    k_afford = hooks.afford
    endless = endless_types()
    guard_all(k_guard_endless, endless)
    guard_all(k_guard_next, [each for each in iterator_types() if each not in endless])
    values = value_types() + all_exceptions()
    guard_all(k_guard_repr, values + endless)
    guard_all(k_guard_str, [each for each in values if each.__str__ is not object.__str__])
    guard_all(k_guard_hash, [each for each in values if each not in (type,) and each.__hash__ is not object.__hash__])
    guard_all(k_guard_compare, values)
    k_use_class(<PyObject *>ExceptionGroup)
    guard_all(k_guard_dealloc, nesting_types())
    hooks.enter_thread = k_enter_thread
    k_enter_thread()
