def f(a: int, b: "str" = "x", *args: tuple, c: float = 1.0, **kw: dict) -> bool:
    """Doc of f."""
    local = 1
    return local
print(f.__name__, f.__qualname__, f.__doc__, f.__module__, f.__defaults__, f.__kwdefaults__, f.__annotations__, f.__dict__)
f.tag = 5
f.__name__ = "renamed"; f.__doc__ = None; f.__qualname__ = "q.renamed"
print(f.tag, f.__dict__, f.__name__, f.__doc__, hasattr(f, "nope"), callable(f), repr(f).split(" at ")[0])
del f.tag
c = f.__code__
print(c.co_name, c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_varnames, c.co_firstlineno, c.co_flags & 4, c.co_flags & 8)
g = lambda x: x
print(g.__name__, g.__qualname__, type(g).__name__, type(g) is type(f), g.__doc__, type(len).__name__, type([].append).__name__, type(str.upper).__name__)
class C:
    def m(self): "method doc"
    class D:
        def n(self): return lambda: 0
print(C.m.__qualname__, C().m.__name__, C.D.n.__qualname__, C.D().n().__qualname__, C().m.__doc__, C().m.__func__ is C.m, C().m == C().m, type(C().m).__name__)
c = C()
print(c.m.__self__ is c, C.m.__get__(c)() is None, C.m.__get__(c, C).__self__ is c)
for attempt in ("f.__name__ = 5", "f.__defaults__ = 5", "f.__dict__ = 3", "del f.__name__", "f.__code__ = 1", "c.m.x = 1", "f.nope", "del f.nope", "len.x = 1", "f.__closure__ = ()", "f.__annotations__ = 7"):
    try:
        exec(attempt)
        print("ok", attempt)
    except Exception as e:
        print(attempt, type(e).__name__, e)
def annotated(x: (lambda: print("evaluated"))() = 3): pass
print(annotated.__annotations__)
