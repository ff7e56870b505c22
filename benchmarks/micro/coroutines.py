"""Coroutines: awaiting a call, asynchronous loops and comprehensions, managers, a chain that waits."""


async def one():
    return 1


async def numbers(n):
    for i in range(n):
        yield i


class Steps:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        self.n -= 1
        if self.n < 0:
            raise StopAsyncIteration
        return self.n


class Wait:
    def __await__(self):
        yield self


class Manager:
    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, value, traceback):
        pass


async def chain(n, depth):
    if depth:
        return await chain(n, depth - 1)
    wait = Wait()
    for _ in range(n):
        await wait


def drive(coro):
    send = coro.send
    try:
        while True:
            send(None)
    except StopIteration as stop:
        return stop.value


async def awaits(n):
    for _ in range(n):
        await one()


async def iterates(items):
    async for _ in items:
        pass


async def collects(n):
    return [x async for x in numbers(n)]


async def enters(n):
    manager = Manager()
    for _ in range(n):
        async with manager:
            pass


async def sends(n):
    generator = numbers(n)
    for _ in range(n):
        await generator.asend(None)


def bench_await(n):
    drive(awaits(n))


def bench_async_for(n):
    drive(iterates(numbers(n)))


def bench_async_for_class(n):
    drive(iterates(Steps(n)))


def bench_async_comprehension(n):
    drive(collects(n))


def bench_async_with(n):
    drive(enters(n))


def bench_asend(n):
    drive(sends(n))


def bench_wait(n):
    drive(chain(n, 0))


def bench_wait_in_chain(n):
    drive(chain(n // 20, 20))
