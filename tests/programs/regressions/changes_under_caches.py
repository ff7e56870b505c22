"""Things that change while inline caches, frames and generators rely on them."""


def f(a):
    f.__code__ = h.__code__
    x = [("a%d" % i, i * 1.5) for i in range(200)]
    return "const string here %s" % (a,), [1.25, 2.5, (1, 2, 3)], len(x)


def h(a):
    return a


print(f(3), f(4))


class R:
    def __init__(self, action):
        self.action = action

    def __del__(self):
        try:
            print("del", self.action())
        except BaseException as e:
            print("del exc", type(e).__name__, e)


def gen():
    x = R(lambda: list(g))
    for i in range(3):
        x = yield i


g = gen()
for v in g:
    print(v)
g = gen()
print(next(g), g.send(None), next(g))


class C:
    @property
    def p(self):
        return 1


def read(o):
    return o.p


c = C()
for i in range(10):
    read(c)


def make(n):
    return lambda self: n


for i in range(200):
    C.__dict__["p"].__init__(make(i))
    assert read(c) == i, (read(c), i)


class D:
    pass


class E:
    x = D()


e = E()


def kind(o):
    return type(o.x).__name__


for i in range(100):
    kind(e)
D.__get__ = lambda s, o, t: 5
print(kind(e), E.x)


class M:
    def m(self):
        return "m"


o2 = M()
o2.__dict__["".join(["m"])] = lambda: "dm"
o3 = M()
o3.m = lambda: "im"
print(o2.m(), o3.m(), M().m())
x = 18626.826853765542
two = 2
print(x**2, x**two)
for i, ch in enumerate("abcd", 2**63 - 2):
    print(i, ch)
