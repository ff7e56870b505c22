def counter(start=0):
    n = start
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    def reset():
        nonlocal n
        n = start
    return inc, get, reset
inc, get, reset = counter(10)
inc(); inc(5)
print(get(), inc(), reset(), get())
a, b = counter(), counter(100)
a[0](); b[0](7)
print(a[1](), b[1]())
def three():
    x = "outer"
    def mid():
        nonlocal x
        x += "-mid"
        def inner():
            nonlocal x
            x += "-inner"
            return x
        return inner
    return mid()(), x
print(three())
def cells():
    a, b = 1, 2
    def f(): return a + b
    a = 10
    print(f(), f.__code__.co_freevars, [c.cell_contents for c in f.__closure__])
    del b
    try:
        f()
    except NameError as e:
        print(e)
    return f
cells()
def params(p, *args, k=3, **kw):
    def show(): return p, args, k, kw
    p = "changed"
    k += 1
    return show
print(params(1, 2, z=5)())
def loop():
    fs = []
    for i in range(3):
        def f(): return i
        fs.append(f)
    i = "last"
    return [f() for f in fs]
print(loop())
def compose(*fs):
    def run(x):
        for f in reversed(fs): x = f(x)
        return x
    return run
print(compose(lambda x: x + 1, lambda x: x * 2, abs)(-5))
def acc():
    total = 0
    def add(x):
        nonlocal total
        total += x
        return add
    add.value = lambda: total
    return add
s = acc()
s(1)(2)(3)
print(s.value())
