def run(f):
    out = []
    try:
        out.append("try")
        f()
    except (KeyError, IndexError) as e:
        out.append(f"lookup {e!r}")
    except ArithmeticError:
        out.append("arith")
    except Exception as e:
        out.append(f"other {type(e).__name__}")
    else:
        out.append("else")
    finally:
        out.append("finally")
    return out
class MyKey(KeyError): pass
def r(e):
    raise e
for f in (lambda: None, lambda: {}["a"], lambda: [][0], lambda: 1 / 0, lambda: 10.0 ** 400, lambda: int("x"), lambda: r(MyKey("m")), lambda: r(StopIteration), lambda: None.x, lambda: undefined):
    print(run(f))
def bare():
    try: raise SystemExit(3)
    except: return "bare caught"
print(bare())
def else_raises():
    try:
        try: pass
        except ValueError: return "inner"
        else: raise ValueError("from else")
    except ValueError as e: return f"outer {e}"
print(else_raises())
def dynamic(types):
    try: raise ValueError("d")
    except types: return "matched"
    except Exception as e: return f"unmatched {type(e).__name__}: {e}"
for t in (ValueError, (KeyError, ValueError), (), (KeyError,), BaseException, ((ValueError,), KeyError), 5, "s", [ValueError], int, None, object):
    try:
        print(t, dynamic(t))
    except TypeError as e:
        print(t, "TypeError", e)
def order(log=[]):
    def types(): log.append("evaluated"); return ValueError
    try: pass
    except types(): pass
    try: raise ValueError
    except KeyError: pass
    except types(): pass
    return log
print(order())
e = "before"
try: raise ValueError("x")
except ValueError as e: print(repr(e))
print("e" in globals())
try:
    try: raise ValueError("a")
    except ValueError: raise
except ValueError as err: print("reraised", err)
try:
    raise
except RuntimeError as err: print(err)
def reraise_in_call():
    raise
try:
    try: 1 / 0
    except ZeroDivisionError: reraise_in_call()
except ZeroDivisionError as err: print("re", err)
