# What asend, athrow and aclose objects do after they have ended, and how an exception goes through a step of `async for`.
kept = []


class Plain:
    def __init__(self, n=1):
        self.n = n

    def __await__(self):
        return iter(range(self.n))


def chain(error):
    found = []
    while error is not None:
        found.append(f"{type(error).__name__}({', '.join(map(str, error.args))})")
        error = error.__context__
    return " after ".join(found)


def step(call, *watched):
    try:
        result = call()
    except BaseException as e:
        print("raised", chain(e), [(o.ag_running, o.ag_frame is None) for o in watched])
    else:
        print("gave", result, [(o.ag_running, o.ag_frame is None) for o in watched])


async def yields_at_the_end():
    try:
        yield 1
        yield 2
    finally:
        yield 3


for first in (lambda g: g.athrow(KeyError("k")), lambda g: g.aclose(), lambda g: g.asend(None), lambda g: g.athrow(GeneratorExit)):
    for second in (lambda a: a.throw(ValueError("v")), lambda a: a.send(None), lambda a: a.send(5), lambda a: a.close(),
                   lambda a: a.throw(GeneratorExit), lambda a: a.throw(StopAsyncIteration)):
        for started in (True, False):
            g = yields_at_the_end()
            kept.append(g)
            if started:
                step(lambda: g.asend(None).send(None), g)
            a = first(g)
            step(lambda: a.send(None), g)
            step(lambda: second(a), g)
            step(lambda: second(a), g)
            for _ in range(3):
                step(lambda: g.asend(None).send(None), g)


async def waits():
    try:
        yield await Plain(2)
    finally:
        print("end")


async def loops():
    async for x in inner[-1]:
        yield x


async def lists():
    yield [z async for z in inner[-1]]


async def lists_of_generator():
    yield [z async for z in (x async for x in inner[-1])]


async def awaits():
    yield await anext(inner[-1])


async def awaits_default():
    yield await anext(inner[-1], 0)


async def awaits_throw():
    await anext(inner[-1])
    yield await inner[-1].athrow(KeyError("in"))


for outer in (loops, lists, lists_of_generator, awaits, awaits_default, awaits_throw):
    for end in (lambda g, a: g.aclose().send(None), lambda g, a: g.athrow(GeneratorExit).send(None), lambda g, a: a.throw(GeneratorExit),
                lambda g, a: a.throw(KeyError("k")), lambda g, a: a.close(), lambda g, a: g.athrow(StopIteration("s")).send(None)):
        print(outer.__name__)
        inner = [waits()]
        g = outer()
        a = g.asend(None)
        kept += [inner[0], g, a]
        step(lambda: a.send(None), g, inner[0])
        step(lambda: end(g, a), g, inner[0])
        step(lambda: a.send(None), g, inner[0])
        step(lambda: inner[0].aclose().send(None), g, inner[0])
        step(lambda: inner[0].aclose().send(None), g, inner[0])
        step(lambda: g.aclose().send(None), g, inner[0])


def print(*args):
    """What is dropped after the end says nothing."""
