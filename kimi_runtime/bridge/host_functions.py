"""Functions that must be Python functions of the host, because C code of CPython asks for exactly that type."""


def as_function(call):
    """A function of the host around any callable."""

    def function(*args, **kwargs):
        return call(*args, **kwargs)

    return function
