class V:
    def __init__(self, n): self.n = n
    def __repr__(self): return f"V({self.n})"
names = "add sub mul truediv floordiv mod pow lshift rshift and or xor".split()
for name in names:
    def make(name):
        def normal(self, other, *rest): return (name, self, other, *rest)
        def reflected(self, other, *rest): return ("r" + name, self, other, *rest)
        def inplace(self, other): return V((name, self.n, other))
        return normal, reflected, inplace
    for prefix, fn in zip(("", "r", "i"), make(name)):
        setattr(V, f"__{prefix}{name}__", fn)
V.__neg__ = lambda s: "neg"
V.__pos__ = lambda s: "pos"
V.__invert__ = lambda s: "invert"
V.__abs__ = lambda s: "abs"
V.__divmod__ = lambda s, o: ("divmod", o)
V.__rdivmod__ = lambda s, o: ("rdivmod", o)
V.__round__ = lambda s, n=None: ("round", n)
v = V(1)
for op in ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"]:
    print(eval(f"v {op} 2"), eval(f"2 {op} v"), eval(f"'s' {op} v") if op != "%" else "-")
    scope = {"v": v}
    exec(f"w = v; w {op}= 3", scope)
    print(scope["w"])
print(-v, +v, ~v, abs(v), divmod(v, 1), divmod(1, v), round(v), round(v, 2), pow(v, 2, 3))
