def run(coro):
    it = coro.__await__() if not hasattr(coro, "send") else coro
    try:
        while True:
            print("waits for", it.send(None))
    except StopIteration as e:
        return e.value


def attempt(call, *args):
    try:
        result = call(*args)
    except BaseException as e:
        print(type(e).__name__, e, "| cause", repr(e.__cause__), "| context", repr(e.__context__))
    else:
        print("gave", result if isinstance(result, (int, str, tuple, type(None))) else type(result).__name__)
        return result


class Wait:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        return (yield self.value)


async def count(n):
    print("starts")
    try:
        for i in range(n):
            await Wait("before %d" % i)
            got = yield i
            print("got", got)
        await Wait("after")
    except ValueError as e:
        print("caught", e)
        yield "from handler"
    finally:
        print("ends")


g = count(2)
print(type(g).__name__, g.__name__, g.__qualname__, repr(g)[:30], g.__aiter__() is g)
print(g.ag_running, g.ag_await, g.ag_frame is None, g.ag_code is count.__code__, count.__code__.co_flags & 0x200)
print([n for n in dir(g) if not n.startswith("__") and n != "ag_suspended"], type(g).__class_getitem__(int))
for name in ("send", "throw", "close", "__iter__", "__next__"):
    print(name, hasattr(g, name))
for kind in ("asend", "athrow", "aclose", "__anext__"):
    a = getattr(count(1), kind)(*([None] if kind == "asend" else [KeyError] if kind == "athrow" else []))
    print(type(a).__name__, iter(a) is a, a.__await__() is a, [n for n in dir(a) if n[0] != "_"])
    a.close()

print(run(g.__anext__()), run(g.asend("hello")), g.ag_running)
a = g.asend("last")
print(a.send(None), g.ag_running, type(g.ag_await).__name__)
attempt(g.asend(None).send, None)
attempt(g.aclose().send, None)
attempt(g.athrow(KeyError).send, None)
attempt(a.send, None)
attempt(a.send, None)
attempt(g.__anext__().send, None)
attempt(run, g.aclose())
print(g.ag_frame, g.ag_running)

g = count(3)
run(g.__anext__())
attempt(run, g.athrow(ValueError("v")))
attempt(run, g.__anext__())
g = count(3)
run(g.__anext__())
attempt(run, g.athrow(KeyError, "k"))
attempt(run, g.athrow(KeyError("after the end")))
g = count(3)
attempt(run, g.athrow(IndexError("before the start")))
attempt(run, g.__anext__())
g = count(3)
attempt(run, g.aclose())
attempt(run, g.__anext__())
attempt(g.asend("x").send, None)
g = count(3)
attempt(g.asend("early").send, None)
attempt(run, g.athrow())
attempt(run, count(1).athrow(1))
attempt(run, count(1).athrow(ValueError("v"), 1))
attempt(count(1).asend)
attempt(count(1).aclose, 1)


async def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2

g = stubborn()
run(g.__anext__())
attempt(run, g.aclose())
attempt(run, g.aclose())
attempt(run, g.__anext__())


async def waits_when_closed():
    try:
        yield 1
    finally:
        print("cleaning", await Wait("cleanup"))

g = waits_when_closed()
run(g.__anext__())
a = g.aclose()
print(a.send(None), g.ag_running)
attempt(a.throw, KeyError("k"))
attempt(a.send, None)


async def raises(error):
    yield 1
    raise error

for error in (StopIteration("i"), StopAsyncIteration("a"), ValueError("v"), GeneratorExit("g"), KeyboardInterrupt("k")):
    g = raises(error)
    run(g.__anext__())
    attempt(run, g.__anext__())
    attempt(run, g.__anext__())
    attempt(run, g.aclose())


async def thrown():
    while True:
        try:
            await Wait("w")
            yield "y"
        except Exception as e:
            print("thrown", repr(e))

g = thrown()
a = g.__anext__()
a.send(None)
print(a.throw(ValueError("into the await")))
attempt(a.send, None)
a = g.athrow(LookupError("l"))
print(a.send(None))
attempt(a.throw, TypeError("t"))
attempt(a.send, None)
attempt(a.throw, ValueError)


async def empty():
    return
    yield

attempt(run, empty().__anext__())


async def yields_exceptions():
    yield StopIteration(5)
    yield StopAsyncIteration(6)
    yield (1, 2)
    yield None


async def main():
    async for x in yields_exceptions():
        print(repr(x))
    print([x async for x in empty()])
    g = count(2)
    async for x in g:
        print("item", x)
        break
    print(await anext(g), await anext(g, "default"))
    try:
        await anext(g)
    except StopAsyncIteration as e:
        print("end", e.args)
    print(aiter(g) is g)
    for bad in (lambda: aiter(1), lambda: anext(1), lambda: anext(), lambda: aiter(), lambda: anext(g, 1, 2)):
        attempt(bad)

attempt(run, main())
