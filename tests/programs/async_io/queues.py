# Queues of all kinds, with producers and consumers.
import asyncio


async def main():
    queue = asyncio.Queue(maxsize=2)
    log = []

    async def producer(name, n):
        for i in range(n):
            await queue.put((name, i))
            log.append(f"+{name}{i}")

    async def consumer(name):
        while True:
            item = await queue.get()
            log.append(f"{name}:{item[0]}{item[1]}")
            await asyncio.sleep(0)
            queue.task_done()

    consumers = [asyncio.create_task(consumer(name)) for name in ("c1", "c2")]
    await asyncio.gather(producer("a", 4), producer("b", 3))
    await queue.join()
    for task in consumers:
        task.cancel()
    await asyncio.gather(*consumers, return_exceptions=True)
    print(log)
    print(queue.qsize(), queue.empty(), queue.full(), queue.maxsize)
    for action in (queue.get_nowait, lambda: [queue.put_nowait(i) for i in range(3)], queue.task_done):
        try:
            print(action())
        except (asyncio.QueueEmpty, asyncio.QueueFull, ValueError) as error:
            print(type(error).__name__, error)
    priorities = asyncio.PriorityQueue()
    for item in ((3, "c"), (1, "a"), (2, "b"), (1, "A")):
        await priorities.put(item)
    print([await priorities.get() for _ in range(4)])
    stack = asyncio.LifoQueue()
    for i in range(3):
        stack.put_nowait(i)
    print([stack.get_nowait() for _ in range(3)])
    # A getter that is cancelled loses nothing.
    empty = asyncio.Queue()
    getters = [asyncio.create_task(empty.get()) for _ in range(3)]
    await asyncio.sleep(0)
    getters[0].cancel()
    for i in range(2):
        empty.put_nowait(i)
    print([repr(each) for each in await asyncio.gather(*getters, return_exceptions=True)])
    try:
        await asyncio.wait_for(empty.get(), 0.001)
    except TimeoutError:
        print("nothing came", empty.qsize())


asyncio.run(main())
