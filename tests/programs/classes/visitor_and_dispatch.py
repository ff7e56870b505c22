class Node:
    def accept(self, v): return getattr(v, "visit_" + type(self).__name__.lower(), v.generic)(self)
    def __init__(self, *kids): self.kids = kids
class Num(Node):
    def __init__(self, v): super().__init__(); self.v = v
class Add(Node): pass
class Mul(Node): pass
class Neg(Node): pass
class Eval:
    def generic(self, n): raise NotImplementedError(f"no visitor for {type(n).__name__}")
    def visit_num(self, n): return n.v
    def visit_add(self, n): return sum(k.accept(self) for k in n.kids)
    def visit_mul(self, n):
        r = 1
        for k in n.kids: r *= k.accept(self)
        return r
class Show:
    def generic(self, n): return f"{type(n).__name__}({', '.join(k.accept(self) for k in n.kids)})"
    def visit_num(self, n): return str(n.v)
    def visit_add(self, n): return "(" + " + ".join(k.accept(self) for k in n.kids) + ")"
class Count:
    def __init__(self): self.n = {}
    def generic(self, n):
        self.n[type(n).__name__] = self.n.get(type(n).__name__, 0) + 1
        for k in n.kids: k.accept(self)
        return self.n
t = Add(Num(1), Mul(Num(2), Add(Num(3), Num(4))), Num(5))
print(t.accept(Eval()), t.accept(Show()), t.accept(Count()))
try: Add(Neg(Num(1))).accept(Eval())
except NotImplementedError as e: print(e)
class singledispatch:
    def __init__(self, f): self.default, self.reg = f, {}
    def register(self, *types):
        def deco(f):
            for t in types: self.reg[t] = f
            return f
        return deco
    def __call__(self, x, *a):
        for c in type(x).__mro__:
            if c in self.reg: return self.reg[c](x, *a)
        return self.default(x, *a)
@singledispatch
def fmt(x): return f"?{x!r}"
@fmt.register(int, float)
def _(x): return f"num {x}"
@fmt.register(list, tuple)
def _(x): return "[" + ", ".join(map(fmt, x)) + "]"
@fmt.register(bool)
def _(x): return "yes" if x else "no"
@fmt.register(Node)
def _(x): return f"<{x.accept(Show())}>"
print(fmt([1, True, 2.5, "s", (False, None), t, {}]), len(fmt.reg))
class Multi:
    table = {}
    @classmethod
    def define(cls, *types): return lambda f: cls.table.__setitem__(types, f) or f
    def __call__(self, *args):
        for types, f in self.table.items():
            if len(types) == len(args) and all(map(isinstance, args, types)): return f(*args)
        raise TypeError("no match for " + ", ".join(type(a).__name__ for a in args))
@Multi.define(int, int)
def _(a, b): return a + b
@Multi.define(str, object)
def _(a, b): return f"{a}:{b}"
m = Multi(); print(m(1, 2), m("k", []), m("a", 1))
try: m([], 1)
except TypeError as e: print(e)
