import sys
print(sys.exc_info())
def info():
    t, v, tb = sys.exc_info()
    return (t and t.__name__, v and v.args, tb is not None)
try: raise ValueError(1)
except ValueError:
    print(info())
    try: raise KeyError(2)
    except KeyError: print(info())
    print(info())
    try: pass
    finally: print("fin", info())
print(info())
def f():
    try: raise OSError("in f")
    except OSError: return info()
try: 1 / 0
except ZeroDivisionError:
    print(f(), info())
    for i in range(2):
        try: raise IndexError(i)
        except IndexError: continue
    print(info())
def gen():
    yield info()
    try: raise TypeError("gen")
    except TypeError: yield info()
    yield info()
try: raise LookupError("outer")
except LookupError: print(list(gen()))
g = gen()
next(g)
try: raise EOFError
except EOFError: print(next(g), info())
print(next(g), info())
def ret_in_handler():
    try: raise ValueError("r")
    except ValueError: return 1
ret_in_handler(); print(info())
while True:
    try: raise ValueError("b")
    except ValueError: break
print(info(), sys.exception() if hasattr(sys, "exception") else None)
try: raise ValueError("late")
except ValueError as e: saved = e
print(saved.__traceback__ is not None, saved, info())
try:
    raise saved
except ValueError as again:
    print(again is saved, again.__context__)
