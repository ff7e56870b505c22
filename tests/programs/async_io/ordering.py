# The order in which callbacks, tasks and timers run.
import asyncio

trace = []


def note(*what):
    trace.append(what)
    print(*what)


async def worker(name, turns):
    note(name, "starts")
    for i in range(turns):
        await asyncio.sleep(0)
        note(name, "turn", i)
    return name


async def callbacks():
    loop = asyncio.get_running_loop()
    loop.call_soon(note, "first")
    loop.call_soon(lambda: (note("second"), loop.call_soon(note, "from second")))
    handle = loop.call_soon(note, "never")
    handle.cancel()
    loop.call_soon(note, "third")
    future = loop.create_future()
    future.add_done_callback(lambda f: note("done", f.result()))
    future.add_done_callback(lambda f: note("done again", f.result()))
    loop.call_soon(future.set_result, 7)
    note("before await")
    note("await gives", await future)
    note("callbacks ran before the task went on?", trace[-2][0])


async def timers():
    loop = asyncio.get_running_loop()
    now = loop.time()
    done = loop.create_future()
    loop.call_at(now + 0.004, note, "4 ms")
    loop.call_at(now + 0.002, note, "2 ms")
    loop.call_at(now + 0.003, note, "3 ms")
    cancelled = loop.call_at(now + 0.001, note, "1 ms, cancelled")
    cancelled.cancel()
    loop.call_at(now + 0.005, done.set_result, None)
    for i in range(6):
        loop.call_at(now + 0.0025, note, "same time", i)
    await done
    print(cancelled.cancelled())


async def main():
    tasks = [asyncio.create_task(worker(name, n)) for name, n in (("a", 3), ("b", 1), ("c", 2))]
    note("created")
    for task in tasks:
        note("result", await task)
    await callbacks()
    await timers()
    first = asyncio.create_task(worker("x", 1))
    second = asyncio.ensure_future(worker("y", 1))
    await asyncio.sleep(0)
    note("main in between")
    note(await asyncio.gather(first, second, worker("z", 0)))


asyncio.run(main())
print(len(trace))
