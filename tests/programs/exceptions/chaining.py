def show(e, depth=0):
    print("  " * depth + type(e).__name__, e.args, "suppress" if e.__suppress_context__ else "")
    if e.__cause__ is not None: print("  " * depth + "cause:"); show(e.__cause__, depth + 1)
    if e.__context__ is not None: print("  " * depth + "context:"); show(e.__context__, depth + 1)
def a():
    try: {}["k"]
    except KeyError as e: raise ValueError("bad") from e
def b():
    try: a()
    except ValueError: raise TypeError("worse")
def c():
    try: b()
    except TypeError as e: raise RuntimeError("final") from None
def d():
    try: 1 / 0
    finally: [][1]
def e():
    try: 1 / 0
    except ZeroDivisionError:
        try: int("x")
        except ValueError: raise KeyError("third")
def f():
    err = ValueError("same")
    try: raise err
    except ValueError: raise err
def g():
    try: raise KeyError("k")
    except KeyError as k:
        try: raise ValueError("v") from k
        except ValueError as v:
            k.x = v
            raise
def h():
    try:
        try: raise OSError("o")
        finally: raise LookupError("l")
    except LookupError as l:
        raise l.__context__
class CM:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): raise AssertionError("exit failed")
def i():
    with CM(): raise ValueError("body")
for fn in (a, b, c, d, e, f, g, h, i):
    try: fn()
    except Exception as ex:
        print("--", fn.__name__); show(ex)
try: raise ValueError("x") from KeyError("explicit")
except ValueError as ex: show(ex)
x = ValueError("manual")
x.__cause__ = KeyError("set")
print(x.__suppress_context__, repr(x.__cause__))
x.__cause__ = None
print(x.__suppress_context__)
for attr, v in (("__cause__", 5), ("__context__", "s"), ("args", 5), ("__traceback__", 1)):
    try: setattr(x, attr, v)
    except TypeError as err: print(attr, err)
try: del x.__cause__
except TypeError as err: print(err)
def clean():
    try: raise ValueError(1)
    except ValueError: pass
    try: raise KeyError(2)
    except KeyError as k: return k.__context__
print(clean())
