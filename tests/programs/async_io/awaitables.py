# Awaiting things that are not coroutines, and awaiting in the wrong way.
import asyncio
import types


class Twice:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield
        yield
        return self.value


class ByFuture:
    def __await__(self):
        future = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, "by future")
        return (yield from future)


class FutureLike:
    """Compatible by its attribute."""

    def __init__(self, loop):
        self._loop, self._asyncio_future_blocking, self.callbacks = loop, False, []

    def get_loop(self):
        return self._loop

    def add_done_callback(self, fn, *, context=None):
        self.callbacks.append(fn)
        self._loop.call_soon(fn, self, context=context)

    def result(self):
        return "future-like"

    def cancel(self, msg=None):
        return False

    def __await__(self):
        self._asyncio_future_blocking = True
        yield self
        return self.result()


@types.coroutine
def old_style():
    yield
    return "old style"


async def bad(value):
    @types.coroutine
    def give():
        yield value

    await give()


async def main():
    loop = asyncio.get_running_loop()
    print(await Twice(3), await ByFuture(), await old_style(), await FutureLike(loop))
    for value in (5, "text", [], loop.create_future()):
        try:
            await asyncio.create_task(bad(value))
        except RuntimeError as error:
            print(str(error).partition(" in task")[0].partition(": ")[0])
    other = asyncio.new_event_loop()
    foreign = other.create_future()

    async def awaits_foreign():
        await foreign

    try:
        await asyncio.create_task(awaits_foreign())
    except RuntimeError as error:
        print("different loop" in str(error))
    other.close()

    async def awaits_itself():
        await task

    task = asyncio.create_task(awaits_itself())
    try:
        await task
    except RuntimeError as error:
        print("itself" in str(error))
    for wrong in (3, None, print, Twice(1)):
        try:
            asyncio.ensure_future(wrong)
        except TypeError as error:
            print(error)
        else:
            print("a task", type(asyncio.ensure_future(wrong)).__name__)
    try:
        asyncio.create_task(3)
    except TypeError as error:
        print(error)
    try:
        await 5
    except TypeError as error:
        print(error)
    print(await asyncio.sleep(0, "slept"), await asyncio.ensure_future(Twice("wrapped")))

    class Sub(asyncio.Future):
        def result(self):
            return "sub " + super().result()

    sub = Sub(loop=loop)
    sub.tag = "extra"
    loop.call_soon(sub.set_result, "value")
    print(await sub, sub.tag)

    class SubTask(asyncio.Task):
        def cancel(self, msg=None):
            print("cancel called")
            return super().cancel(msg)

    task = SubTask(asyncio.sleep(9))
    await asyncio.sleep(0)

    async def waits():
        await task

    waiter = asyncio.create_task(waits())
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait([waiter])
    print(task.cancelled(), waiter.cancelled())


asyncio.run(main())
