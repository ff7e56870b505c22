"""Arrays of numbers."""
from _array import *
from _array import _array_reconstructor
from collections.abc import MutableSequence as _MutableSequence

_MutableSequence.register(array)
del _MutableSequence
