x = "outer"
l = [x for x in range(3)]
print(x, l)
def f():
    y = 10
    r = [y + i for i in range(3)]
    fs = [lambda: y + i for i in range(3)]
    y = 100
    return r, [g() for g in fs]
print(f())
class C:
    a = 5
    b = [a for _ in range(2)] if False else [v for v in range(a)]
    try:
        c = [a for _ in range(2)]
    except NameError as e:
        c = str(e)
    d = [i for i in (a, a + 1)]
    e = list(j + 1 for j in [a])
print(C.b, C.c, C.d, C.e, hasattr(C, "v"), hasattr(C, "i"))
try:
    print(i)
except NameError as e:
    print(e)
def g():
    return [n := k * 2 for k in range(3)], n
print(g())
total = 0
print([total := total + v for v in [1, 2, 3]], total)
if any((hit := w).startswith("b") for w in ["a", "bc", "bd"]):
    print(hit)
def h():
    def inner(): return [q for q in p]
    p = [1, 2]
    return inner()
print(h())
print([[(i, j) for j in range(i)] for i in range(3)], [i for i in [i for i in range(3)]], [x for x in [x]])
fs = [(lambda v: lambda: v)(i) for i in range(3)]
print([fn() for fn in fs], [fn() for fn in [lambda: z for z in range(3)]])
def ge():
    k = 1
    gen = (k * m for m in [1, 2])
    k = 10
    return list(gen)
print(ge())
z = [1, 2]
gen = (v for v in z)
z = [9]
print(list(gen))
try:
    gen = (v for v in 5)
except TypeError as e:
    print("eager:", e)
gen = (v for w in [1] for v in 5)
try:
    next(gen)
except TypeError as e:
    print("lazy:", e)
try:
    [undefined_name for _ in range(1)]
except NameError as e:
    print(e)
def nonl():
    c = 0
    def bump():
        nonlocal c
        [c := c + 1 for _ in range(4)]
    bump()
    return c
print(nonl(), [len(s) for s in locals() if s == "zzz"], [sorted(locals()) for only in [1]] == [["only"]] or "3.13 locals")
