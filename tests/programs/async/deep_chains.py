import sys


class Wait:
    def __await__(self):
        return (yield "deep")


async def chain(n):
    if n:
        return 1 + await chain(n - 1)
    return await Wait()


async def guarded(n):
    try:
        if n:
            return 1 + await guarded(n - 1)
        return await Wait()
    except ValueError:
        if n == 5:
            return 5
        raise


try:
    chain(10000).send(None)
except RecursionError as e:
    print(str(e)[:32])
sys.setrecursionlimit(30000)
c = chain(10000)
print(c.send(None))
try:
    c.send(0)
except StopIteration as e:
    print(e.value)
for make in (chain, guarded):
    c = make(10000)
    c.send(None)
    try:
        c.throw(ValueError("v"))
    except ValueError as e:
        n, tb = 0, e.__traceback__
        while tb:
            n, tb = n + 1, tb.tb_next
        print(repr(e), n)
    except StopIteration as e:
        print(e.value)
    c = make(10000)
    c.send(None)
    print(c.close())
    c = make(10000)
    c.send(None)
    del c


async def awaits(x):
    return await x

c = awaits(Wait())
for _ in range(10000):
    c = awaits(c)
print(c.send(None))
try:
    c.send("value")
except StopIteration as e:
    print(e.value)
