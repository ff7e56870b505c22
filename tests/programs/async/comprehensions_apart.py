# On 3.11 an asynchronous comprehension is a coroutine of its own; later ones run it in its function.
import sys
import traceback
def err(e):
    s = type(e).__name__+":"+",".join(map(str,e.args))
    if e.__context__ is not None: s += " after ("+err(e.__context__)+")"
    return s
class Plain:
    def __init__(s, n=2): s.n = n
    def __await__(s): return iter(range(s.n))
class W:
    def __init__(s, v): s.v = v
    def __await__(s):
        got = yield s.v
        return got or s.v
class Steps:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        self.n -= 1
        if self.n < 0: raise StopAsyncIteration('end')
        if self.n % 2: await Plain(1)
        return self.n
def drive(c):
    seen = []
    while True:
        try: seen.append(c.send(None))
        except StopIteration as e: return seen, e.value
        except BaseException as e:
            print([(t.name, t.lineno, t.colno, t.end_colno) for t in traceback.extract_tb(e.__traceback__)][1:])
            return seen, err(e)
def show(c):
    t = c.cr_await
    return type(t).__name__, getattr(t, '__name__', None), getattr(t, '__qualname__', None)
async def a(n=3, y=5):
    r = 1
    r = [x + r + y async for x in Steps(n)]
    print(r)
    r = {x: await W(x) for x in r}
    print(r)
    s = {await W(x) for x in range(2) for z in range(2) if await W(x)}
    s2 = [[z async for z in Steps(x)] for x in range(3)]
    s3 = [z async for z in (await W(x) for x in range(2))]
    s4 = [last := await W(x) for x in range(3)]
    s5 = [(lambda: x + y)() for x in await W([1, 2])]
    s6 = [(lambda q: x + q)(await W(1)) for x in [1, 2]]
    return s, s2, s3, s4, last, s5, s6
print(drive(a()))
async def b():
    x = 7
    try:
        x = [await W(1 / z) for z in (1, 0)]
    except ZeroDivisionError:
        traceback.print_exc(file=sys.stdout)
        print(x)
    try:
        x = [(await W(1), undefined) for z in (1, 0)]
    except NameError as e: print(err(e))
    try:
        x = [(await W(1), later) for z in (1, 0)]
    except NameError as e: print(err(e))
    try:
        x = [await W(1) for z in 5]
    except TypeError as e: print(err(e))
    try:
        x = [z async for z in 5]
    except TypeError as e: print(err(e))
    later = 1
    return [(await W(1), sorted(locals()), sorted(vars()))[1] for q in (1,)]
print(drive(b()))
async def c():
    try:
        return [await W(1) for x in range(3)]
    finally:
        print('finally')
o = c(); o.send(None); print(show(o)); o.close(); print(show(o))
o = c(); o.send(None)
try: o.throw(KeyError('k'))
except KeyError as e:
    print([(t.name, t.lineno) for t in traceback.extract_tb(e.__traceback__)])
class Base:
    def m(self): return 3
class A(Base):
    async def m(self):
        try: return [super().m() + await W(1) for x in range(2)]
        except Exception as e: print(err(e))
        return [super(A, self).m() + await W(1) for x in range(2)]
    __p = 3
    async def n(self):
        return [self.__p + await W(1) for x in range(2)], [__class__.__name__ for x in [await W(1)] if await W(2)]
print(drive(A().m())); print(drive(A().n()))
async def g():
    yield [await W(x) for x in range(2)]
    yield {await W(x): y async for y in Steps(2) for x in range(2)}
async def h(): return [z async for z in g()], [z async for z in g()][0]
print(drive(h()))
def k():
    v = 3
    async def inner():
        nonlocal v
        w = [v + await W(q) for q in range(2)]
        v = [(v, u := await W(q)) for q in range(2)]
        return w, u
    print(drive(inner()), v)
k()
for src in ["def f(): [await x for x in y]", "async def f():\n def g(): return [x async for x in y]", "[x async for x in y]", "lambda: [await z for z in y]",
  "async def f(): lambda: [await z for z in y]", "class C:\n [await z for z in y]", "async def f():\n class C:\n  [await z for z in y]", "async def f(): [x := await 1 for x in y]",
  "async def f(): [(yield) for x in await y]", "async def f(): [[j := 0 async for i in z] for j in y]", "async def f(): return [x for x in (await z for z in y)]", "[[x async for x in y] for z in w]"]:
    try: compile(src, 'f', 'exec'); print('ok')
    except SyntaxError as e: print(e.msg, e.lineno, e.offset, e.end_offset)
async def m():
    return [sys._getframe().f_code.co_name for x in [1] if await W(1)], [sys._getframe(1).f_code.co_name for x in [1] if await W(1)]
print(drive(m()))
