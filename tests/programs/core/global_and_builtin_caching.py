n = 1
def read(): return n
def length(x): return len(x)
print(read()); n = 2; print(read()); n = "s"; print(read())
print(length("abc"))
len = lambda x: "shadowed"
print(length("abc")); del len; print(length("abc"))
def setg(v): global n; n = v
for v in (1, 1.5, None, [1]): setg(v); print(read(), end=" ")
print()
globals()["n"] = "direct"; print(read()); globals().update(n="updated"); print(read())
del n
try: read()
except NameError as e: print(e)
n = "back"; print(read())
def loop():
    out = []
    for i in range(4):
        if i == 2: globals()["abs"] = lambda x: "fake"
        out.append(abs(-i))
    del globals()["abs"]
    return out, abs(-9)
print(loop())
def rec(k): return k if k <= 0 else rec(k - 1)
old = rec
print(rec(3)); rec = lambda k: "replaced"; print(old(3), old(0), rec(1))
def count():
    global total
    for i in range(1000): total += i
total = 0; count(); print(total); total = 0.5; count(); print(total)
ns = {"n": "ns", "print": lambda *a: total_log.append(a), "total_log": (total_log := [])}
exec("def r(): return n\nprint(r())\nn = 5\nprint(r())", ns)
print(total_log, read())
class K:
    n = "class"
    def m(self): return n
print(K().m(), K.n)
def inner():
    def f(): return n
    return f
print(inner()())
print = print
print("self assigned", __name__)
