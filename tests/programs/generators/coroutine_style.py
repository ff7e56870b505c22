def averager():
    total = count = 0
    avg = None
    while True:
        x = yield avg
        if x is None: break
        total += x; count += 1
        avg = total / count
    return count, avg
def grouper(results, key):
    while True: results[key] = yield from averager()
data = {"a": [1, 2, 3], "b": [10.5]}
res = {}
for k, vs in data.items():
    g = grouper(res, k); next(g)
    for v in vs: g.send(v)
    g.send(None); g.close()
print(res)
def prime(f):
    def w(*a, **k): g = f(*a, **k); next(g); return g
    return w
@prime
def printer(prefix, out):
    try:
        while True: out.append(f"{prefix}{(yield)}")
    except GeneratorExit: out.append(f"{prefix}closed")
@prime
def broadcast(*targets):
    try:
        while True:
            x = yield
            for t in targets: t.send(x)
    finally:
        for t in targets: t.close()
@prime
def filt(pred, target):
    while True:
        x = yield
        if pred(x): target.send(x)
@prime
def mapper(f, target):
    while True:
        x = yield
        try: target.send(f(x))
        except Exception as e: target.send(f"error:{type(e).__name__}")
out = []
b = broadcast(filt(lambda x: x != 2, printer("f:", out)), mapper(lambda x: 10 // x, printer("m:", out)))
for x in (1, 2, 0): b.send(x)
b.close(); print(out)
def machine():
    state, log = "idle", []
    while state != "end":
        ev = yield (state, len(log))
        match state, ev:
            case "idle", "start": state = "run"
            case "run", "pause" | "stop" as e: state = {"pause": "idle", "stop": "end"}[e]
            case s, e: log.append(f"{e} ignored in {s}")
    return log
m = machine(); print(next(m), end=" ")
try:
    for e in ("stop", "start", "start", "pause", "start", "stop"): print(m.send(e), end=" ")
except StopIteration as s: print(s.value)
def flatten(x, depth=0):
    for y in x:
        if isinstance(y, (list, tuple)) and depth < 3: yield from flatten(y, depth + 1)
        else: yield y
print(list(flatten([1, [2, (3, [4, [5]])]])))
def echo():
    r = []
    try:
        while len(r) < 5:
            try: r.append((yield len(r)))
            except (ValueError, KeyError) as e: r.append(type(e).__name__)
    finally: r.append("fin")
    return r
e = echo(); next(e); e.send("a"); e.throw(ValueError); e.throw(KeyError, "old style") if False else e.throw(KeyError("k")); e.send(None)
try: e.send("last")
except StopIteration as s: print(s.value)
