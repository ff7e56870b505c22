# Locks, events, conditions, semaphores, barriers: who comes when.
import asyncio


async def main():
    log = []
    lock = asyncio.Lock()

    async def with_lock(name, turns):
        async with lock:
            log.append(f"{name} in")
            for _ in range(turns):
                await asyncio.sleep(0)
            log.append(f"{name} out")

    await asyncio.gather(*(with_lock(name, n) for name, n in (("a", 2), ("b", 1), ("c", 0), ("d", 1))))
    print(log, lock.locked())
    try:
        lock.release()
    except RuntimeError as error:
        print(error)

    # A waiter that is cancelled hands the lock on.
    await lock.acquire()
    waiters = [asyncio.create_task(with_lock(name, 0)) for name in "xyz"]
    await asyncio.sleep(0)
    waiters[0].cancel()
    log.clear()
    lock.release()
    waiters[1].cancel()
    results = await asyncio.gather(*waiters, return_exceptions=True)
    print(log, [type(each).__name__ for each in results])

    semaphore = asyncio.Semaphore(2)
    running = peak = 0

    async def limited(i):
        nonlocal running, peak
        async with semaphore:
            running += 1
            peak = max(peak, running)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            running -= 1
            return i

    print(await asyncio.gather(*(limited(i) for i in range(7))), peak, semaphore.locked())
    bounded = asyncio.BoundedSemaphore(1)
    await bounded.acquire()
    bounded.release()
    try:
        bounded.release()
    except ValueError as error:
        print(error)

    event = asyncio.Event()
    order = []

    async def waits(name):
        await event.wait()
        order.append(name)
        return name

    tasks = [asyncio.create_task(waits(name)) for name in "pqr"]
    await asyncio.sleep(0)
    print(event.is_set(), order)
    event.set()
    print(await asyncio.gather(*tasks), order)
    event.clear()
    print(event.is_set())

    condition = asyncio.Condition()
    items = []

    async def consumer(name):
        async with condition:
            await condition.wait_for(lambda: items)
            print(name, "takes", items.pop(0))

    consumers = [asyncio.create_task(consumer(name)) for name in ("k1", "k2", "k3")]
    await asyncio.sleep(0)
    async with condition:
        items.extend([1, 2])
        condition.notify(2)
    await asyncio.sleep(0)
    async with condition:
        items.append(3)
        condition.notify_all()
    await asyncio.gather(*consumers)
    try:
        condition.notify()
    except RuntimeError as error:
        print(error)

    barrier = asyncio.Barrier(3)

    async def party(name):
        position = await barrier.wait()
        return name, position

    print(sorted(await asyncio.gather(*(party(name) for name in "uvw"))), barrier.parties, barrier.n_waiting)
    waiting = [asyncio.create_task(party(name)) for name in "uv"]
    await asyncio.sleep(0)
    await barrier.abort()
    print([type(each).__name__ for each in await asyncio.gather(*waiting, return_exceptions=True)], barrier.broken)


asyncio.run(main())
