def g(log):
    try:
        log.append("enter")
        yield 1
        yield 2
    finally:
        log.append("exit")
log = []
for x in g(log): print(x, log)
print(log)
log.clear()
it = g(log)
for x in it:
    break
print(log)
it.close()
print(log)
def nested():
    for i in range(3):
        try:
            try:
                yield i
            except KeyError:
                yield "key"
                continue
            else:
                if i == 1: continue
                yield f"else{i}"
        finally:
            yield f"fin{i}"
n = nested()
print(next(n), n.throw(KeyError), next(n), next(n), list(n))
def with_in_gen():
    class CM:
        def __enter__(self): print("enter"); return "v"
        def __exit__(self, *a): print("exit", a[0] and a[0].__name__); return a[0] is ValueError
    with CM() as v:
        yield v
        yield "second"
    yield "after"
w = with_in_gen()
print(next(w), w.throw(ValueError("x")), list(w))
w = with_in_gen(); next(w); w.close()
w = with_in_gen(); print(list(w))
def reraise():
    try:
        yield 1
    except ValueError as e:
        raise KeyError("converted") from e
r = reraise(); next(r)
try:
    r.throw(ValueError("orig"))
except KeyError as e:
    print(repr(e), repr(e.__cause__))
def ctx():
    try: 1 / 0
    except ZeroDivisionError:
        yield "inside handler"
        try: raise
        except ZeroDivisionError as e: yield repr(e)
print(list(ctx()))
def exc_state():
    try: raise ValueError("gen's own")
    except ValueError as e:
        yield 1
        yield repr(e)
try:
    raise KeyError("caller's")
except KeyError:
    e = exc_state(); next(e)
    try: raise
    except KeyError as k: print(repr(k), next(e))
