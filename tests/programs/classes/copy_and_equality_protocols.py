class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, list(kids)
    def __eq__(self, o): return isinstance(o, Tree) and (self.v, self.kids) == (o.v, o.kids)
    def __repr__(self): return f"T({self.v}{''.join(', ' + repr(k) for k in self.kids)})"
    def copy(self, deep=False): return type(self)(self.v, *(k.copy(True) if deep else k for k in self.kids))
    def __len__(self): return 1 + sum(map(len, self.kids))
    def __iter__(self): yield self; yield from (n for k in self.kids for n in k)
    def __contains__(self, v): return any(n.v == v for n in self)
    def map(self, f): return Tree(f(self.v), *(k.map(f) for k in self.kids))
    def fold(self, f): return f(self.v, [k.fold(f) for k in self.kids])
    def __getitem__(self, path):
        n = self
        for i in path if isinstance(path, tuple) else (path,): n = n.kids[i]
        return n
    def __setitem__(self, path, t): *head, last = path if isinstance(path, tuple) else (path,); self[tuple(head)].kids[last] = t
    def __delitem__(self, path): *head, last = path if isinstance(path, tuple) else (path,); del self[tuple(head)].kids[last]
t = Tree(1, Tree(2, Tree(3)), Tree(4))
s, d = t.copy(), t.copy(deep=True)
t[0, 0].v = 99; t[1] = Tree("new", Tree(7))
print(t, s, d, t == s, s.kids[0] is t.kids[0], d.kids[0] is t.kids[0], len(t), [n.v for n in t], 99 in t, 5 in t, t.map(str), t.fold(lambda v, ks: 1 + max(ks, default=0)), d.fold(lambda v, ks: v + sum(ks)))
del t[0, 0]; print(t, t[()] is t)
for f in (lambda: t[5], lambda: t[0, 0, 0], lambda: hash(t)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
a = Tree("loop"); a.kids.append(a)
try: repr(a)
except RecursionError: print("recursive repr")
try: a == a.copy()
except RecursionError: print("recursive eq")
class Interned:
    pool = {}
    def __new__(cls, *key):
        if key not in cls.pool: self = cls.pool[key] = super().__new__(cls); self.key = key
        return cls.pool[key]
print(Interned(1, 2) is Interned(1, 2), Interned(1) is Interned(2), len(Interned.pool), {Interned(1): "x"}[Interned(1)])
class Never:
    def __eq__(self, o): return False
    def __hash__(self): return 1
n = Never()
print(n == n, n in [n], [n] == [n], (n,) == (n,), {n: 1}.get(n), n in {n}, [n].count(n), [n].index(n), {n} == {n}, [n, Never()].count(n), n != n)
