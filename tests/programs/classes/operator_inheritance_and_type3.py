def make(name, bases=(), **ns): return type(name, bases, ns)
Animal = make("Animal", sound="...", speak=lambda self: f"{type(self).__name__} says {self.sound}")
Dog = make("Dog", (Animal,), sound="woof")
print(Animal().speak(), Dog().speak(), Dog.__mro__, Dog.__name__, Dog.__module__, type(Dog), Dog.__dict__["sound"])
Dog.__name__ = "Hound"; Dog.__qualname__ = "Kennel.Hound"
print(Dog, Dog().speak(), Dog.__qualname__)
class Money:
    def __init__(self, amt): self.amt = amt
    def __add__(self, o): return type(self)(self.amt + (o.amt if isinstance(o, Money) else o))
    __radd__ = __add__
    def __eq__(self, o): return isinstance(o, Money) and self.amt == o.amt
    def __lt__(self, o): return self.amt < o.amt
    def __repr__(self): return f"{type(self).__name__}({self.amt})"
class Euro(Money): pass
print(sum([Euro(1), Euro(2)]), Euro(1) + Money(2), Money(1) + Euro(2), 5 + Euro(1), Euro(1) == Money(1), sorted([Euro(3), Money(1)]), max(Euro(1), Euro(9)))
print(type("X", (int,), {"__add__": lambda s, o: "custom"})(5) + 1, type("T", (), {})().__class__.__name__, type(Euro) is type, type.__call__(Euro, 7))
ns = {}
exec("class E:\n    v = 1\n    def m(self): return self.v", ns)
print(ns["E"]().m(), ns["E"].__module__ if "__name__" in ns else "builtins?", ns["E"].__qualname__)
for f in (lambda: type("A", "b", {}), lambda: type("A", (), {}, x=1), lambda: type("A", (int, str), {}), lambda: type("A\0", (), {}), lambda: type("A", ([],), {}), lambda: type.__new__(int, "A", (), {}), lambda: type(), lambda: Dog.__name__.foo, lambda: setattr(Dog, "__name__", 5), lambda: setattr(int, "x", 1), lambda: delattr(Dog, "__name__"), lambda: setattr(Dog, "__bases__", ()), lambda: Dog.mro(5)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class Late: pass
l = Late()
try: l + 1
except TypeError as e: print(e)
Late.__add__ = lambda s, o: f"late add {o}"
Late.__len__ = lambda s: 5
Late.__call__ = lambda s: "called"
Late.__iter__ = lambda s: iter("xy")
print(l + 1, len(l), l(), list(l))
del Late.__add__
try: l + 1
except TypeError as e: print(e)
