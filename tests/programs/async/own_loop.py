"""A small event loop: tasks, futures, a queue, a lock, timeouts in virtual time and cancellation."""
import heapq
from collections import deque


class Cancelled(BaseException):
    pass


class Future:
    def __init__(self, loop):
        self.loop, self.done, self.result, self.error, self.waiters = loop, False, None, None, []

    def set(self, result=None, error=None):
        if self.done:
            return
        self.done, self.result, self.error = True, result, error
        for task in self.waiters:
            self.loop.ready.append((task, None))
        self.waiters.clear()

    def __await__(self):
        if not self.done:
            yield self
        if self.error is not None:
            raise self.error
        return self.result


class Task(Future):
    def __init__(self, loop, coro, name):
        super().__init__(loop)
        self.coro, self.name, self.waits = coro, name, None
        loop.ready.append((self, None))

    def cancel(self):
        if self.done:
            return False
        if self.waits is not None and self in self.waits.waiters:
            self.waits.waiters.remove(self)
        self.loop.ready.append((self, Cancelled(self.name)))
        return True

    def step(self, error):
        if self.done:
            return
        try:
            self.waits = self.coro.throw(error) if error else self.coro.send(None)
        except StopIteration as e:
            self.set(e.value)
        except Cancelled as e:
            self.set(error=e)
        except Exception as e:
            self.loop.log.append("%s failed: %r" % (self.name, e))
            self.set(error=e)
        else:
            self.waits.waiters.append(self)


class Loop:
    def __init__(self):
        self.ready, self.timers, self.now, self.count, self.log = deque(), [], 0, 0, []

    def task(self, coro, name="?"):
        return Task(self, coro, name)

    async def sleep(self, delay, value=None):
        future = Future(self)
        self.count += 1
        heapq.heappush(self.timers, (self.now + delay, self.count, future, value))
        return await future

    def run(self, coro):
        main = self.task(coro, "main")
        while not main.done:
            while self.ready:
                task, error = self.ready.popleft()
                task.step(error)
            if self.timers and not main.done:
                self.now, _, future, value = heapq.heappop(self.timers)
                future.set(value)
        if main.error:
            raise main.error
        return main.result


loop = Loop()


class Lock:
    def __init__(self):
        self.owner, self.queue = False, deque()

    async def __aenter__(self):
        while self.owner:
            future = Future(loop)
            self.queue.append(future)
            await future
        self.owner = True

    async def __aexit__(self, *details):
        self.owner = False
        if self.queue:
            self.queue.popleft().set()


class Queue:
    def __init__(self):
        self.items, self.getters = deque(), deque()

    def put(self, item):
        self.items.append(item)
        if self.getters:
            self.getters.popleft().set()

    async def get(self):
        while not self.items:
            future = Future(loop)
            self.getters.append(future)
            await future
        return self.items.popleft()

    def __aiter__(self):
        return self

    async def __anext__(self):
        item = await self.get()
        if item is None:
            raise StopAsyncIteration
        return item


async def gather(*coros):
    tasks = [loop.task(c, "g%d" % i) for i, c in enumerate(coros)]
    return [await t for t in tasks]


async def timeout(coro, limit):
    task = loop.task(coro, "limited")

    async def watch():
        await loop.sleep(limit)
        task.cancel()
    watcher = loop.task(watch(), "watch")
    try:
        return await task
    except Cancelled:
        return "timed out at %s" % loop.now
    finally:
        watcher.cancel()


async def worker(name, queue, lock, out):
    async for item in queue:
        async with lock:
            await loop.sleep(item)
            out.append((name, item, loop.now))
    return name


async def ticker(n, every):
    try:
        for i in range(n):
            await loop.sleep(every)
            yield i, loop.now
    finally:
        loop.log.append("ticker ends at %s" % loop.now)


async def fails_late():
    await loop.sleep(3)
    raise ValueError("late")


async def main():
    print(await gather(loop.sleep(3, "a"), loop.sleep(1, "b"), loop.sleep(2, "c")), loop.now)
    queue, lock, out = Queue(), Lock(), []
    workers = [loop.task(worker("w%d" % i, queue, lock, out), "w%d" % i) for i in range(3)]
    for n in (3, 1, 2, 2, 1):
        queue.put(n)
    for _ in workers:
        queue.put(None)
    print([await w for w in workers], out)
    print(await timeout(loop.sleep(100), 5), await timeout(loop.sleep(1, "fast"), 5))
    async for i, now in ticker(5, 2):
        print("tick", i, now)
        if i == 2:
            break
    print([x async for x in ticker(2, 1)])
    try:
        await gather(fails_late(), loop.sleep(1))
    except ValueError as e:
        print("main caught", e, loop.now)
    return "end"


print(loop.run(main()))
print(loop.log[:1], len(loop.log))
