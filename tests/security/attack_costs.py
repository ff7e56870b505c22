"""How long work takes that a limit of time is to end: for the tests of costs."""

from __future__ import annotations

import time

import kimi_runtime as kr


def attack(setup: str, expression: str, seconds: float) -> tuple[kr.GuestError | None, float]:
    """Makes values without a limit worth mentioning, and does something with them that is to be stopped or refused.

    Returns the error, or None, and the seconds of processor time that it took.
    """
    with kr.Runtime(limits=kr.Limits(seconds=60, memory="1GB")).session() as session:
        session.run(setup, check=True)
        used = time.thread_time()
        error = session.run(f"x = {expression}", limits=kr.Limits(seconds=seconds, memory="1GB")).error
        return error, time.thread_time() - used
