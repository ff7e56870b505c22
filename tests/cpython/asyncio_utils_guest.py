"""Guest stand-in for `test.test_asyncio.utils`: a loop with a clock of its own, and helpers. No sockets, no selectors."""
import asyncio
import collections
import contextlib
import gc
import re
import sys
import time
import unittest
from asyncio import base_events, events, format_helpers
from asyncio.log import logger
from unittest import mock


def simple_server_sslcontext(*args, **kwargs):
    raise unittest.SkipTest("a guest has no network")


def run_briefly(loop):
    async def once():
        pass

    gen = once()
    task = loop.create_task(gen)
    task._log_destroy_pending = False
    try:
        loop.run_until_complete(task)
    finally:
        gen.close()


def run_until(loop, pred, timeout=30):
    deadline = time.monotonic() + timeout
    while not pred():
        if time.monotonic() > deadline:
            raise TimeoutError()
        loop.run_until_complete(asyncio.sleep(0.001))


def run_once(loop):
    loop.call_soon(loop.stop)
    loop.run_forever()


class TestLoop(base_events.BaseEventLoop):
    """A loop whose time passes when the generator says so: it gets each `when` and yields how far to advance."""

    def __init__(self, gen=None):
        super().__init__()
        if gen is None:
            def gen():
                yield
            self._check_on_close = False
        else:
            self._check_on_close = True
        self._gen = gen()
        next(self._gen)
        self._time = 0
        self._test_timers = []

    def time(self):
        return self._time

    def set_time(self, time):
        self._time = time

    def advance_time(self, advance):
        if advance:
            self._time += advance

    def close(self):
        super().close()
        if self._check_on_close:
            try:
                self._gen.send(0)
            except StopIteration:
                pass
            else:
                raise AssertionError("Time generator is not finished")

    def _wait(self):
        """Time does not pass by itself."""

    def _run_once(self):
        super()._run_once()
        for when in self._test_timers:
            self.advance_time(self._gen.send(when))
        self._test_timers = []

    def call_at(self, when, callback, *args, context=None):
        self._test_timers.append(when)
        return super().call_at(when, callback, *args, context=context)


def MockCallback(**kwargs):
    return mock.Mock(spec=["__call__"], **kwargs)


class MockPattern(str):
    def __eq__(self, other):
        return bool(re.search(str(self), other, re.S))

    __hash__ = str.__hash__


class MockInstanceOf:
    def __init__(self, type):
        self._type = type

    def __eq__(self, other):
        return isinstance(other, self._type)


def get_function_source(func):
    source = format_helpers._get_function_source(func)
    if source is None:
        raise ValueError(f"unable to get the source of {func!r}")
    return source


class TestCase(unittest.TestCase):
    @staticmethod
    def close_loop(loop):
        loop.close()

    def set_event_loop(self, loop, *, cleanup=True):
        if loop is None:
            raise AssertionError("loop is None")
        events.set_event_loop(None)
        if cleanup:
            self.addCleanup(self.close_loop, loop)

    def new_test_loop(self, gen=None):
        loop = TestLoop(gen)
        self.set_event_loop(loop)
        return loop

    def tearDown(self):
        events.set_event_loop(None)
        self.assertEqual(sys.exc_info(), (None, None, None))
        self.doCleanups()


@contextlib.contextmanager
def disable_logger():
    import logging

    old = logging.getLogger("asyncio").level
    try:
        logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)
        yield
    finally:
        logging.getLogger("asyncio").setLevel(old)


def func():
    pass


async def await_without_task(coro):
    exc = None

    def func():
        try:
            for _ in coro.__await__():
                pass
        except BaseException as err:
            nonlocal exc
            exc = err

    asyncio.get_running_loop().call_soon(func)
    await asyncio.sleep(0)
    if exc is not None:
        raise exc
