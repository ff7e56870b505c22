def g():
    while True:
        try:
            x = yield "ready"
            print("x", x)
        except ValueError as e:
            print("caught", e)
            yield "recovered"
        except GeneratorExit:
            print("closing")
            raise
        finally:
            print("finally")
it = g()
print(next(it)); print(it.throw(ValueError("v"))); print(next(it)); print(it.send(1))
it.close()
print(next(it, "closed"))
it = g()
try:
    it.throw(KeyError("early"))
except KeyError as e:
    print("not started", e, next(it, "dead"))
it = g(); next(it)
try:
    it.throw(TypeError("other"))
except TypeError as e:
    print("passed", e)
def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
s = stubborn(); next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)
def quiet():
    try:
        yield 1
    except GeneratorExit:
        return
q = quiet(); next(q); print(q.close(), q.close())
def raises_on_close():
    try: yield
    finally: raise OSError("in finally")
r = raises_on_close(); next(r)
try:
    r.close()
except OSError as e:
    print(e, type(e.__context__).__name__)
it = g(); next(it)
for bad in (5, "s", int, object()):
    try:
        it.throw(bad)
    except TypeError as e:
        print(e if not isinstance(bad, object().__class__) or type(bad) is not object else "object")
def swallow():
    try: yield 1
    except Exception as e: yield repr(e)
w = swallow(); next(w)
print(w.throw(LookupError("a", "b")))
w = swallow(); next(w); print(w.throw(ZeroDivisionError))
w2 = swallow(); next(w2)
try:
    w2.throw(StopIteration("si"))
    next(w2)
except Exception as e:
    print(type(e).__name__, e)
it.close()
