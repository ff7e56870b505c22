class Grid:
    def __init__(self, w, h): self.w, self.h, self.d = w, h, {}
    def __getitem__(self, k):
        print("get", k, end=" ")
        return self.d.get(str(k), ".")
    def __setitem__(self, k, v):
        print("set", k, v, end=" ")
        self.d[str(k)] = v
    def __delitem__(self, k):
        print("del", k, end=" ")
        del self.d[str(k)]
g = Grid(2, 2)
g[0, 1] = "x"; g[1:2, ::3] = "slice"; g[...] = "dots"; g[None] = 0; g[-1] = 1; g[1, *[2, 3]] = "star"
print(g[0, 1], g[5], g[1:2, ::3] if False else "", g[...])
del g[0, 1], g[-1]
g["n"] = 1; g["n"] += 5
print(g.d["n"], len(g.d))
try: del g["zz"]
except KeyError as e: print(repr(e))
class Sparse:
    def __init__(self, n): self.n, self.v = n, {}
    def __len__(self): return self.n
    def _i(self, i):
        if isinstance(i, slice): return range(*i.indices(self.n))
        if i < 0: i += self.n
        if not 0 <= i < self.n: raise IndexError(f"index {i} out of range({self.n})")
        return i
    def __getitem__(self, i):
        i = self._i(i)
        return [self[j] for j in i] if isinstance(i, range) else self.v.get(i, 0)
    def __setitem__(self, i, v):
        i = self._i(i)
        if isinstance(i, range):
            for j, x in zip(i, v): self[j] = x
        elif v: self.v[i] = v
        else: self.v.pop(i, None)
s = Sparse(6)
s[1] = 5; s[-1] = 9; s[2:4] = [7, 8]; s[1] -= 5
print(list(s), s[1:], s[::-1], s.v, 9 in s, list(reversed(s)), s[-2:], max(s), sorted(s), [*enumerate(s)][-1])
try: s[10]
except IndexError as e: print(e)
class LenOnly:
    def __len__(self): return 0
class NoDel:
    def __getitem__(self, i): return i
for f in (lambda: exec("del o[0]", {"o": NoDel()}), lambda: exec("o[0] = 1", {"o": NoDel()}), lambda: LenOnly()[0], lambda: iter(LenOnly()), lambda: 1 in LenOnly(), lambda: reversed(LenOnly()), lambda: list(reversed(NoDel())) , lambda: NoDel()["k"], lambda: NoDel()[1:2], lambda: bool(LenOnly())):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
