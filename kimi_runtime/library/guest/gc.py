"""The collector as a guest sees it. Switching it off is a note of the guest's own: the host's collector goes on."""
from _gc import collect, get_count, is_finalized, is_tracked

DEBUG_STATS, DEBUG_COLLECTABLE, DEBUG_UNCOLLECTABLE, DEBUG_SAVEALL, DEBUG_LEAK = 1, 2, 4, 32, 38

callbacks = []
garbage = []
_enabled = True


def enable():
    """Enable automatic garbage collection."""
    global _enabled
    _enabled = True


def disable():
    """Disable automatic garbage collection."""
    global _enabled
    _enabled = False


def isenabled():
    """Returns true if automatic garbage collection is enabled."""
    return _enabled


_threshold = (700, 10, 10)


def get_threshold():
    """Return the current collection thresholds."""
    return _threshold


def set_threshold(threshold0, threshold1=10, threshold2=10):
    """Sets what get_threshold returns; the host's collector keeps its own."""
    global _threshold
    _threshold = (threshold0, threshold1, threshold2)


def freeze():
    """Does nothing here: the host's collector keeps its generations."""


def unfreeze():
    """Does nothing here, as freeze."""


def get_freeze_count():
    return 0
