# gather with failures, cancellation, duplicates and return_exceptions.
import asyncio


async def fail(after, error):
    for _ in range(after):
        await asyncio.sleep(0)
    raise error


async def value(after, result):
    try:
        for _ in range(after):
            await asyncio.sleep(0)
        return result
    except asyncio.CancelledError:
        print("cancelled", result)
        raise


async def main():
    print(await asyncio.gather())
    print(await asyncio.gather(value(3, 1), value(1, 2), value(2, 3)))
    try:
        await asyncio.gather(value(5, "late"), fail(1, ValueError("one")), fail(2, KeyError("two")))
    except ValueError as error:
        print("got", repr(error))
    results = await asyncio.gather(value(1, 1), fail(1, ValueError("x")), fail(0, OSError(2)), return_exceptions=True)
    print([repr(each) for each in results])
    shared = asyncio.ensure_future(value(1, "shared"))
    print(await asyncio.gather(shared, value(0, "own"), shared))

    group = asyncio.gather(value(5, "a"), value(5, "b"))
    await asyncio.sleep(0)
    print(group.cancel(), group.done())
    try:
        await group
    except asyncio.CancelledError as error:
        print("group cancelled", error.args)

    inner = asyncio.ensure_future(value(5, "inner"))
    both = asyncio.gather(inner, value(2, "other"))
    await asyncio.sleep(0)
    inner.cancel("stop it")
    try:
        print(await both)
    except asyncio.CancelledError as error:
        print("child cancelled", error.args)

    async def outer():
        await asyncio.gather(value(9, "p"), value(9, "q"))

    task = asyncio.create_task(outer())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel("from outside")
    try:
        await task
    except asyncio.CancelledError as error:
        print("outer", error.args, task.cancelled(), task.cancelling())
    done = asyncio.get_running_loop().create_future()
    done.set_result(5)
    print(await asyncio.gather(done, return_exceptions=True))
    cancelled = asyncio.get_running_loop().create_future()
    cancelled.cancel()
    print([type(each).__name__ for each in await asyncio.gather(cancelled, return_exceptions=True)])
    try:
        await asyncio.gather(cancelled, value(0, 1))
    except asyncio.CancelledError:
        print("cancelled child")


asyncio.run(main())
