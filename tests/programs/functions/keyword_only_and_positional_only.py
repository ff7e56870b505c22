def f(a, b, /, c, *, d, e=5): return a, b, c, d, e
print(f(1, 2, 3, d=4), f(1, 2, c=3, d=4, e=6), f(*[1, 2], **{"c": 3, "d": 4}))
def g(a, /, **kw): return a, kw
print(g(1, a=2), g(1, **{"a": 3, "self": 4}))
def h(*, a, **kw): return a, kw
print(h(a=1, b=2), h(**{"b": 1, "a": 2}))
def p(a=1, /, b=2, *, c=3): return a, b, c
print(p(), p(9), p(9, 8), p(b=7), p(c=6), p(9, c=5))
class C:
    def m(self, /, self_=1, **kw): return self_, kw
    def __init__(self, x, /, *, y=0): self.v = x, y
    def __call__(self, *args, self_kw=None, **kw): return args, self_kw, kw
c = C(1, y=2)
print(c.v, c.m(self=5), c(1, self_kw=2, z=3))
for call in ("f(1, 2, 3)", "f(1, 2, 3, 4)", "f(a=1, b=2, c=3, d=4)", "f(1, b=2, c=3, d=4)", "f(1, 2, 3, d=4, f=5)", "f(1, 2, d=4)", "f(1, d=4)", "f()", "g()", "g(a=1)", "h()", "h(1)", "h(1, a=2)", "p(1, 2, 3)", "p(a=1)", "p(1, b=2, a=3)", "C(x=1)", "C()", "C(1, 2)", "C(1, z=1)", "c.m(1, 2)", "f(1, 2, 3, d=4, d=5)", "f(1, 2, 3, **{'d': 4, 'e': 5, 'g': 6, 'h': 7})", "f(*[1, 2, 3, 4, 5, 6], d=1)", "p(1, 2, 3, 4, c=5)", "h(a=1, **{'a': 2})", "(lambda a, /, b: 0)(b=1)", "(lambda *, k: 0)()", "(lambda *, k, l: 0)()", "(lambda a, b=1, /: 0)(1, 2, 3)", "(lambda a, /: 0)(a=1)", "(lambda a, b, /: 0)(1, b=2)", "(lambda a, b, /: 0)(a=1, b=2)", "(lambda a, b, c, /, d: 0)(1, a=1, c=2, d=3)"):
    try: print(call, eval(call))
    except (TypeError, SyntaxError) as e: print(call, "->", e.msg if isinstance(e, SyntaxError) else e)
print(f.__kwdefaults__, p.__defaults__, f.__code__.co_posonlyargcount, f.__code__.co_kwonlyargcount, h.__code__.co_varnames)
