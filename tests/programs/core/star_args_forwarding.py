def show(*a, **k): return a, k
def fwd(*a, **k): return show(*a, **k)
def fwd2(f, /, *a, **k): return f(*a, **k)
print(fwd(), fwd(1), fwd(x=1), fwd(1, 2, x=3), fwd2(fwd2, fwd, 1, f=2), fwd(*[1], *(2,), **{"a": 1}, **{"b": 2}), fwd(*range(3), z=0))
def partial(f, *a, **k): return lambda *b, **l: f(*a, *b, **{**k, **l})
print(partial(show, 1, x=1)(2, x=5, y=6), partial(partial, show, 1)(2)(3))
def first(a, *rest): return a, rest
def last(*init, z=None): return init, z
def opt(a, b=2, *c, d=4, **e): return a, b, c, d, e
print(first(*"abc"), last(*"ab", z=1), opt(*[1]), opt(*[1, 2, 3]), opt(1, **{"d": 0, "q": 1}), opt(*(), **{"a": 5}), first([1]))
args = [1, 2]; kw = {"k": 1}
def mut(*a, **k): k["new"] = 1; return a, k
print(mut(*args, **kw), args, kw, mut(*args)[0] is args)
def rec(*a): return a if not a else (a[0], rec(*a[1:]))
print(rec(1, 2, 3))
def order(*a, **k): return list(k)
print(order(b=1, a=2, **{"z": 1, "c": 2}), order(**{"2": 1, "not an id": 2}))
class Base:
    def __init__(self, *a, **k): self.got = (a, k)
class Derived(Base):
    def __init__(self, x, *a, y=0, **k): super().__init__(*a, **k); self.own = (x, y)
d = Derived(1, 2, 3, y=4, z=5)
print(d.got, d.own)
def deco(f):
    def w(*a, **k): return ("w", f(*a, **k))
    return w
@deco
@deco
def add(a, b=1, *, c=2): return a + b + c
print(add(1), add(1, 2, c=3), add(b=5, a=1))
for f in (lambda: add(), lambda: add(1, 2, 3), lambda: add(1, d=2), lambda: fwd2(), lambda: fwd2(f=show), lambda: first(), lambda: last(1, z=2, y=3), lambda: opt(1, a=2), lambda: show(*1), lambda: show(**1), lambda: show(**{1: 1}), lambda: show(*None, **None), lambda: opt(1, *[2], b=3), lambda: opt(**{"a": 1}, **{"a": 2}), lambda: show(a=1, **{"a": 2})):
    try: print(f())
    except TypeError as e: print(e)
def gen(): yield from "xy"
print(show(*gen(), *{"k": 1}, *{1}, *"z"), show(**dict(zip("ab", gen()))), [*gen(), *gen()], max(*gen(), "a"), print(*gen(), sep="+"))
