# Cancelling a task at each point where it waits.
import asyncio
import contextlib


class Resource:
    def __init__(self, name, log):
        self.name, self.log = name, log

    async def __aenter__(self):
        self.log.append(f"{self.name} entering")
        await asyncio.sleep(0)
        self.log.append(f"{self.name} entered")
        return self

    async def __aexit__(self, kind, value, traceback):
        self.log.append(f"{self.name} leaving {kind.__name__ if kind else None}")
        await asyncio.sleep(0)
        self.log.append(f"{self.name} left")
        return False


async def numbers(log):
    try:
        for i in range(2):
            await asyncio.sleep(0)
            yield i
    finally:
        log.append("numbers closing")
        await asyncio.sleep(0)
        log.append("numbers closed")


async def job(log):
    log.append("start")
    try:
        async with Resource("outer", log):
            async with Resource("inner", log):
                await asyncio.sleep(0)
                log.append("inside")
            async with contextlib.aclosing(numbers(log)) as source:
                async for i in source:
                    log.append(i)
        await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))
        log.append("gathered")
        async with asyncio.timeout(10):
            await asyncio.sleep(0)
        lock = asyncio.Lock()
        async with lock:
            await asyncio.sleep(0)
        log.append("end")
        return "done"
    except asyncio.CancelledError as error:
        log.append(f"cancelled {error.args}")
        await asyncio.sleep(0)
        log.append("cleaned")
        raise
    finally:
        log.append("finally")


async def cancel_after(turns):
    log = []
    task = asyncio.create_task(job(log))
    for _ in range(turns):
        await asyncio.sleep(0)
    accepted = task.cancel(f"after {turns}")
    try:
        result = await task
    except asyncio.CancelledError as error:
        result = f"CancelledError{error.args}"
    print(turns, accepted, result, task.cancelled(), task.cancelling(), log)
    return log


async def stubborn():
    for _ in range(3):
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            print("not yet", asyncio.current_task().cancelling())
    return "gave in"


async def main():
    for turns in range(22):
        await cancel_after(turns)
    task = asyncio.create_task(stubborn())
    while not task.done():
        await asyncio.sleep(0)
        task.cancel()
    print(task.result(), task.cancelling())
    # Cancelling twice before the task runs again, and cancelling what is done.
    task = asyncio.create_task(asyncio.sleep(1))
    await asyncio.sleep(0)
    print(task.cancel("one"), task.cancel("two"), task.cancelling())
    try:
        await task
    except asyncio.CancelledError as error:
        print(error.args)
    print(task.cancel(), task.uncancel(), task.cancelling())
    # A future that is cancelled under the task that waits for it.
    future = asyncio.get_running_loop().create_future()

    async def waits():
        try:
            await future
        except asyncio.CancelledError as error:
            print("future was cancelled", error.args, asyncio.current_task().cancelling())
            return "went on"

    task = asyncio.create_task(waits())
    await asyncio.sleep(0)
    future.cancel("the future")
    print(await task)
    # Cancelled before the first step: no line of it runs.
    log = []
    task = asyncio.create_task(job(log))
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print(log)


asyncio.run(main())
