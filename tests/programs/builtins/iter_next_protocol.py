it = iter([1, 2])
print(next(it), next(it), next(it, "default"))
try: next(it)
except StopIteration as e: print("stop", e.args, e.value)
print(list(iter("abc")), list(iter({"a": 1})), list(iter((1,))), sorted(iter({3, 1})), list(iter(range(2))), list(iter(b"ab")))
vals = [3, 2, 1, 0, 5]
print(list(iter(lambda: vals.pop(0), 0)), vals)
def gen():
    x = 0
    while True: x += 1; yield x
g = gen()
print([next(g) for _ in range(3)], next(zip(g, g)), next(enumerate(g)), next(map(str, g)), next(filter(lambda v: v % 5 == 0, g)))
class Peek:
    def __init__(self, it): self.it, self.buf = iter(it), []
    def __iter__(self): return self
    def __next__(self): return self.buf.pop() if self.buf else next(self.it)
    def peek(self, d=None):
        try: self.buf.append(next(self)); return self.buf[-1]
        except StopIteration: return d
p = Peek("xyz")
print(p.peek(), next(p), p.peek(), list(p), p.peek("end"))
def chain(*its):
    for i in its: yield from i
def cycle(it):
    saved = list(it)
    while saved: yield from saved
def tee(it):
    a, b = [], []
    it = iter(it)
    def g(mine, other):
        while True:
            if not mine:
                try: v = next(it)
                except StopIteration: return
                mine.append(v); other.append(v)
            yield mine.pop(0)
    return g(a, b), g(b, a)
def islice(it, *a):
    s = slice(*a); i, stop, step = s.start or 0, s.stop, s.step or 1
    for n, x in enumerate(it):
        if stop is not None and n >= stop: return
        if n >= i and (n - i) % step == 0: yield x
print(list(chain("ab", [1], {2: 3})), list(islice(cycle("ab"), 5)), list(islice(range(100), 3, 20, 5)), [list(x) for x in tee("pq")], list(islice(gen(), 2, 4)))
print(list(zip(*[iter("abcdef")] * 2)), dict(zip(*[iter([1, 2, 3, 4])] * 2)), sum(1 for _ in iter(range(10))), max(iter([3, 9])), 3 in iter([1, 2, 3]), sorted(iter("ba")), tuple(iter([])), [*iter("q")], list(reversed([*iter("ab")])))
for bad in (5, None, object, len, 1.5):
    try: iter(bad)
    except TypeError as e: print(e)
