# cython: binding=False, wraparound=True, boundscheck=True
"""Argument binding, the general path.

The core binds a call with exactly the positional parameters by itself and comes here for everything else.  The
arguments are moved to a scratch buffer first, unless they already lie where they belong, so that they may overlap the
parameter registers in any way.
"""
from cpython.ref cimport PyObject
from cpython.mem cimport PyMem_Free as free, PyMem_Malloc as malloc

from kimi_runtime.bytecode.code cimport CODE_VARARGS, CODE_VARKEYWORDS, Code
from kimi_runtime.objects.function cimport Function
from kimi_runtime.objects.slots cimport type_name_of  # no-cython-lint: switches off tracebacks of its own
from kimi_runtime.vm.values cimport (
    Py_DECREF, Py_INCREF, T_OBJ, T_UNDEF, Value, value_borrowed, value_clear, value_object, value_take)

import sys

if sys.version_info >= (3, 13):
    import _suggestions

cdef extern from "Python.h":
    PyObject *PyTuple_New(Py_ssize_t n) noexcept
    void PyTuple_SET_ITEM(PyObject *t, Py_ssize_t i, PyObject *item) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t) noexcept
    PyObject *PyDict_New() noexcept
    int PyDict_SetItem(PyObject *d, PyObject *key, PyObject *value) noexcept
    PyObject *PyDict_GetItemWithError(PyObject *d, PyObject *key) noexcept
    int PyDict_Next(PyObject *d, Py_ssize_t *pos, PyObject **key, PyObject **value) noexcept
    Py_ssize_t PyDict_GET_SIZE "PyDict_Size"(PyObject *d) noexcept
    bint PyUnicode_Check(PyObject *o) noexcept
    bint PyUnicode_CheckExact(PyObject *o) noexcept
    int PyUnicode_CHECK_INTERNED(PyObject *o) noexcept
    int PyObject_RichCompareBool(PyObject *a, PyObject *b, int op) noexcept
    PyObject *PyErr_Occurred() noexcept
    PyObject *PyErr_NoMemory() noexcept
    int Py_EQ

cdef enum:
    SCRATCH = 24            # arguments that fit the buffer on the C stack


# ---- errors ----------------------------------------------------------------------------------
# Each raises and returns NULL; called through variables because the callers are noexcept.
ctypedef PyObject *(*raiser1)(PyObject *, PyObject *) noexcept
ctypedef PyObject *(*raiser_given)(PyObject *, Py_ssize_t, Value *) noexcept
ctypedef PyObject *(*raiser_keyword)(PyObject *, PyObject *, PyObject *, PyObject *) noexcept
ctypedef PyObject *(*raiser_missing)(PyObject *, Value *, int) noexcept


cdef object raise_keywords_must_be_strings(Function func, key):
    raise TypeError(f"{func.qualname}() keywords must be strings")


cdef object raise_multiple_values(Function func, key):
    raise TypeError(f"{func.qualname}() got multiple values for argument '{key}'")


cdef object raise_unexpected_keyword(Function func, key, PyObject *kwnames, PyObject *kwargs):
    cdef Code code = func.code
    cdef list given = list(<object>kwnames) if kwnames != NULL else []
    cdef list positional_only
    if kwargs != NULL:
        given += list(<object>kwargs)
    positional_only = [name for name in code.local_names[:code.nposonly] if name in given]
    if positional_only:
        raise TypeError(f"{func.qualname}() got some positional-only arguments passed as keyword arguments: "
                        f"'{', '.join(positional_only)}'")
    message = f"{func.qualname}() got an unexpected keyword argument '{key}'"
    if sys.version_info >= (3, 13):
        names = list(code.local_names[code.nposonly:code.npos + code.nkwonly])
        guess = _suggestions._generate_suggestions(names, key) if type(key) is str else None
        if guess is not None:
            message += f". Did you mean '{guess}'?"
    raise TypeError(message)


cdef object raise_too_many(Function func, Py_ssize_t given, Value *regs):
    cdef Code code = func.code
    cdef Py_ssize_t ndefaults = 0 if func.defaults is None else len(func.defaults)
    cdef Py_ssize_t i, kwonly_given = 0
    for i in range(code.npos, code.npos + code.nkwonly):
        kwonly_given += regs[i].tag != T_UNDEF
    if ndefaults:
        takes = f"from {code.npos - ndefaults} to {code.npos}"
        plural = True
    else:
        takes = f"{code.npos}"
        plural = code.npos != 1
    extra = ""
    if kwonly_given:
        extra = (f" positional argument{'s' if given != 1 else ''} (and {kwonly_given} keyword-only "
                 f"argument{'s' if kwonly_given != 1 else ''})")
    verb = "was" if given == 1 and not kwonly_given else "were"
    raise TypeError(f"{func.qualname}() takes {takes} positional argument{'s' if plural else ''} but "
                    f"{given}{extra} {verb} given")


cdef object raise_missing(Function func, Value *regs, int keyword_only):
    cdef Code code = func.code
    cdef Py_ssize_t i, first, last
    cdef list names = []
    if keyword_only:
        first, last = code.npos, code.npos + code.nkwonly
    else:
        first, last = 0, code.npos - (0 if func.defaults is None else len(func.defaults))
    for i in range(first, last):
        if regs[i].tag == T_UNDEF:
            name = code.local_names[i]
            if keyword_only and func.kwdefaults is not None and name in func.kwdefaults:
                continue
            names.append(repr(name))
    if len(names) == 1:
        listed = names[0]
    elif len(names) == 2:
        listed = " and ".join(names)
    else:
        listed = f"{', '.join(names[:-2])}, {names[-2]}, and {names[-1]}"
    kind = "keyword-only" if keyword_only else "positional"
    raise TypeError(f"{func.qualname}() missing {len(names)} required {kind} "
                    f"argument{'' if len(names) == 1 else 's'}: {listed}")


cdef raiser1 not_strings = <raiser1><void *>raise_keywords_must_be_strings
cdef raiser1 multiple_values = <raiser1><void *>raise_multiple_values
cdef raiser_keyword unexpected_keyword = <raiser_keyword><void *>raise_unexpected_keyword
cdef raiser_given too_many = <raiser_given><void *>raise_too_many
cdef raiser_missing missing = <raiser_missing><void *>raise_missing


# ---- binding ---------------------------------------------------------------------------------
cdef Py_ssize_t find_parameter(PyObject *names, Py_ssize_t first, Py_ssize_t last, PyObject *key) noexcept:
    """Index of the parameter called key among names[first:last]; -1 when there is none, -2 on error."""
    cdef Py_ssize_t i
    cdef int equal
    cdef bint interned
    for i in range(first, last):
        if PyTuple_GET_ITEM(names, i) == key:
            return i
    interned = PyUnicode_CheckExact(key) and PyUnicode_CHECK_INTERNED(key)
    for i in range(first, last):
        if interned and PyUnicode_CHECK_INTERNED(PyTuple_GET_ITEM(names, i)):
            continue                # two interned strings are equal only when they are the same
        equal = PyObject_RichCompareBool(PyTuple_GET_ITEM(names, i), key, Py_EQ)
        if equal > 0:
            return i
        if equal < 0:
            return -2
    return -1


cdef int bind_keyword(Function func, PyObject *key, Value *value, PyObject *keywords, PyObject *kwnames,
                      PyObject *kwargs, Value *regs) noexcept:
    """One keyword argument; its value is moved. keywords: the dict of the ** parameter, or NULL."""
    cdef Code code = func.code
    cdef Py_ssize_t i
    cdef PyObject *boxed
    cdef int status
    if not PyUnicode_Check(key):
        not_strings(<PyObject *>func, key)
        return -1
    i = find_parameter(<PyObject *>code.local_names, code.nposonly, code.npos + code.nkwonly, key)
    if i >= 0:
        if regs[i].tag != T_UNDEF:
            multiple_values(<PyObject *>func, key)
            return -1
        regs[i] = value[0]
        value.tag = T_UNDEF
        return 0
    if i == -2:
        return -1
    if keywords == NULL:
        unexpected_keyword(<PyObject *>func, key, kwnames, kwargs)
        return -1
    boxed = value_take(value)
    if boxed == NULL:
        return -1
    status = PyDict_SetItem(keywords, key, boxed)
    Py_DECREF(boxed)
    return status


cdef int fill(Function func, Value *source, Py_ssize_t npos, PyObject *kwnames, PyObject *kwargs,
              Value *regs) noexcept:
    """Binds moved arguments; regs[0 .. nparams) is empty or, with source == regs, holds the positional ones.

    On failure registers and source keep what they hold: the caller empties them.
    """
    cdef Code code = func.code
    cdef Py_ssize_t nparams_positional = code.npos
    cdef Py_ssize_t nnamed = code.npos + code.nkwonly
    cdef Py_ssize_t nbound = npos if npos < nparams_positional else nparams_positional
    cdef Py_ssize_t ndefaults, first_default, i, pos
    cdef PyObject *rest
    cdef PyObject *keywords = NULL
    cdef PyObject *key
    cdef PyObject *item
    cdef PyObject *defaults
    cdef Value value
    cdef bint lacking = False

    if source != regs:
        for i in range(nbound):
            regs[i] = source[i]
            source[i].tag = T_UNDEF
    if code.flags & CODE_VARARGS:
        rest = PyTuple_New(npos - nbound)
        if rest == NULL:
            return -1
        for i in range(npos - nbound):
            item = value_take(&source[nbound + i])
            if item == NULL:
                Py_DECREF(rest)
                return -1
            PyTuple_SET_ITEM(rest, i, item)
        regs[nnamed].tag = T_OBJ
        regs[nnamed].u.o = rest
        nnamed += 1
    if code.flags & CODE_VARKEYWORDS:
        keywords = PyDict_New()
        if keywords == NULL:
            return -1
        regs[nnamed].tag = T_OBJ
        regs[nnamed].u.o = keywords
    if kwnames != NULL:
        for i in range(PyTuple_GET_SIZE(kwnames)):
            if bind_keyword(func, PyTuple_GET_ITEM(kwnames, i), &source[npos + i], keywords, kwnames, kwargs, regs) < 0:
                return -1
    if kwargs != NULL:
        pos = 0
        while PyDict_Next(kwargs, &pos, &key, &item):
            value_borrowed(&value, item)
            Py_INCREF(key)
            if bind_keyword(func, key, &value, keywords, kwnames, kwargs, regs) < 0:
                value_clear(&value)
                Py_DECREF(key)
                return -1
            Py_DECREF(key)
    if npos > nparams_positional and not code.flags & CODE_VARARGS:
        too_many(<PyObject *>func, npos, regs)
        return -1
    if npos < nparams_positional:
        defaults = <PyObject *>func.defaults
        ndefaults = 0 if func.defaults is None else PyTuple_GET_SIZE(defaults)
        first_default = nparams_positional - ndefaults
        for i in range(npos, first_default):
            if regs[i].tag == T_UNDEF:
                missing(<PyObject *>func, regs, 0)
                return -1
        for i in range(first_default if first_default > npos else npos, nparams_positional):
            if regs[i].tag == T_UNDEF:
                value_borrowed(&regs[i], PyTuple_GET_ITEM(defaults, i - first_default))
    if code.nkwonly:
        for i in range(nparams_positional, nparams_positional + code.nkwonly):
            if regs[i].tag != T_UNDEF:
                continue
            if func.kwdefaults is not None:
                item = PyDict_GetItemWithError(<PyObject *>func.kwdefaults,
                                               PyTuple_GET_ITEM(<PyObject *>code.local_names, i))
                if item != NULL:
                    value_borrowed(&regs[i], item)
                    continue
                if PyErr_Occurred() != NULL:
                    return -1
            lacking = True
        if lacking:
            missing(<PyObject *>func, regs, 1)
            return -1
    return 0


cdef int fail(Function func, Value *source, Py_ssize_t nsource, Value *regs) noexcept:
    cdef Py_ssize_t i
    for i in range(nsource):
        value_clear(&source[i])
    for i in range(func.code.nparams):
        value_clear(&regs[i])
    return -1


cdef int bind_moved(Function func, Value *source, Py_ssize_t npos, PyObject *kwnames, PyObject *kwargs,
                    Value *regs) noexcept:
    """fill() from a scratch buffer outside regs; leaves the buffer empty."""
    cdef Py_ssize_t i
    cdef Py_ssize_t total = npos
    if kwnames != NULL:
        total += PyTuple_GET_SIZE(kwnames)
    for i in range(func.code.nparams):
        regs[i].tag = T_UNDEF
    if fill(func, source, npos, kwnames, kwargs, regs) < 0:
        return fail(func, source, total, regs)
    return 0


cdef int bind_arguments(Function func, PyObject *const *args, Py_ssize_t npos, PyObject *kwnames, PyObject *kwargs,
                        Value *regs) noexcept:
    cdef Value local[SCRATCH]
    cdef Value *source = local
    cdef Py_ssize_t total = npos
    cdef Py_ssize_t i
    cdef int status
    if kwnames != NULL:
        total += PyTuple_GET_SIZE(kwnames)
    if total > SCRATCH:
        source = <Value *>malloc(total * sizeof(Value))
        if source == NULL:
            PyErr_NoMemory()
            for i in range(func.code.nparams):
                regs[i].tag = T_UNDEF
            return -1
    for i in range(total):
        value_borrowed(&source[i], args[i])
    status = bind_moved(func, source, npos, kwnames, kwargs, regs)
    if source != local:
        free(source)
    return status


cdef int bind_values_all(Function func, Value *args, Py_ssize_t npos, PyObject *kwnames, PyObject *kwargs,
                         Value *regs) noexcept:
    cdef Value local[SCRATCH]
    cdef Value *source = local
    cdef Py_ssize_t total = npos
    cdef Py_ssize_t i
    cdef int status
    if kwnames != NULL:
        total += PyTuple_GET_SIZE(kwnames)
    if args == regs and total == npos and npos <= func.code.npos:
        # Only parameters at the end are missing: everything is where it belongs.
        for i in range(npos, func.code.nparams):
            regs[i].tag = T_UNDEF
        if fill(func, regs, npos, NULL, kwargs, regs) < 0:
            return fail(func, regs, 0, regs)
        return 0
    if total > SCRATCH:
        source = <Value *>malloc(total * sizeof(Value))
        if source == NULL:
            PyErr_NoMemory()
            for i in range(total):
                value_clear(&args[i])
            for i in range(func.code.nparams):
                regs[i].tag = T_UNDEF
            return -1
    for i in range(total):
        source[i] = args[i]
        args[i].tag = T_UNDEF
    status = bind_moved(func, source, npos, kwnames, kwargs, regs)
    if source != local:
        free(source)
    return status


cdef int bind_values(Function func, Value *args, Py_ssize_t npos, PyObject *kwnames, Value *regs) noexcept:
    return bind_values_all(func, args, npos, kwnames, NULL, regs)


cdef int bind_values_dict(Function func, Value *args, Py_ssize_t npos, PyObject *kwargs, Value *regs) noexcept:
    return bind_values_all(func, args, npos, NULL, kwargs, regs)


def bind_for_test(func, tuple args, dict kwargs, str how="objects", Py_ssize_t shift=0):
    """Binds and returns the parameter values in register order; for tests.

    how: which entry to use ("objects", "dict", "values" or "values_dict"); shift: for the latter two, the distance of
    the arguments from the registers.  Raises what the binding raises.
    """
    cdef Function f = func
    cdef Value window[512]
    cdef Value *regs = &window[200]
    cdef Value *from_here = regs + shift
    cdef PyObject *pointers[200]
    cdef tuple kwnames = tuple(kwargs)
    cdef list everything = list(args) + list(kwargs.values())
    cdef Py_ssize_t i
    cdef int status
    cdef PyObject *names = <PyObject *>kwnames if kwnames else NULL
    cdef PyObject *mapping = <PyObject *>kwargs if kwargs else NULL
    cdef PyObject *o
    for i in range(512):
        window[i].tag = T_UNDEF
    if how == "objects" or how == "dict":
        for i, item in enumerate(everything):
            pointers[i] = <PyObject *>item
        if how == "objects":
            status = bind_arguments(f, pointers, len(args), names, NULL, regs)
        else:
            status = bind_arguments(f, pointers, len(args), NULL, mapping, regs)
    else:
        for i, item in enumerate(everything if how == "values" else args):
            value_borrowed(&from_here[i], <PyObject *>item)
        if how == "values":
            status = bind_values(f, from_here, len(args), names, regs)
        else:
            status = bind_values_dict(f, from_here, len(args), mapping, regs)
    found = []
    for i in range(512):
        if window[i].tag != T_UNDEF:
            if status < 0 or not 200 <= i < 200 + f.code.nparams:
                raise SystemError(f"register {i - 200} is not empty")
            o = value_object(&window[i])
            found.append(<object>o)
            Py_DECREF(o)
            value_clear(&window[i])
    if status < 0:
        raise_pending()
    if len(found) != f.code.nparams:
        raise SystemError("an empty parameter")
    return found


cdef extern from *:
    """
    static int k_pending(void) { return -1; }
    """
    int raise_pending "k_pending"() except -1


def code_for_test(host):
    """A code object without instructions that has the parameters of a function of the host; for tests."""
    cdef Code code = Code()
    c = host.__code__
    code.npos = c.co_argcount
    code.nposonly = c.co_posonlyargcount
    code.nkwonly = c.co_kwonlyargcount
    code.flags = (CODE_VARARGS if c.co_flags & 4 else 0) | (CODE_VARKEYWORDS if c.co_flags & 8 else 0)
    code.nparams = code.npos + code.nkwonly + bool(c.co_flags & 4) + bool(c.co_flags & 8)
    code.local_names = c.co_varnames[:code.nparams]
    code.nlocals = code.nregs = code.nparams
    code.name = c.co_name
    code.qualname = host.__qualname__
    return code
