"""A name that is assigned from `yield from`, `yield` or `await` keeps its value when that is broken off."""


class Pause:
    def __await__(self):
        yield 1
        yield 2
        return "awaited"


def delegating():
    x = "old"
    try:
        x = yield from [1, 2, 3]
    finally:
        print("x is", x)


def yielding():
    x = "old"
    try:
        x = yield 1
    finally:
        print("x is", x)


async def awaiting():
    x = "old"
    try:
        x = await Pause()
    finally:
        print("x is", x)


async def iterating():
    x = "old"
    try:
        async for x in Items():
            print("item", x)
    finally:
        print("x is", x)


async def entering():
    x = "old"
    try:
        async with Manager() as x:
            print("inside", x)
    finally:
        print("x is", x)


class Items:
    def __aiter__(self):
        return self

    async def __anext__(self):
        return await Pause()


class Manager:
    async def __aenter__(self):
        return await Pause()

    async def __aexit__(self, *error):
        print("exit", error[0])


for make in (delegating, yielding, awaiting, iterating, entering):
    for steps in range(1, 4):
        thing = make()
        try:
            for _ in range(steps):
                print(make.__name__, thing.send(None))
        except StopIteration as stop:
            print("ended", stop.value)
            continue
        thing.close()
        thing = make()
        thing.send(None)
        try:
            thing.throw(KeyError("thrown"))
        except KeyError as error:
            print(repr(error))


def two():
    x, y = "a", "b"
    try:
        x = y = yield from [1]
    finally:
        print(x, y)


def walrus():
    x = "a"
    try:
        print((x := (yield from [1])))
    finally:
        print(x)


for make in (two, walrus):
    thing = make()
    next(thing)
    thing.close()
    print(list(make()))
