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
        yield self.value
        return self.value


class Steps:
    def __init__(self, n, wait=False):
        self.n, self.wait = n, wait

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.wait:
            await Wait("step")
        self.n -= 1
        if self.n < 0:
            raise StopAsyncIteration
        return self.n


class Manager:
    def __init__(self, name, swallow=False, wait=False, fail=""):
        self.name, self.swallow, self.wait, self.fail = name, swallow, wait, fail

    async def __aenter__(self):
        print("enter", self.name)
        if self.fail == "enter":
            raise ValueError("enter " + self.name)
        if self.wait:
            await Wait("enter")
        return self.name

    async def __aexit__(self, kind, value, tb):
        print("exit", self.name, kind and kind.__name__, value, tb is None)
        if self.wait:
            await Wait("exit")
        if self.fail == "exit":
            raise KeyError("exit " + self.name)
        return self.swallow


async def loops():
    for n in (0, 3):
        async for x in Steps(n, True):
            if x == 1:
                continue
            print("x", x)
        else:
            print("else", n)
    async for x in Steps(5):
        if x == 2:
            break
    else:
        print("not reached")
    print(x)
    async for a, *b in pairs():
        print(a, b)
    async for o.attribute in Steps(2):
        pass
    print(o.attribute)
    async for x in Steps(2):
        async for y in Steps(2):
            if y:
                continue
            print(x, y)
    async for x in Steps(3):
        try:
            if x == 1:
                continue
            if x == 0:
                return "returned"
        finally:
            print("finally", x)


async def pairs():
    yield 1, 2
    yield "xyz"


class o:
    pass


print(run(loops()))


async def managers():
    async with Manager("a") as name:
        print("body", name)
    async with Manager("b", wait=True), Manager("c", swallow=True) as c:
        print(c)
        raise IndexError("swallowed")
    try:
        async with Manager("d"):
            raise IndexError("passes")
    except IndexError as e:
        print("caught", e, repr(e.__context__))
    try:
        async with Manager("e"), Manager("f", fail="enter"):
            print("not reached")
    except ValueError as e:
        print("caught", e)
    try:
        async with Manager("g", fail="exit"):
            1 / 0
    except KeyError as e:
        print("caught", e, repr(e.__context__))
    for i in range(3):
        async with Manager("loop%d" % i, wait=True):
            if i == 0:
                continue
            break
    async with (Manager("h") as h, Manager("i") as i):
        print(h, i)
        return "returned", h + i


print(run(managers()))


class NoEnter:
    async def __aexit__(self, *details):
        pass


class NoExit:
    async def __aenter__(self):
        pass


class PlainEnter:
    def __aenter__(self):
        return 1

    async def __aexit__(self, *details):
        pass


class PlainExit:
    async def __aenter__(self):
        pass

    def __aexit__(self, *details):
        return None


class Sync:
    def __enter__(self):
        pass

    def __exit__(self, *details):
        pass


async def use(manager):
    async with manager:
        print("in the body")


async def use_badly(manager):
    async with manager:
        raise ValueError("v")


async def with_sync(manager):
    with manager:
        pass


def attempt(coro):
    try:
        print(run(coro))
    except Exception as e:
        print(type(e).__name__, e, repr(e.__context__), repr(e.__cause__))


for manager in (NoEnter(), NoExit(), PlainEnter(), PlainExit(), Sync(), 1):
    attempt(use(manager))
    attempt(use_badly(manager))
attempt(with_sync(Manager("async")))


class NoNext:
    def __aiter__(self):
        return self


class AsyncIter:
    async def __aiter__(self):
        return Steps(1)


class BadNext:
    def __aiter__(self):
        return self

    def __anext__(self):
        return 5


class RaisingNext(BadNext):
    def __anext__(self):
        raise LookupError("next")


class StoppingNext(BadNext):
    def __anext__(self):
        raise StopAsyncIteration("at once")


class RaisingIter:
    def __aiter__(self):
        raise LookupError("iter")


class AwaitRaises(BadNext):
    def __anext__(self):
        return self

    def __await__(self):
        raise LookupError("await")


async def iterate(o):
    async for x in o:
        print("got", x)
    return "end"


import warnings
warnings.simplefilter("ignore")
for each in (NoNext(), AsyncIter(), BadNext(), RaisingNext(), StoppingNext(), RaisingIter(), AwaitRaises(), [1], 1, (x for x in "ab")):
    attempt(iterate(each))
