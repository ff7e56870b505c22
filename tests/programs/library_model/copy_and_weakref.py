import copy
import gc
import weakref


class Node:
    def __init__(self, value, *links):
        self.value = value
        self.links = list(links)


a = Node(1)
b = Node([2, 3], a)
a.links.append(b)
c = copy.deepcopy(a)
print(c is not a, c.links[0].links[0] is c, c.links[0].value, c.links[0].value is not b.value)
d = copy.copy(a)
print(d.links is a.links, d.value)


class Custom:
    def __init__(self):
        self.log = []

    def __copy__(self):
        return "copied"

    def __deepcopy__(self, memo):
        return ("deep", type(memo).__name__)


print(copy.copy(Custom()), copy.deepcopy([Custom()]))


class State:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


s = copy.copy(State(5))
print(s.x, hasattr(s, "y"))


class WithState:
    def __getstate__(self):
        return {"a": 1}

    def __setstate__(self, state):
        self.state = state


print(copy.copy(WithState()).state)


class Reduced:
    def __init__(self, *args):
        self.args = args

    def __reduce__(self):
        return (Reduced, (1, 2), {"extra": 3})


r = copy.copy(Reduced())
print(r.args, r.extra)


class D(dict):
    pass


class L(list):
    pass


d = D(a=[1])
d.attr = "x"
e = copy.deepcopy(d)
print(e, e.attr, type(e).__name__, e["a"] is not d["a"])
l = L([1, [2]])
l.z = 1
m = copy.deepcopy(l)
print(m, m.z, m[1] is not l[1])
for same in (1, "a", (1, 2), None, len, Node, lambda: 0, frozenset([1]), range(3), ...):
    assert copy.copy(same) is same and copy.deepcopy(same) is same, same
t = ([1],)
print(copy.deepcopy(t) is not t, copy.copy(t) is t, copy.deepcopy({"k": {1, 2}}), copy.deepcopy(bytearray(b"x")))
err = ValueError("v", 1)
print(copy.copy(err).args, type(copy.deepcopy(err)).__name__)
try:
    copy.deepcopy((x for x in []))
except TypeError as error:
    print(error)
import copyreg


class Point3:
    def __init__(self, x):
        self.x = x


copyreg.pickle(Point3, lambda p: (Point3, (p.x + 1,)))
print(copy.copy(Point3(1)).x)

# ---- weak references
ref = weakref.ref(a, lambda r: print("gone"))
print(ref() is a, ref == weakref.ref(a), weakref.getweakrefcount(a) >= 1)
n = Node(9)
r = weakref.ref(n, lambda r: print("n gone", r() is None))
p = weakref.proxy(n)
print(p.value, type(p).__name__)
del n
try:
    p.value
except ReferenceError as error:
    print(error)
wd = weakref.WeakValueDictionary()
keep = Node("k")
wd["k"] = keep
wd["t"] = Node("t")
gc.collect()
print(sorted(wd), wd.get("t"), len(wd))
wk = weakref.WeakKeyDictionary({keep: 1})
print(wk[keep], len(wk))
ws = weakref.WeakSet([keep])
print(keep in ws, len(ws))
del keep
gc.collect()
print(len(wd), len(wk), len(ws))


class Meth:
    def run(self):
        return "ran"


o = Meth()
wm = weakref.WeakMethod(o.run)
print(wm()())
f = weakref.finalize(o, print, "finalized", 1)
print(f.alive)
del o
print(f.alive, wm())
try:
    weakref.ref(3)
except TypeError as error:
    print(error)


class Slots:
    __slots__ = ()


try:
    weakref.ref(Slots())
except TypeError as error:
    print(error)
print(gc.isenabled(), gc.disable(), gc.isenabled(), gc.enable(), isinstance(gc.collect(), int))
