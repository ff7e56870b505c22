# Exceptions, return and close leave inner loops before outer ones: their generators are closed in that order.
def g(n):
    try:
        yield 1
    finally:
        print("close", n)
def f():
    for a in g(1):
        for b in g(2):
            raise ValueError
try:
    f()
except ValueError:
    print("caught")
def h():
    for a in g(1):
        for b in g(2):
            return
h()
def k():
    for a in g(1):
        for b in g(2):
            yield
i = k()
next(i)
i.close()
i = k()
next(i)
del i
async def ag(n):
    try:
        yield 1
    finally:
        print("aclose", n)
async def f():
    async for a in ag(1):
        async for b in ag(2):
            raise ValueError
try:
    f().send(None)
except ValueError:
    print("caught")
async def f():
    async for a in ag(1):
        async for b in ag(2):
            return
try:
    f().send(None)
except StopIteration:
    print("stop")
