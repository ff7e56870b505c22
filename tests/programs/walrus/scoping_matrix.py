x = "module"
def f():
    r = [x := i for i in range(3)]
    return r, x
print(f(), x)
def g():
    global x
    [x := f"g{i}" for i in range(2)]
    return x
print(g(), x)
def h():
    y = 0
    def inner():
        nonlocal y
        total = [y := y + i for i in range(4)]
        return total
    return inner(), y
print(h())
class C:
    a = [1, 2]
    b = (n := 5)
    m = lambda self: (q := 3)
    try: exec("class D:\n    z = [w := 1 for _ in [1]]")
    except SyntaxError as e: err = e.msg
print(C.b, C.n, C().m(), hasattr(C, "q"), C.err)
def nested(): return [[(v := i * j) for j in range(2)] for i in range(3)], v
print(nested())
def genx():
    g = (last := i for i in range(3))
    try: return last
    except NameError as e: first = type(e).__name__
    list(g)
    return first, last
print(genx())
lam = lambda k: [(t := k), t + 1]
print(lam(4), (lambda: (z := 1) or z)(), "z" in globals())
def cond(n):
    if (m := n % 3) == 0 and (q := n // 3) > 1: return "big", m, q
    elif (q := n * 2) > 5: return "dbl", m, q
    return m
print(cond(9), cond(4), cond(1))
def loop(xs):
    it, out = iter(xs), []
    while (c := next(it, None)) is not None:
        if (d := c * c) > 10: out.append(d)
    return out, c, d
print(loop([1, 4, 2, 5]))
print([w for s in ("a-1", "b", "c-3") if len(w := s.split("-")) == 2], w, {k: v for p in ("x=1", "y=2") if (kv := p.split("=")) and (k := kv[0]) and (v := int(kv[1]))} if False else kv_ if (kv_ := 5) else 0)
print(any((witness := n) % 7 == 0 for n in range(10, 30)), witness, all((counter := n) < 3 for n in range(10)), counter)
def default(a=(d := 10), *, b=(e := d + 1)): return a, b
print(default(), d, e, f"{(fmt := 255):x} {fmt}", [p := 1, p := p + 1, p + 1], (u := 1, v := u + 1)[1], u, {"k": (dv := 2), dv: dv}, print(r := "printed", end="!\n"), r)
