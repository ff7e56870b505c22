def run(coro):
    try:
        while True:
            print("waits for", coro.send(None))
    except StopIteration as e:
        return e.value


async def await_it(o):
    return await o


class NotAwaitable:
    pass


class ReturnsCoroutine:
    async def __await__(self):
        return 1


class ReturnsInt:
    def __await__(self):
        return 1


class ReturnsIterator:
    def __await__(self):
        return iter("ab")


class ReturnsSelf:
    n = 2

    def __await__(self):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration("value")
        return self.n

    def throw(self, *args):
        print("throw", args)
        return "still here"

    def close(self):
        print("close")


class Raises:
    def __await__(self):
        raise LookupError("no")


class NoneAwait:
    __await__ = None


class OnInstance:
    def __init__(self):
        self.__await__ = lambda: iter(())


import warnings
warnings.simplefilter("ignore")
for o in (NotAwaitable(), ReturnsCoroutine(), ReturnsInt(), ReturnsIterator(), ReturnsSelf(), Raises(), NoneAwait(), OnInstance(), 1,
          None, "text", [], (x for x in ()), iter([]), int, len):
    try:
        print(type(o).__name__, run(await_it(o)))
    except Exception as e:
        print(type(o).__name__, type(e).__name__, e)

c = await_it(ReturnsSelf())
print(c.send(None), c.throw(ValueError("v")), c.throw(ValueError, "w"), c.close())


async def coro():
    return "done"

c = coro()
w = c.__await__()
print(type(w).__name__, iter(w) is w, hasattr(w, "send"), hasattr(w, "close"), hasattr(w, "__await__"))
try:
    next(w)
except StopIteration as e:
    print(e.value)
try:
    w.send(None)
except RuntimeError as e:
    print(e)
c = coro()
try:
    run(await_it(c.__await__()))
except TypeError as e:
    print(e)
c.close()


class Forwards:
    def __await__(self):
        return coro().__await__()


class Delegates:
    def __await__(self):
        result = yield from Forwards().__await__()
        yield "extra"
        return result


print(run(await_it(Forwards())), run(await_it(Delegates())))


def generator():
    yield from coro()

try:
    list(generator())
except TypeError as e:
    print(e)


def generator():
    yield from coro().__await__()

print(list(generator()))
for what in ("send", "throw", "close"):
    print(what, callable(getattr(coro.__class__, what, None)))


class Sub(int):
    def __await__(self):
        yield int(self)
        return self + 1

print(run(await_it(Sub(4))))


class Meta(type):
    def __await__(cls):
        yield cls.__name__
        return "class"


class WithMeta(metaclass=Meta):
    pass

print(run(await_it(WithMeta)))


class Descriptor:
    def __get__(self, o, t):
        return lambda: iter(["from a descriptor"])


class ByDescriptor:
    __await__ = Descriptor()

print(run(await_it(ByDescriptor())))
