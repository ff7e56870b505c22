calls = []
def make(tag):
    calls.append(tag)
    return [tag]
def f(a, b=make("b"), *, c=make("c")):
    b.append(a)
    c.append(a)
    return b, c
print(calls)
print(f(1), f(2), f(3, ["own"]), f(4, c=[]))
print(f.__defaults__, f.__kwdefaults__, calls)
x = 10
def g(y=x): return y
x = 20
print(g(), g.__defaults__)
g.__defaults__ = (99,)
print(g())
f.__kwdefaults__ = {"c": ["new"]}
print(f(5, []))
fs = [lambda i=i: i * i for i in range(4)]
late = [lambda: i for i in range(4)]
print([h() for h in fs], [h() for h in late])
def h(n, acc=None):
    if acc is None: acc = []
    acc.append(n)
    return acc if n == 0 else h(n - 1, acc)
print(h(3), h(1))
def order(a=calls.append("first"), b=calls.append("second")): pass
print(calls)
g.__defaults__ = None
try:
    g()
except TypeError as e:
    print(e)
