def g(n):
    for i in range(n): yield i
    return n * 100
def value_of(it):
    while True:
        try: next(it)
        except StopIteration as e: return e.value
print(value_of(g(3)), value_of(g(0)), value_of(iter([1])))
def wrap():
    a = yield from g(2)
    b = yield from g(1)
    return a + b
print(value_of(wrap()))
def rt():
    yield 1
    return (1, 2)
def rs():
    yield 1
    return StopIteration("x")
def rn():
    yield 1
    return
for f in (rt, rs, rn):
    it = f(); next(it)
    try: next(it)
    except StopIteration as e: print(repr(e), repr(e.value), e.args)
def leaky():
    yield 1
    raise StopIteration("leak")
try:
    list(leaky())
except RuntimeError as e:
    print(e, repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
def in_next():
    it = iter([])
    while True: yield next(it)
try:
    list(in_next())
except RuntimeError as e:
    print(e)
def fin():
    try:
        yield 1
        return "try"
    finally:
        print("finally before stop")
print(value_of(fin()))
def fin_override():
    try:
        yield 1
        return "try"
    finally:
        return "finally"
print(value_of(fin_override()))
print(StopIteration(5).value, StopIteration().value, StopIteration(1, 2).value)
