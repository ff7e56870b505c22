"""The call by which a running guest lets CPython do what it does between two bytecodes."""


def safepoint() -> None:
    """Does nothing; entering it is the point.

    At the start of a Python function CPython hands the lock to a thread that waits for it, and waits until that thread
    has taken it; runs signal handlers and pending calls; and, from 3.12 on, collects garbage.  Releasing the lock and
    taking it again does less: each release wakes the waiting thread before its switch interval is over, so that it
    never asks for its turn, and finds the lock taken again.
    """
