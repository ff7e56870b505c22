def attempt(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except TypeError as e:
        print("TypeError:", e)
def plain(a, b): return a, b
def default(a, b=2, c=3): return a, b, c
def var(a, *args): return a, args
def kwonly(*, x, y=5): return x, y
def mixed(a, b=1, *args, c, d=4, **kw): return a, b, args, c, d, kw
def posonly(a, b, /): return a, b
def posmix(a, /, b, *, c): return a, b, c
def posdef(a=1, b=2, /, c=3): return a, b, c
def poskw(a, /, **kw): return a, kw
def kwargs(**kw): return kw
for f in (plain, default, var, kwonly, mixed, posonly, posmix, posdef, poskw, kwargs):
    print("--", f.__name__)
    attempt(f); attempt(f, 1); attempt(f, 1, 2); attempt(f, 1, 2, 3); attempt(f, 1, 2, 3, 4)
    attempt(f, a=1); attempt(f, 1, a=2); attempt(f, 1, b=2); attempt(f, a=1, b=2); attempt(f, b=2)
    attempt(f, x=1); attempt(f, x=1, y=2); attempt(f, 1, c=3); attempt(f, 1, 2, c=3); attempt(f, a=1, b=2, c=3); attempt(f, 1, 2, 3, c=9, z=10)
    attempt(f, **{"a": 1, "zz": 2}); attempt(f, 1, x=2)
