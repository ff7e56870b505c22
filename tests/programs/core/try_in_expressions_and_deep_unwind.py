def deep(n, how):
    try:
        if n == 0:
            if how == "raise": raise ValueError("bottom")
            if how == "div": return 1 // 0
            if how == "key": return {}["k"]
            if how == "attr": return None.x
            if how == "native": return int("zz")
            if how == "sort": return sorted([1, "a"])
            if how == "callback": return list(map(lambda v: v / 0, [1]))
            if how == "key callback": return max([1, 2], key=lambda v: [][v])
            return "ok"
        return deep(n - 1, how)
    finally:
        trail.append(n)
for how in ("none", "raise", "div", "key", "attr", "native", "sort", "callback", "key callback"):
    trail = []
    try: r = deep(4, how)
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(how, r, trail)
def layers(n):
    for i in range(3):
        try:
            try:
                if n == i: raise KeyError(i)
                if n == i + 10: raise TypeError(i)
                if n == 99: return "early"
            except KeyError as e:
                yield ("key", e.args)
            finally:
                yield ("fin", i)
        except TypeError as t:
            yield ("type", t.args)
    return
print(list(layers(1)), list(layers(12)), list(layers(50)))
def nested(f):
    try:
        try:
            try: f()
            except IndexError: return "inner index"
            except KeyError: raise ValueError("from inner")
        except ValueError as v: return f"middle {v} ctx={type(v.__context__).__name__}"
    except Exception as e: return f"outer {type(e).__name__}"
    else: return "else"
    return "end"
print([nested(f) for f in (lambda: [][1], lambda: {}[1], lambda: 1 / 0, lambda: int("x"), lambda: None)])
def ret_chain():
    try: return "a"
    finally:
        try: return "b"
        finally: pass
def lost():
    try: raise ValueError("lost")
    finally:
        try: raise KeyError("kept")
        except KeyError: pass
try: print(ret_chain(), lost())
except ValueError as e: print("propagated", e, e.__context__)
def cond(x):
    try: return [1, 2][x] / x
    except (IndexError, ZeroDivisionError) as e: return type(e).__name__
    except TypeError: return "type"
print([cond(x) for x in (0, 1, 5, "a", None, 1.0)])
state = []
def gen():
    try: yield 1; yield 2
    except GeneratorExit: state.append("exit"); raise
    finally: state.append("fin")
for v in gen():
    try: break
    finally: state.append("break fin")
print(state[:1])
x = [0]
for i in range(1000):
    try:
        if i % 2: raise ValueError
        x[0] += 1
    except ValueError: x[0] += 10
print(x)
