a = b = c = 1
del a
del b, c
x, y, z = [1], {"k": 1}, "s"
del (x), [z]
for n in ("a", "b", "c", "x", "z"): print(n, n in globals(), end=" ")
print()
l = list(range(10)); d = {i: i for i in range(4)}
del l[0], l[-1], l[2:4], l[::3], d[0], d[1]
print(l, d)
class O: pass
o = O(); o.a = o.b = 1; o.c = O(); o.c.d = [1, 2, 3]
del o.a, o.c.d[1]
print(o.__dict__["b"], o.c.d)
del y["k"]; print(y)
i = 0
def idx(): global i; i += 1; return i
m = {1: "a", 2: "b", 3: "c"}
del m[idx()], m[idx()]
print(m, i)
def f():
    v = 1
    del v
    try: return v
    except UnboundLocalError as e: return str(e)
def g(p):
    del p
    p = "rebound"
    return p
def h():
    w = 1
    def inner():
        nonlocal w
        del w
    inner()
    try: return w
    except NameError as e: return str(e)
print(f(), g(1), h())
def dg():
    global m
    del m
dg(); print("m" in globals())
for src in ("del undefined_q", "del l[50]", "del d['zz']", "del o.zz", "del l['a']", "del 'abc'[0]", "del (1, 2)[0]", "del 5 .x", "del None.x", "del o.c.zz.q", "del int.bit_length"):
    try: exec(src)
    except Exception as e: print(src, type(e).__name__, e)
for src in ("del 1", "del f()", "del x + y", "del", "del *x", "del (x, *y)", "del 'x'", "del None", "del x.y()", "del [a, b]", "del ((a), (b,))", "del ()", "del x if y else z", "del {a}", "del a,", "del (a := 1)", "del not x", "del a < b", "del lambda: 1", "del __debug__"):
    try: compile(src, "s", "exec"); print("ok", src)
    except SyntaxError as e: print(src, "->", e.msg)
for k in range(3): del k
print("k" in globals())
import math
del math
try: math
except NameError as e: print(e)
