def run(exc, *kinds):
    log = []
    try:
        try:
            raise exc
        except* ValueError as g:
            log.append(("V", g.message, [repr(x) for x in g.exceptions]))
        except* (TypeError, KeyError) as g:
            log.append(("TK", [repr(x) for x in g.exceptions]))
        else:
            log.append("else")
        finally:
            log.append("fin")
    except BaseException as rest:
        log.append(("rest", repr(rest)))
    return log
G = ExceptionGroup
print(run(G("a", [ValueError(1), TypeError(2), ValueError(3)])))
print(run(G("b", [OSError("x"), KeyError("k")])))
print(run(ValueError("naked")))
print(run(OSError("naked os")))
print(run(G("n", [G("m", [ValueError(1), OSError(2)]), KeyError(3)])))
print(run(BaseExceptionGroup("base", [KeyboardInterrupt(), ValueError(1)])))
def none():
    try: pass
    except* ValueError: return_ = 1
    else: return "else ran"
print(none())
try:
    try: raise G("g", [ValueError(1), TypeError(2)])
    except* ValueError: raise KeyError("from handler")
    except* TypeError: raise IndexError("second")
except BaseException as e:
    print(type(e).__name__, e.message, [repr(x) for x in e.exceptions], repr(e.exceptions[0].__context__))
try:
    try: raise G("g", [ValueError(1), TypeError(2)])
    except* ValueError as g: raise
except G as e:
    print(repr(e))
try:
    try: raise G("g", [ValueError(1)])
    except* ValueError as g: raise g.exceptions[0]
except BaseException as e:
    print(repr(e))
for i in range(2):
    try:
        raise G("loop", [ValueError(i)])
    except* ValueError as g:
        print("loop", i, g.exceptions[0].args, "g" in globals())
print("g" in globals())
try:
    try: raise G("x", [ValueError(1)])
    except* ExceptionGroup: pass
except TypeError as e:
    print(e)
try:
    try: raise ValueError(1)
    except* 5: pass
except TypeError as e:
    print(e)
def f():
    try: raise G("r", [ValueError("in f")])
    except* ValueError as g: result = g.exceptions[0]
    return result
print(repr(f()))
