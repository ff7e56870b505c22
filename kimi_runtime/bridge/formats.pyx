# cython: binding=False, wraparound=True, boundscheck=True
"""``str.format`` and ``str.format_map`` of guests, whose fields read attributes as the guest may.

Every path to the two methods must meet the check (the dictionary of str, getattr, map, partial), so the functions of the type
itself are guarded: a template that reads attributes is formatted here when guest code runs, any other one natively.
"""
from cpython.ref cimport PyObject

from kimi_runtime.objects.function cimport hooks

import _string

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 c, Py_ssize_t start, Py_ssize_t end, int direction)

cdef extern from *:
    """
    static PyCFunction k_format, k_format_map;
    /* A new reference to the text; NULL without an exception when the method itself is to do it, or with one. */
    static PyObject *(*k_format_here)(PyObject *template, PyObject *args, PyObject *fields);
    static PyObject *k_checked_format(PyObject *self, PyObject *args, PyObject *kwargs) {
        PyObject *text = k_format_here(self, args, kwargs == NULL ? Py_None : kwargs);
        if (text != Py_NotImplemented) { return text; }
        Py_DECREF(text);
        return ((PyCFunctionWithKeywords)(void (*)(void))k_format)(self, args, kwargs);
    }
    static PyObject *k_checked_format_map(PyObject *self, PyObject *mapping) {
        PyObject *text = k_format_here(self, Py_None, mapping);
        if (text != Py_NotImplemented) { return text; }
        Py_DECREF(text);
        return k_format_map(self, mapping);
    }
    static int k_guard_format(PyObject *format, PyObject *format_map,
                              PyObject *(*here)(PyObject *, PyObject *, PyObject *)) {
        PyMethodDef *one, *other;
        if (Py_TYPE(format) != &PyMethodDescr_Type || Py_TYPE(format_map) != &PyMethodDescr_Type) { return -1; }
        one = ((PyMethodDescrObject *)format)->d_method;
        other = ((PyMethodDescrObject *)format_map)->d_method;
        if (one->ml_flags != (METH_VARARGS | METH_KEYWORDS) || other->ml_flags != METH_O) { return -1; }
        if (one->ml_meth == (PyCFunction)(void (*)(void))k_checked_format) { return 0; }
        k_format_here = here;
        k_format = one->ml_meth;
        k_format_map = other->ml_meth;
        one->ml_meth = (PyCFunction)(void (*)(void))k_checked_format;
        other->ml_meth = k_checked_format_map;
        return 0;
    }
    static int k_format_failed(void) { return -1; }
    """
    int k_guard_format(object format, object format_map, PyObject *(*here)(PyObject *, PyObject *, PyObject *) noexcept) noexcept
    int raise_pending "k_format_failed"() except -1

from kimi_runtime.vm.values cimport Py_DECREF


cdef object read(o, name):
    """``o.name`` through the gate."""
    cdef PyObject *found = hooks.get_attribute(<PyObject *>o, <PyObject *>name)
    if found == NULL:
        raise_pending()
    value = <object>found
    Py_DECREF(found)
    return value


cdef class Fields:
    """Where the fields of a template take their values from."""
    cdef object args, named
    cdef Py_ssize_t next        # the next automatic number; -1 once numbers were given by hand
    cdef str way                # how fields are numbered: "automatic", "manual" or none yet

    cdef object first(self, name):
        """The value that a field begins with."""
        if type(name) is str and name:
            return self.named[name]
        if self.args is None:
            raise ValueError("Format string contains positional fields")
        if type(name) is str:
            if self.way == "manual":
                raise ValueError("cannot switch from manual field specification to automatic field numbering")
            self.way = "automatic"
            name = self.next
            self.next += 1
        else:
            if self.way == "automatic":
                raise ValueError("cannot switch from automatic field numbering to manual field specification")
            self.way = "manual"
        if name >= len(self.args):
            raise IndexError(f"Replacement index {name} out of range for positional args tuple")
        return self.args[name]

    cdef object value(self, str field):
        """The value of a field: what it begins with, then attributes and items."""
        name, rest = _string.formatter_field_name_split(field)
        found = self.first(name)
        for is_attribute, name in rest:
            found = read(found, check_name(name, found)) if is_attribute else found[name]
        return found

    cdef str text(self, str template, int depth):
        cdef list parts = []
        if depth < 0:
            raise ValueError("Max string recursion exceeded")
        for literal, field, spec, conversion in _string.formatter_parser(template):
            if literal:
                parts.append(literal)
            if field is None:
                continue
            value = self.value(field)
            if conversion == "r":
                value = repr(value)
            elif conversion == "s":
                value = str(value)
            elif conversion == "a":
                value = ascii(value)
            elif conversion is not None:
                raise ValueError(f"Unknown conversion specifier {conversion if ' ' < conversion < chr(127) else chr(92) + f'x{ord(conversion):x}'}")
            if "{" in spec or "}" in spec:
                spec = self.text(spec, depth - 1)
            parts.append(format(value, spec))
        return "".join(parts)


# What a class is called may stand in a text; what it is built from is no business of a template, which often comes from
# elsewhere than the program.
cdef frozenset NAMES_OF_TEMPLATES = frozenset(["__name__", "__qualname__", "__module__", "__doc__"])


cdef object check_name(name, o):
    """AttributeError for names with underscores on both sides, by which a text could take an object apart."""
    if name.startswith("__") and name.endswith("__") and name not in NAMES_OF_TEMPLATES and name != "__class__":
        raise AttributeError(f"a format string may not read the attribute {name!r}")
    return name


cdef int check_chain(str template) except -1:
    """AttributeError when a field ends with the class of an object: ``{0.__class__.__name__}`` is fine."""
    for _, field, spec, _ in _string.formatter_parser(template):
        if field:
            _, rest = _string.formatter_field_name_split(field)
            names = [name if is_attribute else None for is_attribute, name in rest]
            for i, name in enumerate(names):
                if name == "__class__" and (i + 1 == len(names) or names[i + 1] not in NAMES_OF_TEMPLATES):
                    raise AttributeError("a format string may not read the attribute '__class__' but for its names")
        if spec:
            check_chain(spec)
    return 0


cdef object format_here(template, args, named):
    """The text; NotImplemented when the method of the host is to do it."""
    cdef Fields fields
    if hooks.frame_builtins == NULL or hooks.frame_builtins(0) == NULL \
            or PyUnicode_FindChar(template, 46, 0, PY_SSIZE_T_MAX, 1) < 0 \
            or PyUnicode_FindChar(template, 123, 0, PY_SSIZE_T_MAX, 1) < 0:
        return NotImplemented
    # As an exact string: a subclass of the guest's may say another text.
    text = str.__str__(template)
    try:
        if not reads_attributes(text):
            return NotImplemented
    except ValueError:
        return NotImplemented           # not a format string: the method itself says what is wrong
    try:
        check_chain(text)
    except ValueError:
        pass        # a field is no field: below the ones before it are read and checked one by one, and then it is an error
    fields = Fields.__new__(Fields)
    fields.args = args
    fields.named = {} if named is None else named
    return fields.text(text, 1)


cdef bint reads_attributes(str template) except -1:
    for _, field, spec, _ in _string.formatter_parser(template):
        if field and "." in field or spec and "." in spec and "{" in spec:
            return True
    return False


ctypedef PyObject *(*raw_format)(PyObject *, PyObject *, PyObject *) noexcept
if k_guard_format(str.__dict__["format"], str.__dict__["format_map"], <raw_format><void *>format_here) < 0:
    raise ImportError("this Python's str.format is not a function that can be guarded")
