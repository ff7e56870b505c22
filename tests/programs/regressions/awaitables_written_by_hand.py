"""Awaitables and iterators written by hand in every place that awaits."""
class It:
    def __init__(s, n): s.n=n
    def __iter__(s): return s
    def __await__(s): return s
    def __next__(s):
        s.n -= 1
        if s.n < 0: raise StopIteration("done")
        return s.n
class M:
    def __aenter__(s): return It(3)
    def __aexit__(s, *a): return It(2)
class A:
    def __init__(s): s.k = 2
    def __aiter__(s): return s
    def __anext__(s):
        s.k -= 1
        if s.k < 0: raise StopAsyncIteration
        return It(2)
async def main():
    async with M() as m:
        print(m)
    async with M():
        pass
    async for x in A(): print(x)
    try:
        async with M() as q: raise KeyError
    except KeyError: print('k')
    return [y async for y in A()], await It(2)
c = main()
try:
    while True: print(c.send(None))
except StopIteration as e: print(e.value)
c = main(); c.send(None); c.send(None); c.close()
