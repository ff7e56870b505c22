import sys


def run(coro):
    it = coro if hasattr(coro, "send") else coro.__await__()
    try:
        while True:
            it.send(None)
    except StopIteration as e:
        return e.value


async def agen(name):
    try:
        yield name
        yield name
    finally:
        print("finally", name)

print(sys.get_asyncgen_hooks())
seen = []
sys.set_asyncgen_hooks(firstiter=lambda g: seen.append(("first", g.__name__)), finalizer=lambda g: seen.append(("final", g.ag_running)))
hooks = sys.get_asyncgen_hooks()
print(type(hooks).__name__, callable(hooks.firstiter), callable(hooks[1]))
g = agen("a")
a = g.__anext__()
a.close()
g.asend(None).close()
print(seen)
del g, a
print(seen)
g = agen("b")
run(g.__anext__())
del g
print(seen)
g = agen("c")
run(g.__anext__())
run(g.aclose())
del g
g = agen("never iterated")
del g
print(seen)


def bad(g):
    raise LookupError("hook")

sys.set_asyncgen_hooks(bad, None)
g = agen("d")
try:
    g.__anext__()
except LookupError as e:
    print(e)
print(run(g.__anext__()))
del g
sys.set_asyncgen_hooks(firstiter=None)
for args, keywords in (((1,), {}), ((None, 2), {}), ((), {"other": 1}), ((None,), {"firstiter": None}), ((None, None, None), {})):
    try:
        sys.set_asyncgen_hooks(*args, **keywords)
    except TypeError as e:
        print(e)
print(sys.get_asyncgen_hooks())


async def coro():
    pass


def make():
    return coro()

print(sys.get_coroutine_origin_tracking_depth(), coro().close())
sys.set_coroutine_origin_tracking_depth(2)
c = make()
print([(line, name) for _, line, name in c.cr_origin])
c.close()
try:
    sys.set_coroutine_origin_tracking_depth(-1)
except ValueError as e:
    print(e)
sys.set_coroutine_origin_tracking_depth(0)
c = make()
print(c.cr_origin)
c.close()
