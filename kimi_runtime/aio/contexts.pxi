# Context variables of guests (part of core.pyx).
#
# A guest runs in a context of the host (see engine.guest_variables), so that what decimal and host functions keep there
# is right in every task. Its own variables are kept in that context too, each as a ContextVar of the host inside. But a
# Context of the host lists all variables in it, those of the host included; a guest's Context shows only the guest's.

cdef extern from "Python.h":
    PyObject *PyContextVar_New(const char *name, PyObject *default_value) noexcept
    int PyContextVar_Get(PyObject *var, PyObject *default_value, PyObject **value) except -1
    PyObject *PyContextVar_Set(PyObject *var, PyObject *value) noexcept
    int PyContextVar_Reset(PyObject *var, PyObject *token) except -1
    PyObject *PyContext_New() noexcept
    PyObject *PyContext_Copy(PyObject *context) noexcept

import contextvars as host_contextvars

cdef object TOKEN_MISSING = host_contextvars.Token.MISSING


@cython.final
@cython.auto_pickle(False)
cdef class ContextVar:
    """A variable whose value depends on the context."""
    cdef object inner               # the host's ContextVar
    cdef readonly object name
    cdef object default_value       # MISSING: none
    cdef object __weakref__

    def __init__(self, name, /, *, default=MISSING):
        if not isinstance(name, str):
            raise TypeError("context variable name must be a str")
        self.name = name
        self.default_value = default
        # Not by its name: the hash of that may fail, and a variable that is half made crashes the host.
        self.inner = host_contextvars.ContextVar("a guest's")
        current_state().variables[self.inner] = self

    def get(self, default=MISSING, /):
        """Return a value for the context variable for the current context.

If there is no value for the variable in the current context, the method will:
 * return the value of the default argument of the method, if provided; or
 * return the default value for the context variable, if it was created
   with one; or
 * raise a LookupError."""
        cdef PyObject *found = NULL
        PyContextVar_Get(<PyObject *>self.inner, NULL, &found)
        if found != NULL:
            return take(found)
        if default is not MISSING:
            return default
        if self.default_value is not MISSING:
            return self.default_value
        raise LookupError(self)

    @cython.always_allow_keywords(False)
    def set(self, value):
        """Call to set a new value for the context variable in the current context.

The required *value* argument is the new value for the context variable.

Returns a Token object that can be used to restore the variable to its previous
value via the `ContextVar.reset()` method."""
        cdef Token token = Token.__new__(Token)
        token.inner = take(PyContextVar_Set(<PyObject *>self.inner, <PyObject *>value))
        token.variable = self
        return token

    @cython.always_allow_keywords(False)
    def reset(self, token):
        """Reset the context variable.

The variable is reset to the value it had before the `ContextVar.set()` that
created the token was used."""
        if type(token) is not Token:
            raise TypeError(f"expected an instance of Token, got {token!r}")
        if (<Token>token).used:
            raise RuntimeError(f"{token!r} has already been used once")
        if (<Token>token).variable is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        try:
            PyContextVar_Reset(<PyObject *>self.inner, <PyObject *>(<Token>token).inner)
        except ValueError:
            raise ValueError(f"{token!r} was created in a different Context") from None
        (<Token>token).used = True

    def __repr__(self):
        shown = "" if self.default_value is MISSING else f" default={self.default_value!r}"
        return f"<ContextVar name={self.name!r}{shown} at {<size_t><PyObject *>self:#x}>"

    __class_getitem__ = classmethod(GenericAlias)


@cython.final
@cython.auto_pickle(False)
cdef class Token:
    """What ``ContextVar.set`` gives, for ``ContextVar.reset``."""
    cdef object inner               # the host's Token
    cdef ContextVar variable
    cdef bint used
    cdef object __weakref__

    MISSING = TOKEN_MISSING

    @property
    def var(self):
        return self.variable

    @property
    def old_value(self):
        return self.inner.old_value

    def __enter__(self):
        if PY_VERSION_HEX < 0x030E0000:
            raise TypeError("'Token' object does not support the context manager protocol")
        return self

    def __exit__(self, *details):
        self.variable.reset(self)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f"<Token{' used' if self.used else ''} var={self.variable!r} at {<size_t><PyObject *>self:#x}>"

    __hash__ = None

    __class_getitem__ = classmethod(GenericAlias)


@cython.final
@cython.auto_pickle(False)
cdef class Context:
    """A mapping of the guest's context variables to their values."""
    cdef object inner               # the host's Context
    cdef AsyncState state           # which variables are the guest's
    cdef object __weakref__

    def __cinit__(self, *args, **kwargs):
        if args or kwargs:
            raise TypeError("Context() does not accept any arguments")
        self.inner = take(PyContext_New())
        self.state = current_state()

    def run(self, *args, **kwargs):
        """Run a callable in the context."""
        cdef PyObject *result
        if not args:
            raise TypeError("run() missing 1 required positional argument")
        callable = args[0]
        args = args[1:]
        enter_context(self)
        result = PyObject_Call(<PyObject *>callable, <PyObject *>args, <PyObject *>kwargs)
        if leave_context(<PyObject *>self.inner) < 0:
            Py_XDECREF(result)
            raise_pending()
        return take(result)

    def copy(self):
        """Return a shallow copy of the context object."""
        return wrap_context(take(PyContext_Copy(<PyObject *>self.inner)), self.state)

    def __getitem__(self, var):
        return self.inner[inner_of_var(var)]

    def __contains__(self, var):
        return inner_of_var(var) in self.inner

    def get(self, var, default=None, /):
        """Return the value for `key` if `key` has the value in the context object.

If `key` does not exist, return `default`. If `default` is not given,
return None."""
        try:
            return self.inner[inner_of_var(var)]
        except KeyError:
            return default

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def keys(self):
        """Return a list of all variables in the context object."""
        variables = self.state.variables
        return [variables[inner] for inner in self.inner if inner in variables]

    def values(self):
        """Return a list of all variables' values in the context object."""
        variables = self.state.variables
        return [value for inner, value in self.inner.items() if inner in variables]

    def items(self):
        """Return all variables and their values in the context object.

The result is returned as a list of 2-tuples (variable, value)."""
        variables = self.state.variables
        return [(variables[inner], value) for inner, value in self.inner.items() if inner in variables]

    def __eq__(self, other):
        if type(other) is not Context:
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None

    def __repr__(self):
        return f"<_contextvars.Context object at {<size_t><PyObject *>self:#x}>"


cdef object inner_of_var(var):
    if type(var) is not ContextVar:
        raise TypeError(f"a ContextVar key was expected, got {var!r}")
    return (<ContextVar>var).inner


cdef int enter_context(Context context) except -1:
    try:
        if PyContext_Enter(<PyObject *>context.inner) < 0:
            raise_pending()
    except RuntimeError:
        raise RuntimeError(f"cannot enter context: {context!r} is already entered") from None
    return 0


cdef Context wrap_context(inner, AsyncState state):
    cdef Context context = Context.__new__(Context)
    context.inner = inner
    if state is not None:
        context.state = state
    return context


cdef inline PyObject *inner_context(PyObject *context) noexcept:
    """The host's Context of a guest's Context, and of anything else itself. Borrowed."""
    return <PyObject *>(<Context>context).inner if Py_TYPE(context) == ContextType else context


cdef object shown_context(context):
    """A context as the guest may see it."""
    return wrap_context(context, None) if PyContext_CheckExact(<PyObject *>context) else context


cdef PyObject *ContextType = <PyObject *>Context


def copy_context():
    """Return a shallow copy of the current context."""
    return wrap_context(copied_context(), None)


def own_variables(RunContext context not None):
    """The context variables of the host in which a guest's own are kept."""
    return [] if context.asyncio is None else list((<AsyncState>context.asyncio).variables)
