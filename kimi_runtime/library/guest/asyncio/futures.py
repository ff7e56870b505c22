"""Futures, and joining them to those of concurrent.futures."""
import concurrent.futures

from _asyncio import Future

from . import base_futures, events, exceptions

__all__ = ("Future", "wrap_future", "isfuture")

isfuture = base_futures.isfuture
_PENDING = base_futures._PENDING
_CANCELLED = base_futures._CANCELLED
_FINISHED = base_futures._FINISHED
_CFuture = _PyFuture = Future


def _get_loop(future):
    getter = getattr(future, "get_loop", None)
    return future._loop if getter is None else getter()


def _set_result_unless_cancelled(future, result):
    """For timers: the future may have been cancelled in the meantime."""
    if not future.cancelled():
        future.set_result(result)


def _converted(exc):
    """An exception of concurrent.futures as the one of asyncio with that meaning."""
    for theirs, ours in ((concurrent.futures.CancelledError, exceptions.CancelledError),
                         (concurrent.futures.InvalidStateError, exceptions.InvalidStateError)):
        if type(exc) is theirs:
            return ours(*exc.args).with_traceback(exc.__traceback__)
    return exc


def _copy_future_state(source, dest):
    """Ends dest, a future of asyncio, as source has ended."""
    assert source.done()
    if dest.cancelled():
        return
    assert not dest.done()
    if source.cancelled():
        dest.cancel()
        return
    exception = source.exception()
    if exception is None:
        dest.set_result(source.result())
    else:
        dest.set_exception(_converted(exception))


def _set_concurrent_future_state(concurrent_future, source):
    """Ends a future of concurrent.futures as source has ended."""
    assert source.done()
    if source.cancelled():
        concurrent_future.cancel()
    if not concurrent_future.set_running_or_notify_cancel():
        return
    exception = source.exception()
    if exception is None:
        concurrent_future.set_result(source.result())
    else:
        concurrent_future.set_exception(_converted(exception))


def _chain_future(source, destination):
    """Lets destination end as source does, and cancels source with it. Each may be of either kind."""
    for future, role in ((source, "source"), (destination, "destination")):
        if not isfuture(future) and not isinstance(future, concurrent.futures.Future):
            raise TypeError(f"A future is required for {role} argument")
    source_loop = _get_loop(source) if isfuture(source) else None
    dest_loop = _get_loop(destination) if isfuture(destination) else None

    def end_destination(source):
        if isfuture(destination):
            _copy_future_state(source, destination)
        else:
            _set_concurrent_future_state(destination, source)

    def destination_done(destination):
        if destination.cancelled():
            if source_loop is None or source_loop is dest_loop:
                source.cancel()
            else:
                source_loop.call_soon_threadsafe(source.cancel)

    def source_done(source):
        if destination.cancelled() and dest_loop is not None and dest_loop.is_closed():
            return
        if dest_loop is None or dest_loop is source_loop:
            end_destination(source)
        elif not dest_loop.is_closed():
            dest_loop.call_soon_threadsafe(end_destination, source)

    destination.add_done_callback(destination_done)
    source.add_done_callback(source_done)


def wrap_future(future, *, loop=None):
    """Wrap concurrent.futures.Future object."""
    if isfuture(future):
        return future
    assert isinstance(future, concurrent.futures.Future), f"concurrent.futures.Future is expected, got {future!r}"
    if loop is None:
        loop = events._get_event_loop()
    wrapped = loop.create_future()
    _chain_future(future, wrapped)
    return wrapped
