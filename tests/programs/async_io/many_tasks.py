# Thousands of tasks at a time.
import asyncio
from collections import Counter


async def node(n, depth, seen):
    seen[depth] += 1
    if depth:
        await asyncio.gather(*(node(n, depth - 1, seen) for _ in range(n)))
    await asyncio.sleep(0)


async def pipeline(stages, items):
    queues = [asyncio.Queue(3) for _ in range(stages + 1)]

    async def stage(i):
        while (item := await queues[i].get()) is not None:
            await queues[i + 1].put(item + i)
        await queues[i + 1].put(None)

    async def feed():
        for item in range(items):
            await queues[0].put(item)
        await queues[0].put(None)

    async with asyncio.TaskGroup() as group:
        for i in range(stages):
            group.create_task(stage(i))
        group.create_task(feed())
        total = 0
        while (item := await queues[stages].get()) is not None:
            total += item
    return total


async def main():
    seen = Counter()
    await node(6, 4, seen)
    print(sorted(seen.items()))
    print(await pipeline(20, 50))
    futures = [asyncio.get_running_loop().create_future() for _ in range(2000)]

    async def link(i):
        value = await futures[i]
        if i + 1 < len(futures):
            futures[i + 1].set_result(value + 1)
        return value

    tasks = [asyncio.create_task(link(i)) for i in range(len(futures))]
    futures[0].set_result(0)
    print(sum(await asyncio.gather(*tasks)))
    results = await asyncio.gather(*(asyncio.sleep(0, i) for i in range(5000)))
    print(sum(results), len(asyncio.all_tasks()))


asyncio.run(main())
