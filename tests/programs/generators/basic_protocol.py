def count(n):
    print("start")
    for i in range(n):
        got = yield i
        print("got", got)
    print("end")
    return "result"
g = count(2)
print(type(g).__name__, g.__name__, g.gi_running, g.gi_frame is not None, hasattr(g, "send"))
print(next(g)); print(g.send("hello"))
try:
    g.send("last")
except StopIteration as e:
    print("stop", e.value, e.args)
for _ in range(2):
    try:
        next(g)
    except StopIteration as e:
        print("again", e.value)
print(g.gi_frame, next(g, "default"))
h = count(1)
try:
    h.send(5)
except TypeError as e:
    print(e)
print(h.send(None))
def nothing():
    return 5
    yield
print(list(nothing()))
def self_running():
    try:
        next(it)
    except ValueError as e:
        print(e)
    yield 1
it = self_running()
next(it)
def multi():
    x = yield
    y = yield x
    z = yield x + y
    yield [x, y, z]
m = multi()
next(m)
print(m.send(1), m.send(2), m.send(3))
print(list(count(0)), [*count(1)], dict.fromkeys(count(1)))
def expr():
    r = [(yield 1), (yield 2)]
    print("r", r, (yield 3) or "falsy")
e = expr()
print(next(e), e.send("a"), e.send("b"), next(e, "fin"))
