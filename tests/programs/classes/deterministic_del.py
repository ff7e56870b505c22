class Res:
    live = []
    def __init__(self, n): self.n = n; Res.live.append(n)
    def __del__(self): Res.live.remove(self.n); print("del", self.n)
a = Res("a")
b = a
del a
print("still", Res.live)
b = None
print("gone", Res.live)
def scope():
    r = Res("local")
    print("in scope", Res.live)
scope()
print("after scope", Res.live)
l = [Res("x"), Res("y")]
l.pop()
print("popped")
l.clear()
print("cleared", Res.live)
d = {"k": Res("v")}
d["k"] = 1
print("replaced")
Res("temporary")
print("temp done")
def ret(): return Res("returned")
ret()
x = ret()
x = 5
for i in range(2): r = Res(i)
print("loop", Res.live)
del r
def gen():
    r = Res("gen")
    yield 1
g = gen(); next(g)
print("suspended", Res.live)
del g
print("end", Res.live)
def arg(p): print("has", p.n)
arg(Res("argument"))
class Holder: pass
h = Holder(); h.r = Res("attr"); h.r = None
h.r = Res("attr2"); del h
t = (Res("t1"), Res("t2")); del t
c = (lambda r: lambda: r.n)(Res("cell")); print(c()); del c
print(Res.live)
