class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(Countdown(3)), sum(Countdown(5)), max(Countdown(4)), *Countdown(2), [*zip(Countdown(2), "ab")])
class Tree:
    def __init__(self, v, l=None, r=None): self.v, self.l, self.r = v, l, r
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
t = Tree(4, Tree(2, Tree(1), Tree(3)), Tree(6))
print(list(t), [x for x in t if x > 2], 3 in t, list(zip(t, t)), sorted(t, reverse=True), min(t))
class Getitem:
    def __getitem__(self, i):
        if i == 3: raise IndexError("end")
        return "abc"[i]
print(list(Getitem()), list(iter(Getitem())), "b" in Getitem(), list(enumerate(Getitem())))
class Reversible:
    def __len__(self): return 3
    def __getitem__(self, i): return i * 10
class Rev:
    def __reversed__(self): return iter("custom")
print(list(reversed(Reversible())), list(reversed(Rev())))
class Hint:
    def __iter__(self): return iter([1, 2])
    def __length_hint__(self): return 10
print(list(Hint()), len([*Hint()]))
class BadNext:
    def __iter__(self): return self
    def __next__(self): raise ValueError("bad next")
class NoNext:
    def __iter__(self): return self
class NotCallable:
    __iter__ = 5
class GetRaises:
    def __getitem__(self, i): raise KeyError("k")
class BadHint:
    def __iter__(self): return iter([1])
    def __length_hint__(self): return -1
for c in (BadNext, NoNext, NotCallable, GetRaises, BadHint):
    try:
        print(list(c()))
    except Exception as e:
        print(type(e).__name__, e)
it = Countdown(5)
for x in it:
    if x == 3: break
print(list(it))
class Infinite:
    def __iter__(self):
        n = 0
        while True:
            yield n
            n += 1
print([x for x, _ in zip(Infinite(), range(4))], next(iter(Infinite())))
s = iter("ab"); print(next(s), s.__next__(), next(s, 0), iter(s) is s, s.__length_hint__())
class CallIt:
    def __init__(self): self.n = 0
    def __call__(self): self.n += 1; return self.n if self.n < 4 else None
print(list(iter(CallIt(), None)), list(iter(CallIt(), 2)))
