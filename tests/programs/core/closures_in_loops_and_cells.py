def make():
    fs = []
    for i in range(3):
        x = i * 10
        def f(): return i, x
        fs.append(f)
    return [f() for f in fs]
print(make())
def counters():
    out = []
    for i in range(3):
        def mk(start):
            n = start
            def step():
                nonlocal n
                n += 1
                return n
            return step
        out.append(mk(i * 100))
    return out
cs = counters()
print([c() for c in cs], [c() for c in cs], cs[0]())
def shared():
    v = 0
    def inc(): nonlocal v; v += 1
    def get(): return v
    def rst(): nonlocal v; v = "reset"
    inc(); inc()
    a = get()
    rst()
    return a, get(), v
print(shared())
def param(a, b=2):
    def f(): nonlocal a; a += b; return a
    f(); b = 100; f()
    return a
print(param(1))
def deep():
    a = 1
    def l1():
        b = 2
        def l2():
            c = 3
            def l3():
                nonlocal a, b, c
                a, b, c = a + 1, b + a, c + b
                return a, b, c
            return l3(), c
        return l2(), b
    return l1(), a
print(deep())
def gen_cell():
    n = 0
    def g():
        nonlocal n
        while n < 3: n += 1; yield n
    return list(g()), n
print(gen_cell())
def comp_cell(k): return [lambda: k + i for i in range(2)][1](), [(lambda j: j + k)(i) for i in range(2)], {i: (lambda: i * k)() for i in range(2)}
print(comp_cell(10))
def cls_cell():
    v = "enclosed"
    class C:
        def m(self): return v
        def n(self): return __class__.__name__
        w = v + "!"
    v = "changed"
    return C().m(), C().n(), C.w
print(cls_cell())
def exc_cell():
    try: raise ValueError("e")
    except ValueError as e: f = lambda: repr(e); r = f()
    try: return r, f()
    except NameError as n: return r, str(n)
print(exc_cell())
def loop_target():
    fs = []
    for i, (j, *k) in enumerate(["ab", "cde"]): fs.append(lambda: (i, j, k))
    return [f() for f in fs]
print(loop_target())
def early():
    def f(): return late
    try: f()
    except NameError as e: msg = str(e)
    late = 1
    return msg, f()
print(early())
def star_cell(*args, **kw):
    def f(): return args, kw
    args += (9,); kw["n"] = 1
    return f()
print(star_cell(1, a=2), (lambda x: [lambda: x, lambda y: [x := y] if False else y][1](5))(1))
def unboxed():
    i, fl, b, n = 1, 1.5, True, None
    def get(): return i, fl, b, n
    def put(): nonlocal i, fl, b, n; i, fl, b, n = 2**63, -fl, not b, (n,)
    r = get(); put()
    return r, get(), i + 1
print(unboxed())
