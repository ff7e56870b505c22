# cython: binding=False, wraparound=True, boundscheck=True
"""Functions that stand for natives which would tell a guest too much. Builtins of this package: no function of the host
that a guest could take apart."""
from kimi_runtime.objects.context cimport RunContext, current_context, current_serial

from kimi_runtime.bridge.late_calls cimport guest_of_callback

import weakref

from kimi_runtime.objects.class_builder import serial_of_class

from kimi_runtime.syntax.source import decode_source


cdef bint is_of_guest(reference):
    """Whether a weak reference is one that the running guest may know of: a plain one, or one that it made."""
    callback = getattr(reference, "__callback__", None)
    if callback is not None:
        guest = guest_of_callback(callback)
        return guest is not None and guest is current_context()
    kind = type(reference)
    return kind in PLAIN or serial_of_class(kind) == current_serial()


cdef tuple PLAIN = (weakref.ReferenceType, weakref.ProxyType, weakref.CallableProxyType)


def getweakrefs(target):
    """Return a list of all weak reference objects pointing to 'object'."""
    return [each for each in weakref.getweakrefs(target) if is_of_guest(each)]


def getweakrefcount(target):
    """Return the number of weak references to 'object'."""
    return len(getweakrefs(target))


def source_of(filename):
    """The text of one of the guest's own files, or of the library's, by file name; or None."""
    from kimi_runtime.library import loader
    cdef RunContext guest
    if type(filename) is not str:
        return None
    guest = current_context()
    text = None if guest is None else guest.source_of(filename)
    if text is None:
        text = loader.source_of(filename)
    return decode_source(text, filename) if isinstance(text, bytes) else text


def configuration_names(module):
    """What the arguments in a file for logging.config are evaluated in: `args=(sys.stdout,)` is what people write there."""
    from kimi_runtime.bridge.gate import vars_of
    from kimi_runtime.objects.context import running_builtins
    guest_import = running_builtins()["__import__"]
    names = dict(vars_of(module))
    for name in ("sys", "os"):
        names[name] = guest_import(name)
    return names
