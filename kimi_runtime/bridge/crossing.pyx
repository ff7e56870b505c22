# cython: binding=False
"""What crosses between host and guest and is no plain data: functions, exposed objects, exception classes, guest objects.

Joins the conversion of plain data to the modules of these. Imported before the first run.
"""
from cpython.ref cimport PyObject

from kimi_runtime.bridge cimport conversion
from kimi_runtime.bridge.conversion cimport Converter, Level
from kimi_runtime.bridge.exposed cimport Exposed, Proxy, Rule, proxy_of, rule_of
from kimi_runtime.bridge.functions cimport HostFunction, wrap
from kimi_runtime.bridge.records cimport data_into_guest, data_out_of_guest
from kimi_runtime.objects.function cimport AsyncGenerator, Coroutine, Function, Generator

import types

from kimi_runtime.bridge.guest_objects import GuestObject
from kimi_runtime.bridge.host_exceptions import mirror_of


cdef object into_guest(object value, Converter c, Level *up):
    cdef Rule rule
    cls = type(value)
    if cls is HostFunction:
        return value
    if cls is Exposed:
        return proxy_of((<Exposed>value).target, (<Exposed>value).rule, c.context)
    if isinstance(value, Proxy):
        return value
    if cls is GuestObject:
        if value.context is not c.context:
            raise TypeError(f"{c.path(up)} cannot go to the guest: it belongs to another guest")
        return value.raw
    rule = rule_of(cls)
    if rule is not None:
        return proxy_of(value, rule, c.context)
    if c.context is not None and c.context.proxies is not None:
        found = c.context.proxies.get(id(value))
        if found is not None:
            found = found()
            if found is not None and (<Proxy>found).target is value:
                return found
    if isinstance(value, type):
        if issubclass(value, Proxy):
            return value
        if issubclass(value, BaseException):
            return mirror_of(value)
        rule = rule_of(value)
        if rule is not None:
            return rule.proxies
    elif not callable(value) or is_guest_made(value):
        return data_into_guest(value, c, up)
    try:
        made = wrap(value, None)
    except TypeError as error:
        text = str(error)
    else:
        return c.remember(<PyObject *>value, made)
    raise TypeError(f"{c.path(up)}: {text}")


cdef bint is_guest_made(value):
    return isinstance(value, (Function, Generator, Coroutine, AsyncGenerator)) \
        or (type(value) is types.MethodType and isinstance(value.__func__, Function))


cdef object out_of_guest(object value, Converter c, Level *up):
    cls = type(value)
    if isinstance(value, Proxy):
        return (<Proxy>value).target
    if cls is HostFunction:
        return (<HostFunction>value).call
    return data_out_of_guest(value, c, up)


cdef object unknown_of_guest(object value, Converter c, Level *up):
    return c.remember(<PyObject *>value, GuestObject(value, c.context))


conversion.into_guest = into_guest
conversion.out_of_guest = out_of_guest
conversion.unknown_of_guest = unknown_of_guest


def result_for_guest(value, str name not None, context):
    """What a function of the host has returned, as a guest in another process gets it.

    context: has ``proxies`` as a ``RunContext`` has.

    Raises:
        TypeError: it is not for guests.
    """
    cdef Converter c = Converter.__new__(Converter)
    cdef PyObject *raw = <PyObject *>value
    c.root = f"the result of {name}()"
    c.context = context
    c.until_check = 1 << 62
    if type(value) is types.CoroutineType:
        value.close()
    return c.convert(raw, NULL)


def wrap_functions(functions):
    """Functions of the host by the names that guests call them by.

    Args:
        functions: names and callables, which may be made by ``host_function``; exception classes and classes with
            ``expose_class`` are what ``inputs`` make of them.

    Raises:
        TypeError: a value is no callable, or async.
    """
    cdef Converter c = Converter.__new__(Converter)
    cdef dict made = {}
    for name, value in functions.items():
        if isinstance(value, type) and (issubclass(value, BaseException) or rule_of(value) is not None):
            c.root = name
            made[name] = into_guest(value, c, NULL)
        elif type(value) is HostFunction:
            made[name] = value
        elif callable(value) and not is_guest_made(value) and type(value) is not GuestObject:
            made[name] = wrap(value, name)
        else:
            raise TypeError(f"functions[{name!r}] must be a callable of the host, not {type(value).__name__}")
    return made
