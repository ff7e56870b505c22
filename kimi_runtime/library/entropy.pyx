# cython: binding=False, wraparound=True, boundscheck=True
"""Random bytes of guests: the host's, or those that its policy has given to the guest."""
from kimi_runtime.objects.clocks import entropy_here

import os


def urandom(size, /):
    """Return a bytes object containing random bytes suitable for cryptographic use."""
    source = entropy_here()
    if source is None or not hasattr(type(size), "__index__") or size.__index__() < 0:
        return os.urandom(size)
    return source.randbytes(size.__index__())


def is_seeded():
    """Whether the host's policy says what the running guest's random numbers are."""
    return entropy_here() is not None


urandom.__module__ = "posix"
