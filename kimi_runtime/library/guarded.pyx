# cython: binding=False, wraparound=True, boundscheck=True
"""Functions that stand for natives which would tell a guest too much. Builtins of this package: no function of the host
that a guest could take apart."""
from kimi_runtime.objects.context cimport RunContext, current_context

import types
import weakref

from kimi_runtime.syntax.source import decode_source


def no_registry(cls):
    """``_abc._get_dump`` of a guest: refuses, since the classes of other guests could be among those registered."""
    raise RuntimeError("the registry of an abstract base class is not open to guests")


cdef bint is_host_callback(reference):
    callback = getattr(reference, "__callback__", None)
    return type(getattr(callback, "__func__", callback)) is types.FunctionType


def getweakrefs(target):
    """Return a list of all weak reference objects pointing to 'object'."""
    return [each for each in weakref.getweakrefs(target) if not is_host_callback(each)]


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
