import types


def run(coro):
    try:
        while True:
            print("waits for", coro.send(None))
    except StopIteration as e:
        return e.value


@types.coroutine
def switch(value=1):
    got = yield value
    return got, value


@types.coroutine
def delegates():
    return (yield from native())


async def native():
    return await switch("native")


async def main():
    print(await switch(), await switch(2))
    print(await delegates())
    g = switch(3)
    print(type(g).__name__, switch.__code__.co_flags & 0x100)
    return await g

print(run(main()))


class Awaitable:
    def __await__(self):
        yield "awaitable"
        return 5


@types.coroutine
def returns_awaitable():
    return Awaitable()


@types.coroutine
def returns_other():
    return iter("x")


async def use(make):
    return await make()

print(run(use(returns_awaitable)))
try:
    run(use(returns_other))
except TypeError as e:
    print(e)
print(types.coroutine(native) is native)
for bad in (1, None):
    try:
        types.coroutine(bad)
    except TypeError as e:
        print(e)


def plain():
    yield 1

try:
    run(use(plain))
except TypeError as e:
    print(e)
c = native()
print(isinstance(c.__await__(), types.CoroutineType), type(c) is types.CoroutineType, type(switch()) is types.GeneratorType)
c.close()


async def agen():
    yield

print(type(agen()) is types.AsyncGeneratorType)
import collections.abc as abc
c = native()
for kind in (abc.Awaitable, abc.Coroutine, abc.AsyncIterable, abc.AsyncIterator, abc.AsyncGenerator, abc.Iterable, abc.Generator):
    print(kind.__name__, isinstance(c, kind), isinstance(agen(), kind), isinstance(switch(), kind), isinstance(Awaitable(), kind))
c.close()
