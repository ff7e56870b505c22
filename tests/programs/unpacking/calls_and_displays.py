def f(*args, **kw): return args, kw
a, d = [1, 2], {"x": 1}
print(f(*a, *"bc", 3, *[], **d, y=2, **{}), [*a, *range(3), 9], (*a,), {*a, *"q"} == {1, 2, "q"}, {**d, "x": 5, **{"z": 1}, "y": 0})
print(*a, *(1, 2), sep="-")
print([*{"k": 1}], (*"", 1), [*[*[*[1]]]], {**{**{}}}, dict(**d, w=1), max(*a, 0), *map(str, a))
def star(a, b=2, *c, d, e=5, **f): return (a, b, c, d, e, f)
print(star(1, d=4), star(*(1, 2, 3), d=0), star(**{"a": 1, "d": 2, "zz": 3}), star(1, *[2], *[3, 4], d=1, **{"e": 9}))
for src in ("f(*5)", "f(**5)", "f(**{1: 2})", "f(**{'x': 1}, x=2)", "f(x=1, **{'x': 2})", "f(**{'x': 1}, **{'x': 2})", "[*5]", "{*None}", "{**[1]}", "(*1,)", "f(*a, **a)", "star(*[1], **{'a': 1, 'd': 1})", "print(*5)", "[*a, *None]", "f(*(x for x in 5))", "len(*a)", "dict(**{'a': 1}, **{'a': 2})", "star(*5, d=1)", "a.foo(*1)", "(lambda: 0)(**{1: 1})"):
    try:
        print(eval(src))
    except Exception as e:
        print(src, type(e).__name__, e)
def gen():
    yield 1
    raise ValueError("from gen")
for src in ("[*gen()]", "f(*gen())", "a, *b = gen()", "{*gen()}", "x, y = gen()"):
    try:
        exec(src)
    except ValueError as e:
        print(src, e)
ret = lambda: (1, *a, 3)
def y():
    yield *a, 5
    return *a, 6
print(ret(), list(y()))
for z in *a, 7: print(z, end=" ")
t = *a, *a
print(t, a[0:1], d["x"], {1: 2}[*(1,)] if False else "")
