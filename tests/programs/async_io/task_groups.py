# TaskGroup: failures, cancellation, nesting.
import asyncio


async def step(name, turns, error=None, log=None):
    try:
        for _ in range(turns):
            await asyncio.sleep(0)
        if error is not None:
            raise error
        return name
    except asyncio.CancelledError:
        print(name, "cancelled")
        raise
    finally:
        if log is not None:
            log.append(name)


def shown(group):
    if isinstance(group, BaseExceptionGroup):
        return (type(group).__name__, group.message, [shown(each) for each in group.exceptions])
    return repr(group)


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(step(f"t{i}", i), name=f"task {i}") for i in range(3)]
    print([task.result() for task in tasks], [task.get_name() for task in tasks])

    log = []
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(step("a", 1, ValueError("a"), log))
            group.create_task(step("b", 9, None, log))
            group.create_task(step("c", 1, KeyError("c"), log))
            await asyncio.sleep(5)
    except* ValueError as errors:
        print(shown(errors))
    except* KeyError as errors:
        print(shown(errors))
    print(log, asyncio.current_task().cancelling())

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(step("d", 5))
            raise RuntimeError("body")
    except BaseExceptionGroup as errors:
        print(shown(errors))

    try:
        async with asyncio.TaskGroup() as outer:
            outer.create_task(step("outer", 9))
            async with asyncio.TaskGroup() as inner:
                inner.create_task(step("inner", 1, OSError("inner")))
                inner.create_task(step("sibling", 9))
    except BaseExceptionGroup as errors:
        print(shown(errors))

    async def host():
        async with asyncio.TaskGroup() as group:
            group.create_task(step("e", 9))
            group.create_task(step("f", 9))

    task = asyncio.create_task(host())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel("whole group")
    try:
        await task
    except asyncio.CancelledError as error:
        print("group cancelled", error.args, task.cancelling())

    async def child_cancelled():
        async with asyncio.TaskGroup() as group:
            one = group.create_task(step("g", 9))
            group.create_task(step("h", 2))
            await asyncio.sleep(0)
            one.cancel()
        return "fine"

    print(await child_cancelled())

    async with asyncio.TaskGroup() as group:

        async def grows(n):
            print("grows", n)
            if n:
                group.create_task(grows(n - 1))

        group.create_task(grows(3))
    try:
        group.create_task(grows(1))
    except RuntimeError as error:
        print(str(error)[-35:])

    try:
        async with asyncio.timeout(0.002):
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(5))
                group.create_task(step("i", 1))
    except TimeoutError:
        print("timed out", asyncio.current_task().cancelling())

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(step("j", 1, asyncio.CancelledError()))
            group.create_task(step("k", 2))
    except BaseException as error:
        print(repr(error))
    else:
        print("a child that cancels itself is no failure")


coroutine = main()
asyncio.run(coroutine)
