def inner():
    x = yield 1
    print("inner got", x)
    try:
        y = yield 2
    except ValueError as e:
        print("inner caught", e)
        y = "err"
    return ("inner result", x, y)
def outer():
    r = yield from inner()
    print("outer:", r)
    r2 = yield from [10, 20]
    print("list result", r2)
    yield from "ab"
    return "done"
g = outer()
print(next(g), g.send("hey"), g.throw(ValueError("bad")), list(g))
def total():
    t = 0
    while True:
        v = yield
        if v is None: return t
        t += v
def collect(out):
    while True:
        out.append((yield from total()))
out = []
c = collect(out)
next(c)
for v in (1, 2, 3, None, 10, None): c.send(v)
print(out)
def tree(t):
    if isinstance(t, list):
        for x in t: yield from tree(x)
    else:
        yield t
print(list(tree([1, [2, [3, 4], []], 5])))
def d(n):
    if n: yield from d(n - 1)
    yield n
print(list(d(6)), sum(d(100)))
def closing():
    try: yield 1
    finally: print("sub closed")
def deleg(): yield from closing()
x = deleg(); next(x); x.close()
for bad in (5, None):
    def f(): yield from bad
    try:
        list(f())
    except TypeError as e:
        print(e)
try:
    def fromit(): yield from iter([1, 2])
    q = fromit(); next(q); q.send("v")
except AttributeError as e:
    print(e)
class It:
    def __iter__(self): return self
    def __next__(self): return next(src)
    def throw(self, *a): print("throw", a[0] if not isinstance(a[0], type) else a[0].__name__); return "thrown"
    def close(self): print("it close")
    def send(self, v): return ("sent", v)
src = iter(range(3))
def viait(): yield from It()
v = viait(); print(next(v), v.send("s"), v.throw(KeyError("k"))); v.close()
print(g.gi_yieldfrom, next(d(2)))
def ret(): return (yield from (i for i in range(2)))
print(list(ret()))
