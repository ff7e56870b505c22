"""Asynchronous generators that are dropped while they wait for something."""
class P:
    def __init__(s, v): s.v = v
    def __await__(s): yield s.v
async def ag():
    try:
        await P(1)
        yield 2
    finally:
        print("cleaned")
async def co():
    async for x in ag(): print(x)
c = co(); c.send(None)
c.close(); print("closed")
c = co(); c.send(None)
del c; print("dropped")
a = ag(); s = a.asend(None); s.send(None)
del s; print("asend dropped")
del a; print("agen dropped")
a = ag(); s = a.__anext__(); s.send(None)
s.close(); print("asend closed")
del s, a; print("both dropped")
async def co2():
    await P(1)
    try: await P(2)
    finally: print("co2 cleaned")
async def ag2():
    yield 1
    await co2()
    yield 2
async def co3():
    async for x in ag2(): print(x)
c = co3(); c.send(None); c.send(None)
c.close(); print("closed 3")
