def make(log, tag):
    try:
        log.append(f"start {tag}")
        yield tag
        yield tag * 2
    finally:
        log.append(f"finally {tag}")
log = []
for i in range(4):
    g = make(log, i)
    next(g)
    del g
print(log)
log.clear()
def scope():
    g = make(log, "local")
    next(g)
scope()
print(log)
log.clear()
box = [make(log, n) for n in range(3)]
for g in box: next(g)
box.pop()
print(log)
del g
box.clear()
print(sorted(log))
log.clear()
def outer():
    yield from make(log, "inner")
o = outer(); next(o); o = None
print(log)
log.clear()
never = make(log, "never started")
del never
done = make(log, "done"); list(done); del done
print(log)
def throws():
    try: yield
    except GeneratorExit: log.append("exit seen"); raise
t = throws(); next(t); del t
print(log[-1])
def keyerror():
    try: raise KeyError("a")
    except Exception: yield from plain()
def plain(): yield
k = keyerror(); k.send(None)
try: k.throw(ValueError("b"))
except ValueError as e: print(repr(e), repr(e.__context__))
class E(Exception):
    def __new__(cls, *a, **kw): return cls
p = plain()
try: p.throw(E)
except TypeError as e: print(e)
print(next(p, "finished"))
