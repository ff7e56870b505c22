class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x, *a, k=0, **kw): return self.n + x + sum(a) + k + len(kw)
a = Adder(10)
print(a(1), a(1, 2, 3), a(1, k=5, z=0), callable(a), list(map(a, [1, 2])), sorted([3, 1], key=Adder(0)), a.__call__(5))
class NotCallable: pass
n = NotCallable(); n.__call__ = lambda: 1
try: n()
except TypeError as e: print(e)
class Box:
    def __class_getitem__(cls, item): return f"{cls.__name__}[{item if isinstance(item, str) else getattr(item, '__name__', item)}]"
class SubBox(Box): pass
print(Box[int], Box["x"], SubBox[1, 2], Box[:], Box[...])
for f in (lambda: Box()[0], lambda: NotCallable[int], lambda: int[str], lambda: list[int], lambda: dict[str, int], lambda: tuple[int, ...], lambda: type[int], lambda: list[int]([1]), lambda: set[int].__origin__, lambda: dict[str, list[int]].__args__):
    try: print(f())
    except TypeError as e: print(e)
class New:
    instances = []
    def __new__(cls, *a, **k):
        print("new", a, k, end=" ")
        self = object.__new__(cls)
        cls.instances.append(self)
        return self
    def __init__(self, *a, **k): print("init", a, k)
New(1, x=2)
class Other:
    def __new__(cls): return 42
    def __init__(self): print("never called")
print(Other())
class Cached:
    cache = {}
    def __new__(cls, k): return cls.cache.setdefault(k, super().__new__(cls))
    def __init__(self, k): self.k = k; self.inits = getattr(self, "inits", 0) + 1
print(Cached(1) is Cached(1), Cached(1).inits, Cached(2).inits)
class BadInit:
    def __init__(self): return 5
class BadNew:
    def __new__(cls): raise ValueError("new failed")
class OnlyNew:
    def __new__(cls, a): return super().__new__(cls)
class OnlyNewPass:
    def __new__(cls, a): return super().__new__(cls, a)
class OnlyInit:
    def __init__(self, a): super().__init__(a)
for f in (BadInit, BadNew, OnlyNew, lambda: OnlyNew(1).__class__.__name__, lambda: OnlyNewPass(1), lambda: OnlyInit(1), lambda: object.__new__(5), lambda: object.__new__(), lambda: int.__new__(str), lambda: object.__new__(int)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
