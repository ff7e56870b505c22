class Table:
    def __init__(self): self.rows, self.log = [], []
    def insert(self, **r): self.rows.append(r); return self
    def __enter__(self): self.saved = [dict(r) for r in self.rows]; self.log.append("begin"); return self
    def __exit__(self, t, v, tb):
        if t is None: self.log.append("commit")
        elif issubclass(t, KeyError): self.rows = self.saved; self.log.append(f"rollback {v}"); return True
        else: self.rows = self.saved; self.log.append(f"abort {t.__name__}")
    def __iter__(self): return (dict(r) for r in self.rows)
    def where(self, **cond): return Query(self, cond)
class Query:
    def __init__(self, src, cond): self.src, self.cond, self.keys = src, cond, None
    def __iter__(self):
        for r in self.src:
            if all(f(r.get(k)) if callable(f) else r.get(k) == f for k, f in self.cond.items()): yield r if self.keys is None else tuple(r[k] for k in self.keys)
    def select(self, *keys): self.keys = keys; return self
    def __len__(self): return sum(1 for _ in self)
    def __getitem__(self, i): return list(self)[i]
    def __bool__(self): return next(iter(self), None) is not None
    def group(self, key):
        out = {}
        for r in self: out.setdefault(r[key], []).append(r)
        return out
t = Table()
with t: t.insert(n="a", v=1).insert(n="b", v=5).insert(n="a", v=9)
with t:
    t.insert(n="c", v=100)
    t.rows[0]["v"] = -1
    raise KeyError("oops")
try:
    with t: t.insert(n="d"); raise ValueError("hard")
except ValueError as e: print("escaped", e)
print(list(t), t.log)
q = t.where(n="a", v=lambda v: v > 0)
print(list(q), len(q), q[-1], bool(q), bool(t.where(n="zz")), list(t.where().select("v", "n")), {k: sum(r["v"] for r in rs) for k, rs in t.where().group("n").items()})
with t as alias, t as again: print(alias is again is t)
print(t.log[-4:])
class Pager:
    def __init__(self, seq, size): self.seq, self.size = seq, size
    def __len__(self): return -(-len(self.seq) // self.size)
    def __getitem__(self, i):
        if not -len(self) <= i < len(self): raise IndexError(f"page {i}")
        i %= len(self)
        return self.seq[i * self.size:(i + 1) * self.size]
p = Pager("abcdefg", 3)
print(len(p), list(p), p[-1], [x for page in p for x in page], "def" in p, list(reversed(p)), *p)
try: p[3]
except IndexError as e: print(e)
