# cython: binding=False, wraparound=True, boundscheck=True
"""Warnings that C code raises while a guest runs belong to the guest.

``PyErr_WarnEx`` reads ``warnings.filters`` of the process before it does anything that can be seen. So the module ``warnings`` of
the host gets a class of which ``filters`` is an attribute: host code finds the list that it always had; C code that a guest
called finds one filter, which hands text and category to the guest's ``warnings`` module and then says "ignore".
"""
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport RunContext, context_of, current_context
from kimi_runtime.objects.function cimport Function, hooks
from kimi_runtime.objects.tracebacks cimport source_line

import types


cdef class Relay:
    """The pattern and the category of that filter in one: whichever is asked last has both."""
    cdef object text, category

    def match(self, text):
        self.text = text
        if self.category is not None:
            self.deliver()
        return True

    def __subclasscheck__(self, category):
        self.category = category
        if self.text is not None:
            self.deliver()
        return True

    cdef int deliver(self) except -1:
        text, category = self.text, self.category
        self.text = self.category = None
        return tell_guest(current_context(), text, category)


cdef int tell_guest(RunContext context, text, category) except -1:
    """A warning at the line that runs, by the guest's filters: printed, dropped, or raised."""
    cdef PyObject *raw = NULL
    cdef int line = hooks.frame_line(0, &raw)
    cdef Function function
    if context is None or context.privileged or raw == NULL:
        return 0                                # a library module that is loaded for all guests
    function = <Function>raw
    name = function.globals.get("__name__") or "<string>"
    filename = function.code.filename
    module = context.modules.get("warnings")
    if module is None:
        return write_by_default(context, function, text, category, name, line)
    if context_of(function.builtins) is context:
        registry = function.globals.setdefault("__warningregistry__", {})
    else:                                       # the library's, whose namespace other guests have too
        if context.kept is None:
            context.kept = {}
        registry = context.kept.setdefault(("warnings", name), {})
    module.warn_explicit(text, category, filename, line, name, registry)
    return 0


cdef int write_by_default(RunContext context, Function function, text, category, name, int line) except -1:
    """What CPython's filters do when a program has not changed them: once for each text and line."""
    cdef str filename = function.code.filename
    if issubclass(category, (PendingDeprecationWarning, ImportWarning, ResourceWarning)) \
            or issubclass(category, DeprecationWarning) and name != "__main__":
        return 0
    if context.warned is None:
        context.warned = set()
    key = (text, category, filename, line)
    if key in context.warned:
        return 0
    context.warned.add(key)
    shown = source_line(function.code.source, filename, line)
    shown = f"  {shown}\n" if shown else ""
    context.err.put(f"{filename}:{line}: {category.__name__}: {text}\n{shown}")
    return 0


cdef class Filters:
    """The attribute ``filters`` of the host's ``warnings`` module."""

    def __get__(self, module, cls):
        if module is None:
            return self
        if hooks.guest_is_direct != NULL and hooks.guest_is_direct() and current_context() is not None:
            relay = Relay()
            return [("ignore", relay, relay, None, 0)]
        try:
            return module.__dict__["filters"]
        except KeyError:
            raise AttributeError("module 'warnings' has no attribute 'filters'") from None

    def __set__(self, module, value):
        module.__dict__["filters"] = value

    def __delete__(self, module):
        try:
            del module.__dict__["filters"]
        except KeyError:
            raise AttributeError("module 'warnings' has no attribute 'filters'") from None


cdef object changed = None


def install():
    """Once in the process; again when another module has taken the place of ``warnings``."""
    global changed
    import warnings
    if warnings is not changed and type(warnings) is types.ModuleType:
        warnings.__class__ = type("module", (types.ModuleType,), {"filters": Filters(), "__module__": "builtins"})
        changed = warnings
