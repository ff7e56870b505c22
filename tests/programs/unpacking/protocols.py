class It:
    def __init__(self, n): self.n = n
    def __iter__(self): print("iter", end=" "); return self
    def __next__(self):
        if self.n <= 0:
            print("stop", end=" "); raise StopIteration
        self.n -= 1
        print("next", end=" ")
        return self.n
a, b = It(2)
print(a, b)
try:
    a, b = It(5)
except ValueError as e:
    print(e)
a, *b = It(4)
print(a, b)
class Seq:
    def __getitem__(self, i):
        if i >= 3: raise IndexError
        return i * 10
a, b, c = Seq()
print(a, b, c, *Seq(), [*Seq()], list(reversed([*Seq()])))
class Map:
    def keys(self): return ["p", "q"]
    def __getitem__(self, k): return k * 2
print({**Map()}, dict(Map()), (lambda **k: k)(**Map()), dict(Map(), r=1))
class BadIter:
    def __iter__(self): return 5
class NoIter: pass
class NoneIter:
    __iter__ = None
class RaisingIter:
    def __iter__(self): raise OSError("iter")
class HalfMap:
    def keys(self): return ["a"]
for f in (lambda: [*BadIter()], lambda: [*NoIter()], lambda: [*NoneIter()], lambda: [*RaisingIter()], lambda: {**HalfMap()}, lambda: {**NoIter()}, lambda: (lambda **k: k)(**HalfMap()), lambda: iter(BadIter()), lambda: list(NoIter()), lambda: dict(HalfMap()), lambda: max(NoIter()), lambda: [x for x in NoIter()]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def swap(pair): (pair[0], pair[1]) = (pair[1], pair[0])
p = [1, 2]; swap(p); print(p)
