"""What `typing` takes from C, with a `Generic` that asks the guest's own `typing` (since 3.12 the C one asks the host's)."""
from _host_typing import *
from _host_typing import _idfunc


class Generic:
    """Abstract base class for generic types."""

    __module__ = "typing"
    __slots__ = ()
    _is_protocol = False

    @classmethod
    def __class_getitem__(cls, *args, **kwargs):
        """Parameterizes a generic class."""
        import typing
        return typing._generic_class_getitem(cls, *args, **kwargs)

    @classmethod
    def __init_subclass__(cls, *args, **kwargs):
        """Function to initialize subclasses."""
        import typing
        typing._generic_init_subclass(cls, *args, **kwargs)
