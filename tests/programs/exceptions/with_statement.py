class CM:
    def __init__(self, name, swallow=False, fail_enter=False, fail_exit=False): self.name, self.swallow, self.fe, self.fx = name, swallow, fail_enter, fail_exit
    def __enter__(self):
        print("enter", self.name, end="; ")
        if self.fe: raise RuntimeError(f"enter {self.name}")
        return self.name.upper()
    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v, tb is not None, end="; ")
        if self.fx: raise KeyError(f"exit {self.name}")
        return self.swallow
def run(label, f):
    print(label, end=": ")
    try: print("->", f())
    except Exception as e: print("!!", type(e).__name__, e, "ctx", repr(e.__context__))
def simple():
    with CM("a") as x: return x
def two():
    with CM("a") as x, CM("b") as y: return x + y
def paren():
    with (CM("a") as x, CM("b"), CM("c") as z,): return x + z
def swallowed():
    with CM("s", swallow=True): raise ValueError("gone")
    return "after"
def inner_swallow():
    with CM("out"), CM("in", swallow=True): raise ValueError("v")
    return "ok"
def outer_swallow():
    with CM("out", swallow=True):
        with CM("in"): raise ValueError("v")
    return "ok2"
def enter_fails():
    with CM("a"), CM("b", fail_enter=True), CM("c"): return "never"
def exit_fails():
    with CM("a"), CM("b", fail_exit=True): return "x"
def exit_replaces():
    with CM("a", fail_exit=True): raise ValueError("orig")
def loops():
    r = []
    for i in range(4):
        with CM(str(i)):
            if i == 1: continue
            if i == 3: break
            r.append(i)
    return r
def targets():
    class O: pass
    o = O(); d = {}
    with CM("a") as o.x, CM("b") as d["k"], CM("xy") as (p, q): return o.x, d, p, q
def nested_try():
    try:
        with CM("w"): 1 / 0
    except ZeroDivisionError: return "caught outside"
    finally: print("finally", end="; ")
for f in (simple, two, paren, swallowed, inner_swallow, outer_swallow, enter_fails, exit_fails, exit_replaces, loops, targets, nested_try): run(f.__name__, f)
class NoExit:
    def __enter__(self): print("entered?")
class NoEnter:
    def __exit__(self, *a): pass
class Inst: pass
i = Inst(); i.__enter__ = lambda: 1; i.__exit__ = lambda *a: None
class TruthyExit(CM):
    def __exit__(self, *a): return [1]
class BoolFails(CM):
    class B:
        def __bool__(self): raise OSError("bool")
    def __exit__(self, *a): return self.B()
def w(c):
    with c: raise ValueError("w")
    return "suppressed"
for c in (NoExit(), NoEnter(), i, 5, TruthyExit("t"), BoolFails("b"), type): run("cm", lambda: w(c))
