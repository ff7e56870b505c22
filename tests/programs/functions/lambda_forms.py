add = lambda a, b=10, *c, d=1, **e: (a, b, c, d, e)
print(add(1), add(1, 2, 3, d=4, z=5), (lambda: None)(), (lambda *a: a)(1, 2), (lambda **k: k)(x=1), (lambda x, /, y, *, z: x + y + z)(1, 2, z=3))
print((lambda x: (lambda y: (lambda z: x + y + z)))(1)(2)(3), [f(3) for f in [lambda x: x, lambda x: x * x, lambda x: -x]])
print(sorted([3, -5, 1], key=lambda v: abs(v)), list(map(lambda a, b: a - b, [5, 6], [1, 2])), list(filter(lambda n: n & 1, range(6))), max("a", "bb", key=lambda s: len(s)))
cond = lambda n: "neg" if n < 0 else "zero" if n == 0 else "pos"
print([cond(n) for n in (-1, 0, 1)])
g = lambda: (yield 5)
print(next(g()), type(g()).__name__)
walrus = lambda n: (m := n * 2) + m
print(walrus(4))
table = {"+": lambda a, b: a + b, "*": lambda a, b: a * b}
print({op: fn(6, 7) for op, fn in table.items()})
nested = lambda: [lambda i=i: i for i in range(3)]
print([h() for h in nested()])
tup = lambda: (1, 2)
print(tup(), (lambda: {**{"a": 1}})(), (lambda *, a=3: a)(), (lambda self: self(self))(lambda s: 42))
class K: m = lambda self, v: (self.__class__.__name__, v)
print(K().m(3), K.m.__name__, K.m.__qualname__)
