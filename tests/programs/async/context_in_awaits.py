# What is handled further out is no context of what is thrown into an await, whatever ran in there before.
class Plain:
    def __await__(self):
        return iter(range(2))


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


def chain(error):
    found = []
    while error is not None:
        found.append(f"{type(error).__name__}({', '.join(map(str, error.args))})")
        error = error.__context__
    return " after ".join(found)


async def numbers():
    for x in [1]:
        if await Plain():
            yield x


async def in_list_of_generator():
    try:
        [z async for z in (x async for x in Steps(2) if await Plain())]
    except GeneratorExit as e:
        print("caught", chain(e))


async def in_loop_over_generator():
    try:
        async for z in (x async for x in Steps(2) if await Plain()):
            pass
    except GeneratorExit as e:
        print("caught", chain(e))
        raise


async def in_loop_over_made():
    make = [numbers, lambda: (x for x in [1] if await Plain())]
    try:
        async for z in make[1]():
            pass
    finally:
        async for z in make[0]():
            pass


async def in_list():
    try:
        [await Plain() for i in (1, 2)]
    except GeneratorExit as e:
        print("caught", chain(e))
        raise ValueError("instead")


async def in_await():
    try:
        await Plain()
    except BaseException as e:
        print("caught", chain(e))
        await Plain()


def attempt(call):
    try:
        print("gave", call())
    except BaseException as e:
        print("raised", chain(e))


for function in (in_list_of_generator, in_loop_over_generator, in_loop_over_made, in_list, in_await):
    async def handling():
        try:
            raise ValueError("first")
        finally:
            await function()

    async def handling_outside():
        try:
            raise TypeError("second")
        finally:
            await handling()

    for outer in (function, handling, handling_outside):
        for thrown in (GeneratorExit("x"), GeneratorExit, KeyError("k"), None):
            print(function.__name__, outer.__name__, chain(thrown) if isinstance(thrown, BaseException) else thrown)
            o = outer()
            attempt(lambda: o.send(None))
            attempt(o.close if thrown is None else lambda: o.throw(thrown))
            attempt(o.close)
            attempt(lambda: o.send(None))
