async def plain(x, y=2, *rest, key=None, **more):
    """Docs."""
    return x, y, rest, key, more


def run(coro):
    try:
        while True:
            print("waits for", coro.send(None))
    except StopIteration as e:
        return e.value


class Wait:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        got = yield self.value
        return got


print(run(plain(1)), run(plain(1, 3, 4, key=5, z=6)))
print(plain.__name__, plain.__doc__, plain.__code__.co_flags & 0x80, type(plain).__name__)
c = plain(1)
print(type(c).__name__, c.__name__, c.__qualname__, repr(c).split(" at ")[0])
print(c.cr_running, c.cr_suspended, c.cr_await, c.cr_code is plain.__code__, c.cr_frame is None, c.cr_origin)
print([name for name in dir(c) if not name.startswith("__")], [name for name in ("__await__", "__iter__", "__next__", "__del__") if hasattr(c, name)])
try:
    iter(c)
except TypeError as e:
    print(e)
try:
    next(c)
except TypeError as e:
    print(e)
try:
    for _ in c:
        pass
except TypeError as e:
    print(e)
c.__name__ = "renamed"
c.__qualname__ = "module.renamed"
print(c.__name__, repr(c).split(" at ")[0])
for value in (5, None):
    try:
        c.__name__ = value
    except TypeError as e:
        print(e)
c.close()
print(c.cr_frame, c.close())


async def inner(name):
    print("inner starts", name)
    first = await Wait(name + " one")
    second = await Wait(name + " two")
    print("inner got", first, second)
    return name.upper()


async def outer():
    result = await inner("a")
    results = [await inner(n) for n in "bc"]
    return result, results, await Wait("last")


print(run(outer()))
c = outer()
print(c.send(None), type(c.cr_await).__name__, c.cr_await.__name__, c.cr_suspended)
print(c.send("sent"), c.cr_await.cr_frame.f_locals["first"])
print(c.send("again"))
c.close()
c = outer()
try:
    c.send(1)
except TypeError as e:
    print(e)
c.close()
for attempt in (lambda: c.send(None), lambda: c.throw(ValueError), lambda: run(c)):
    try:
        attempt()
    except RuntimeError as e:
        print(e)


async def catches():
    while True:
        try:
            got = await Wait("next?")
            print("got", got)
        except ValueError as e:
            print("caught", e)
        except GeneratorExit:
            print("closing")
            raise
        finally:
            print("finally")


c = catches()
print(c.send(None), c.send(1), c.throw(ValueError("x")), c.throw(ValueError, "y"))
try:
    c.throw(KeyError("k"))
except KeyError as e:
    print(repr(e), c.cr_frame)
c = catches()
c.send(None)
print(c.close())


async def stubborn():
    try:
        await Wait(1)
    except GeneratorExit:
        await Wait(2)


c = stubborn()
c.send(None)
try:
    c.close()
except RuntimeError as e:
    print(e)
c.close()


async def stop(error):
    raise error


for error in (StopIteration("s"), StopAsyncIteration("a"), GeneratorExit("g")):
    c = stop(error)
    try:
        c.send(None)
    except BaseException as e:
        print(type(e).__name__, e, repr(e.__cause__))


async def returns_tuple(value):
    return value


for value in ((1, 2), StopIteration(3), None, ValueError, ValueError("v"), ()):
    try:
        returns_tuple(value).send(None)
    except StopIteration as e:
        print(repr(e.value), len(e.args))


async def awaits_itself():
    await me


me = awaits_itself()
try:
    me.send(None)
except ValueError as e:
    print(e)


async def awaits(other):
    await other

shared = awaits(Wait("shared"))
shared.send(None)
try:
    awaits(shared).send(None)
except RuntimeError as e:
    print(e)
shared.close()
finished = plain(1)
run(finished)
try:
    run(awaits(finished))
except RuntimeError as e:
    print(e)


class Method:
    async def method(self, x):
        return self, x

    @classmethod
    async def of_class(cls):
        return cls.__name__

    @staticmethod
    async def static():
        return "static"

    async def __call__(self):
        return "called"


m = Method()
print(run(m.method(1)) == (m, 1), run(Method.of_class()), run(m.static()), run(m()))
print(run((lambda: inner("from a lambda"))()))
