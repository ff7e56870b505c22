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
        if self.value == 2:
            yield self.value
        return self.value * 10


async def numbers(n):
    for i in range(n):
        if i == 1:
            await Wait(2)
        yield i


async def main(k):
    print([x async for x in numbers(3)])
    print({x % 2 async for x in numbers(4)}, {x: x * k async for x in numbers(3)})
    print([await Wait(x) for x in range(4)], {await Wait(x): x for x in range(2)}, {await Wait(x) for x in (1, 1)})
    print([x + y async for x in numbers(2) for y in range(2) if x or y])
    print([(x, y) for x in range(2) async for y in numbers(2)])
    print([x async for x in numbers(5) if await Wait(x) > 10 if x != 3])
    print([[y async for y in numbers(x)] for x in range(3)])
    print([[y for y in range(x)] async for x in numbers(3)])
    print({x: [y async for y in numbers(x) if y != k] async for x in numbers(3)})
    print([{(x, y): z async for z in numbers(2)} async for x in numbers(2) for y in range(2)])
    g = (x async for x in numbers(3))
    print(type(g).__name__, g.__name__, [x async for x in g], [x async for x in g])
    g = (await Wait(x) for x in range(3))
    print(type(g).__name__, [x async for x in g])
    print([x async for x in (y * 2 async for y in (z + 1 async for z in numbers(3)) if y != 2)])
    g = ([x async for x in numbers(i)] for i in range(3))
    print(type(g).__name__, [x async for x in g])
    functions = [lambda: (i, j) async for i in numbers(2) for j in range(2)]
    print([f() for f in functions])
    print([last := x async for x in numbers(3)], last)
    print([f"{await Wait(x)}-{x}" for x in range(3)], [*[x async for x in numbers(2)], *range(2)])
    total = 0
    async for x in (await Wait(y) for y in range(4)):
        total += x
    print(total, sum([x async for x in numbers(4)]), max([await Wait(x) for x in range(3)]))
    print(await Wait(1) if await Wait(0) == 0 else await Wait(3), not await Wait(0), -(await Wait(1)), await Wait(1) ** 2)
    print([x for x in [await Wait(1), await Wait(2)]], dict(a=await Wait(1), **{"b": await Wait(3)}), (await Wait(1))["x":] if 0 else 0)
    return [x async for x in numbers(2)]

print(run(main(1)))


async def fails():
    return [1 // x async for x in numbers(2)]

try:
    run(fails())
except ZeroDivisionError as e:
    print(e)


class Body:
    async def method(self):
        return [x async for x in numbers(self.n) if x != self.skip]
    n, skip = 4, 2

print(run(Body().method()))


async def closes():
    try:
        return [x async for x in numbers(3)]
    finally:
        print("closed")

c = closes()
print(c.send(None))
c.close()
for source in ("[x async for x in y]", "async def f():\n  class C: z = [x async for x in y]", "def f(): return [await x for x in y]",
               "def f(): return {x async for x in y}", "async def f(): return lambda: [x async for x in y]", "await x", "def f(): await x",
               "def f():\n  async for x in y: pass", "def f():\n  async with x: pass", "async def f():\n  yield from x",
               "async def f():\n  yield 1\n  return 2", "async def f():\n  def g(): await x", "lambda: await x",
               "async def f(x=await y): pass", "async lambda: 1", "async x", "async def f(): return (x async for x in y)"):
    try:
        compile(source, "s", "exec")
        print("compiles", source)
    except SyntaxError as e:
        print(e.msg, e.lineno)
