# cython: binding=False, wraparound=True, boundscheck=True
"""``_abc`` for guests: what they register with abstract classes of the shared library counts for them alone.

CPython keeps registrations and answers in the class, and asks all subclasses that there are: with a class that guests share
one of them could tell all others what is a Sequence, or run its ``__subclasshook__`` in them.  So for classes of the library
both are kept here, for each guest; classes that a guest made are left to CPython.
"""
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport RunContext, current_context
from kimi_runtime.objects.function cimport hooks
from kimi_runtime.objects.slots cimport IMMUTABLE_TYPE, get_slots
from kimi_runtime.vm.values cimport Py_DECREF

import _abc

from kimi_runtime.bridge.gate import is_shared_class

cdef extern from "Python.h":
    unsigned long COLLECTION_FLAGS "(Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING)"

cdef extern from *:
    """
    static int k_abstract_failed(void) { return -1; }
    """
    int raise_pending "k_abstract_failed"() except -1

cdef str KEY_REGISTERED = "abc registered", KEY_ANSWERS = "abc answers"
cdef enum:
    MAX_ANSWERS = 5000
# Class of the library by its id -> what the library registered with it, for good once a guest asks.
cdef dict registered_by_library = {}


cdef dict kept_of(RunContext context):
    if context.kept is None:
        context.kept = {}
    return context.kept


cdef RunContext guest_for(cls):
    """The running guest, when the class is one that it shares with others; else None."""
    return current_context() if is_shared_class(cls) and not library_loads() else None


cdef bint library_loads():
    cdef RunContext context = current_context()
    return context is None or (context.privileged and context.guest is None)


def no_registry(cls):
    """``_get_dump`` of a guest: refuses, since the classes of other guests could be among those registered."""
    raise RuntimeError("the registry of an abstract base class is not open to guests")


def reset(cls):
    """``_reset_registry`` and ``_reset_caches`` of a guest."""
    raise RuntimeError("the registry of an abstract base class is not open to guests")


def register(cls, subclass):
    """Register a virtual subclass of an ABC. Returns the subclass, to allow usage as a class decorator."""
    cdef RunContext guest = guest_for(cls)
    if guest is None:
        return _abc._abc_register(cls, subclass)
    if not issubclass(type(subclass), type):
        raise TypeError("Can only register classes")
    if issubclass(subclass, cls):
        return subclass
    if issubclass(cls, subclass):
        raise RuntimeError("Refusing to create an inheritance cycle")
    kept = kept_of(guest)
    kept.setdefault(KEY_REGISTERED, []).append((cls, subclass))
    kept.pop(KEY_ANSWERS, None)
    take_collection_flag(cls, subclass)
    return subclass


def cache_token():
    """Return a number that every registration that counts for the running guest changes."""
    cdef RunContext guest = current_context()
    cdef Py_ssize_t own = 0
    if guest is not None and guest.kept is not None:
        own = len(guest.kept.get(KEY_REGISTERED, ()))
    return _abc.get_cache_token() + own


cdef int take_collection_flag(cls, subclass) except -1:
    """What is registered as a sequence or mapping is one for ``match`` too, like what derives from it."""
    cdef unsigned long flag = get_slots(cls).tp_flags & COLLECTION_FLAGS
    if not flag or get_slots(subclass).tp_flags & IMMUTABLE_TYPE \
            or get_slots(subclass).tp_flags & COLLECTION_FLAGS == flag:
        return 0
    get_slots(subclass).tp_flags = get_slots(subclass).tp_flags & ~COLLECTION_FLAGS | flag
    for each in subclasses_of(subclass):
        take_collection_flag(cls, each)
    return 0


def instancecheck(cls, instance):
    """``ABCMeta.__instancecheck__``."""
    if guest_for(cls) is None:
        return _abc._abc_instancecheck(cls, instance)
    subclass = instance.__class__
    subtype = type(instance)
    if subtype is subclass:
        return bool(cls.__subclasscheck__(subclass))
    return bool(cls.__subclasscheck__(subclass)) or bool(cls.__subclasscheck__(subtype))


def subclasscheck(cls, subclass):
    """``ABCMeta.__subclasscheck__``."""
    cdef RunContext guest = guest_for(cls)
    if guest is None:
        return _abc._abc_subclasscheck(cls, subclass)
    if not issubclass(type(subclass), type):
        raise TypeError("issubclass() arg 1 must be a class")
    key = id(cls), id(subclass)
    kept = kept_of(guest)
    answers = kept.get(KEY_ANSWERS)
    if answers is not None:
        known = answers.get(key)
        if known is not None:
            return known[0]
    answer = is_subclass(kept, cls, subclass)
    if answers is None or kept.get(KEY_ANSWERS) is not answers:
        answers = kept.setdefault(KEY_ANSWERS, {})
    if len(answers) >= MAX_ANSWERS:
        answers.clear()
    answers[key] = answer, cls, subclass        # which keeps the ids theirs
    return answer


cdef object is_subclass(dict kept, cls, subclass):
    ok = cls.__subclasshook__(subclass)
    if ok is not NotImplemented:
        if type(ok) is not bool:
            raise AssertionError("__subclasshook__ must return True, False or NotImplemented")
        return ok
    for each in type.__dict__["__mro__"].__get__(subclass):
        if each is cls:
            return True
    for each in of_library(cls):
        if issubclass(subclass, each):
            return True
    for abstract, each in list(kept.get(KEY_REGISTERED, ())):
        if abstract is cls and issubclass(subclass, each):
            return True
    for each in subclasses_of(cls):
        if issubclass(subclass, each):
            return True
    return False


cdef list of_library(cls):
    """The classes that the library registered."""
    found = registered_by_library.get(id(cls))
    if found is None or found[0] != _abc.get_cache_token():
        alive = [reference() for reference in _abc._get_dump(cls)[0]]
        found = registered_by_library[id(cls)] = _abc.get_cache_token(), [each for each in alive if each is not None], cls
    return found[1]


cdef list subclasses_of(cls):
    """The subclasses that the guest may know of."""
    cdef str name = "__subclasses__"
    cdef PyObject *found = hooks.get_attribute(<PyObject *>cls, <PyObject *>name)
    if found == NULL:
        raise_pending()
    method = <object>found
    Py_DECREF(found)
    return method()
