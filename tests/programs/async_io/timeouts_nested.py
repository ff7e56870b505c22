# timeout, timeout_at and wait_for, one inside the other.
import asyncio


async def slow(seconds=5):
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError as error:
        print("slow cancelled", error.args)
        raise


async def nested(outer, inner):
    where = []
    try:
        async with asyncio.timeout(outer) as first:
            try:
                async with asyncio.timeout(inner) as second:
                    await slow()
            except TimeoutError as error:
                where.append(("inner", repr(error), type(error.__cause__).__name__))
                await asyncio.sleep(0)
    except TimeoutError as error:
        where.append(("outer", repr(error), type(error.__cause__).__name__))
    print(where, first.expired(), second.expired(), asyncio.current_task().cancelling())


async def main():
    loop = asyncio.get_running_loop()
    await nested(0.002, 5)
    await nested(5, 0.002)
    await nested(None, 0)
    await nested(0, 5)
    await nested(-1, None)
    async with asyncio.timeout(None) as scope:
        print(scope.when())
        scope.reschedule(loop.time() + 1)
        print(scope.when() is not None, scope.expired())
    try:
        async with asyncio.timeout_at(loop.time() + 0.001):
            await slow()
    except TimeoutError:
        print("timeout_at")
    try:
        async with asyncio.timeout(1) as scope:
            scope.reschedule(loop.time() - 1)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            print("not reached")
    except TimeoutError:
        print("rescheduled into the past", scope.expired())
    try:
        async with asyncio.timeout(0.001):
            raise ValueError("own error")
    except ValueError as error:
        print(repr(error))
    for timeout in (0.001, 0, -1):
        try:
            await asyncio.wait_for(slow(), timeout)
        except TimeoutError as error:
            print("wait_for", repr(error))
    print(await asyncio.wait_for(asyncio.sleep(0, "value"), 1), await asyncio.wait_for(asyncio.sleep(0, 1), None))

    async def swallows():
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            return "swallowed"

    try:
        print(await asyncio.wait_for(swallows(), 0.001))
    except TimeoutError:
        print("timed out all the same")

    async def inside():
        async with asyncio.timeout(5):
            await slow()

    task = asyncio.create_task(inside())
    await asyncio.sleep(0)
    task.cancel("by hand")
    try:
        await task
    except asyncio.CancelledError as error:
        print("not a TimeoutError", error.args, task.cancelling())

    try:
        scope = asyncio.timeout(1)
        scope.reschedule(3)
    except RuntimeError as error:
        print(error)
    async with scope:
        try:
            async with scope:
                pass
        except RuntimeError as error:
            print(error)


asyncio.run(main())
