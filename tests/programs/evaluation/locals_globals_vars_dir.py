g1 = 1
print("g1" in globals(), globals()["g1"], locals() is globals(), sorted(k for k in globals() if not k.startswith("_")))
globals()["injected"] = 42
print(injected)
def f(a, b=2, *args, **kw):
    c = a + b
    def inner(): return c
    l = sorted(locals().items(), key=lambda kv: kv[0])
    return [(k, v) for k, v in l if k != "inner"]
print(f(1, 2, 3, x=4))
def g():
    before = sorted(locals())
    x = 1
    mid = sorted(locals())
    del x
    return before, mid, sorted(locals())
print(g())
class C:
    a = 1
    names = sorted(k for k in locals() if not k.startswith("__"))
    locals()["dynamic"] = 5
    def m(self): return sorted(locals())
print(C.names, C.dynamic, C().m())
o = C(); o.z = 1; o.y = 2
print(vars(o), sorted(k for k in vars(C) if not k.startswith("__")), [n for n in dir(o) if not n.startswith("__")], vars() is globals())
vars(o)["w"] = 3
print(o.w, o.__dict__)
o.__dict__ = {"fresh": 1}
print(o.fresh, hasattr(o, "z"))
try: o.__dict__ = 5
except TypeError as e: print(e)
class D:
    def __dir__(self): return ["z", "a", "m"]
print(dir(D()), sorted(n for n in dir([]) if not n.startswith("_")), [n for n in dir(5) if not n.startswith("_")], sorted(n for n in dir("") if n.startswith("is")))
def h():
    y = 1
    return dir()
print(h(), len(dir()) > 5)
for bad in (lambda: vars(5), lambda: vars([]), lambda: vars(1, 2), lambda: dir(1, 2), lambda: globals(1), lambda: locals(1)):
    try: print(bad())
    except TypeError as e: print(e)
class S: __slots__ = ("q",)
try: vars(S())
except TypeError as e: print(e)
def closure():
    free = "free"
    def inner():
        own = free
        return sorted(locals().items())
    return inner()
print(closure(), [sorted(locals()) == ["_", "x9"] or True for x9 in [1] for _ in [0]])
def delglobal():
    del globals()["injected"]
delglobal()
try: injected
except NameError as e: print(e)
