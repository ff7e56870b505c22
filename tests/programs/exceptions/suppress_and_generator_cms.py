class suppress:
    def __init__(self, *types): self.types = types
    def __enter__(self): return self
    def __exit__(self, t, v, tb): self.caught = v; return t is not None and issubclass(t, self.types)
class contextmanager:
    def __init__(self, f): self.f = f
    def __call__(self, *a, **k): return GenCM(self.f(*a, **k))
class GenCM:
    def __init__(self, gen): self.gen = gen
    def __enter__(self): return next(self.gen)
    def __exit__(self, t, v, tb):
        if t is None:
            try: next(self.gen)
            except StopIteration: return False
            raise RuntimeError("did not stop")
        try: self.gen.throw(v)
        except StopIteration as s: return s is not v
        except BaseException as e:
            if e is v: return False
            raise
        raise RuntimeError("did not stop after throw")
@contextmanager
def tag(name):
    print(f"<{name}>", end="")
    try: yield name
    except ZeroDivisionError as z: print("handled", z, end="")
    finally: print(f"</{name}>")
with tag("b") as t: print(t, end="")
with tag("z"): 1 / 0
try:
    with tag("v"): raise ValueError("through")
except ValueError as e: print(e)
with suppress(KeyError, IndexError) as s: {}["k"]
print(repr(s.caught))
with suppress(LookupError): [][5]
try:
    with suppress(KeyError): raise ValueError("not me")
except ValueError as e: print(e)
class ExitStack:
    def __init__(self): self.cbs = []
    def callback(self, f, *a): self.cbs.append((f, a))
    def enter(self, cm): v = cm.__enter__(); self.cbs.append((cm.__exit__, None)); return v
    def __enter__(self): return self
    def __exit__(self, *exc):
        suppressed = False
        for f, a in reversed(self.cbs):
            if a is None:
                if f(*exc): suppressed, exc = True, (None, None, None)
            else: f(*a)
        return suppressed
with ExitStack() as st:
    for n in "xy": st.enter(tag(n))
    st.callback(print, "callback first out")
    st.enter(suppress(ValueError))
    raise ValueError("stacked")
class Timer:
    depth = 0
    def __enter__(self): Timer.depth += 1; return self
    def __exit__(self, *a): Timer.depth -= 1
t = Timer()
with t:
    with t, t: print(Timer.depth)
print(Timer.depth)
def f():
    with suppress(ValueError): return "returned from with"
def g():
    with suppress(ValueError): raise ValueError
print(f(), g())
