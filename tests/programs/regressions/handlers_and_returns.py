def grab(f):
    try: f()
    except Exception as e: return e
print(repr(grab(lambda: {}["k"])), grab(lambda: 5))
def rebind(x):
    try: return x
    finally: x = "rebound"
def in_with(x):
    class CM:
        def __enter__(self): return self
        def __exit__(self, *a): log.append("exit")
    with CM(): return x
def nested():
    for i in range(3):
        try:
            try: raise KeyError(i)
            except KeyError as e: return e, i
            finally: i = "changed"
        finally: log.append(i)
log = []
print(rebind(1), in_with("kept"), nested(), log)
def loop():
    out = []
    for i in range(3):
        try: raise ValueError(i)
        except ValueError as e: out.append(e); continue
        finally: out.append(i)
    return out
print(loop())
for key in (None, (1,), (), "", 0, False, 1.5):
    try: {}[key]
    except KeyError as e: print(repr(e), e.args, str(e) == repr(key))
def gen():
    try: yield 1
    except ValueError as e: return e
g = gen(); next(g)
try: g.throw(ValueError("thrown"))
except StopIteration as s: print(repr(s.value))
