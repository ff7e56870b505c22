# wait, as_completed, shield.
import asyncio


async def after(turns, result=None, error=None):
    for _ in range(turns):
        await asyncio.sleep(0)
    if error:
        raise error
    return result


def names(tasks):
    return sorted(task.get_name() for task in tasks)


def make(*specs):
    return [asyncio.create_task(after(turns, name, error), name=name) for name, turns, error in specs]


async def main():
    tasks = make(("a", 3, None), ("b", 1, None), ("c", 2, ValueError("c")))
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    print(names(done), names(pending))
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    print(names(done), names(pending))
    done, pending = await asyncio.wait(tasks)
    print(names(done), names(pending), [repr(task.exception()) for task in tasks])
    tasks = [asyncio.create_task(asyncio.Event().wait(), name="slow"), *make(("quick", 1, None))]
    await after(5)                      # quick is done by now, however busy the machine is
    done, pending = await asyncio.wait(tasks, timeout=0.002)
    print(names(done), names(pending))
    for task in pending:
        task.cancel()
    done, pending = await asyncio.wait(tasks)
    print(names(done), [task.cancelled() for task in tasks])
    for bad in (lambda: asyncio.wait([]), lambda: asyncio.wait(tasks, return_when="SOON"),
                lambda: asyncio.wait(tasks[0])):
        try:
            await bad()
        except (ValueError, TypeError) as error:
            print(type(error).__name__, error)

    order = []
    for future in asyncio.as_completed([after(5, "e"), after(1, "f"), after(3, "g", KeyError("g")), after(2, "h")]):
        try:
            order.append(await future)
        except KeyError as error:
            order.append(repr(error))
    print(order)
    first = asyncio.create_task(after(1, "i"))
    await after(5)
    try:
        for future in asyncio.as_completed([first, asyncio.sleep(5)], timeout=0.003):
            print(await future)
    except TimeoutError as error:
        print("as_completed", repr(error))

    inner = asyncio.create_task(after(4, "inner"))

    async def shielded():
        try:
            return await asyncio.shield(inner)
        except asyncio.CancelledError:
            print("outer cancelled, inner goes on:", not inner.done())
            raise

    outer = asyncio.create_task(shielded())
    await asyncio.sleep(0)
    outer.cancel()
    try:
        await outer
    except asyncio.CancelledError:
        pass
    print(await inner)
    inner = asyncio.create_task(after(2, "x"))
    guard = asyncio.shield(inner)
    await asyncio.sleep(0)
    inner.cancel()
    try:
        await guard
    except asyncio.CancelledError:
        print("inner cancelled", guard.cancelled())
    print(await asyncio.shield(after(1, error=None, result="value")))
    try:
        await asyncio.shield(after(1, error=OSError("shielded")))
    except OSError as error:
        print(repr(error))


asyncio.run(main())
