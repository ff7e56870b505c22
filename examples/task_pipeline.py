"""A pipeline of tasks: readers, workers and a writer around two queues, with a time-out and a worker that fails."""
import asyncio
import contextvars
import random

current_order = contextvars.ContextVar("current_order")


def log(message):
    print(f"[order {current_order.get('-')}] {message}")


async def price(order):
    """Stands for a service that answers after a while, or not at all."""
    current_order.set(order["number"])
    for _ in range(order["slowness"]):
        await asyncio.sleep(0)
    if order["item"] == "piano":
        raise LookupError("we do not sell pianos")
    if order["item"] == "lamp":
        await asyncio.get_running_loop().create_future()  # never answers
    log(f"priced {order['item']}")
    return order["amount"] * len(order["item"])


async def worker(orders, results):
    while True:
        order = await orders.get()
        try:
            async with asyncio.timeout(0.2):
                results.put_nowait((order["number"], await price(order)))
        except TimeoutError:
            results.put_nowait((order["number"], "no answer"))
        except LookupError as error:
            results.put_nowait((order["number"], str(error)))
        finally:
            orders.task_done()


async def main():
    chance = random.Random(7)
    orders, results = asyncio.Queue(maxsize=4), asyncio.PriorityQueue()
    items = ["chair", "table", "lamp", "piano", "shelf", "desk", "bed"]
    workers = [asyncio.create_task(worker(orders, results), name=f"worker {i}") for i in range(3)]
    for number, item in enumerate(items, 1):
        await orders.put({"number": number, "item": item, "amount": chance.randint(1, 5), "slowness": chance.randint(0, 9)})
    await orders.join()
    for task in workers:
        task.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    while not results.empty():
        print(*results.get_nowait(), sep=": ")

    async with asyncio.TaskGroup() as group:
        squares = [group.create_task(square(i)) for i in range(1000)]
    print(sum(task.result() for task in squares))
    log("end")


async def square(n):
    await asyncio.sleep(0)
    return n * n


asyncio.run(main())
