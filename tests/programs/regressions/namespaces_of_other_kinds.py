class M:
    def __getitem__(self, key):
        if key == "a": return 12
        raise KeyError
    def keys(self): return ["x", "y"]
for src in ("a", "dir()", "len('ab')", "[a, len][0]", "b"):
    try: print(src, eval(src, {}, M()))
    except NameError as e: print(src, type(e).__name__)
class D(dict): pass
g = D(a=1)
exec("b = a + 1\ndef f(): return b * 10\nc = f()", g)
print(g["b"], g["c"], sorted(k for k in g if k != "__builtins__"))
class Log(dict):
    def __setitem__(self, k, v): log.append(k); super().__setitem__(k, v)
    def __delitem__(self, k): log.append("-" + k); super().__delitem__(k)
log = []
exec("x = 1\ny = x + 1\ndef f(): pass\nclass C: z = 1\nfor i in range(2): pass\nimport math\ndel x", {}, Log())
print(log)
class Meta(type):
    def __eq__(self, o): return True
    __hash__ = None
class A(metaclass=Meta):
    def __init__(self): self.x = 1
    def m(self): return self.x
class B(A): pass
print(A().m(), B().m(), A == 5, B().x, isinstance(B(), A))
class Prep(type):
    @classmethod
    def __prepare__(cls, name, bases): return Log()
    def __new__(cls, name, bases, ns): return super().__new__(cls, name, bases, dict(ns))
log.clear()
class P(metaclass=Prep):
    a = 1
    b = a + 1
    def m(self): return __class__
print([k for k in log if not k.startswith("__")], P.b, P().m() is P)
