def attempt(f, *a, **k):
    try: return f(*a, **k)
    except Exception as e:
        import traceback
        lines = [(at.name, at.lineno - attempt.__code__.co_firstlineno) for at in traceback.extract_tb(e.__traceback__)]
        return type(e).__name__, str(e), lines
def a(): return b()
def b():
    x = 1
    return c(
        x,
    )
def c(v): return v / 0
print(attempt(a), attempt(b), attempt(lambda: c(1)))
class K:
    def m(self): return self.n()
    def n(self): raise KeyError("deep")
    @property
    def p(self): return self.m()
    def __getitem__(self, i): return self.p
    def __iter__(self): yield self[0]
k = K()
print(attempt(k.m), attempt(lambda: k.p), attempt(lambda: k[1]), attempt(lambda: list(k)), attempt(lambda: [x for x in k]), attempt(sorted, [3, 1], key=c), attempt(lambda: next(iter(k))))
def gen():
    yield 1
    yield c(2)
g = gen(); next(g)
print(attempt(next, g), attempt(lambda: max([1], key=lambda v: c(v))), attempt(eval, "c(1)"), attempt(exec, "\n\nc(1)"))
def rethrow():
    try: c(0)
    except ZeroDivisionError as e: raise e
def wrap():
    try: c(0)
    except ZeroDivisionError as e: raise ValueError("wrapped") from e
def fin():
    try: c(0)
    finally: x = 1
print(attempt(rethrow), attempt(wrap), attempt(fin))
def with_():
    class CM:
        def __enter__(self): pass
        def __exit__(self, *a): return False
    with CM(): c(0)
print(attempt(with_), attempt(int, "x"), attempt(a.__call__), attempt(None))
e = ValueError("never raised"); print(e.__traceback__)
def stored():
    try: raise e
    except ValueError: pass
    d1 = e.__traceback__; n = 0
    while d1: n += 1; d1 = d1.tb_next
    return n
print(stored(), stored(), e.with_traceback(None).__traceback__, stored())
