class Tagged(set):
    def __init__(self, it=(), tag=""):
        super().__init__(it)
        self.tag = tag
    def __or__(self, o): return Tagged(set.__or__(self, o), self.tag + "|")
    def __repr__(self): return f"Tagged({sorted(self)}, {self.tag!r})"
    def add(self, x):
        if x < 0: raise ValueError(f"negative: {x}")
        super().add(x)
t = Tagged([2, 1], tag="t")
t.add(5)
try:
    t.add(-1)
except ValueError as e:
    print(e)
print(t, t | {9}, type(t & {1}).__name__, t == {1, 2, 5}, t.copy(), sorted(t - {1}), len(t), 5 in t)
def primes(n):
    c = set(range(2, n + 1))
    p = []
    while c:
        m = min(c)
        p.append(m)
        c -= set(range(m, n + 1, m))
    return p
print(primes(50))
graph = {"a": {"b", "c"}, "b": {"d"}, "c": {"d", "e"}, "d": set(), "e": {"a"}}
def reach(start):
    seen, todo = set(), [start]
    while todo:
        n = todo.pop()
        if n in seen: continue
        seen.add(n)
        todo.extend(graph[n] - seen)
    return sorted(seen)
print({k: reach(k) for k in sorted(graph)})
def powerset(s):
    r = [frozenset()]
    for x in sorted(s):
        r += [sub | {x} for sub in r]
    return r
print([sorted(p) for p in powerset({1, 2, 3})], len(set(powerset({1, 2, 3}))))
groups = {}
for w in ["listen", "silent", "enlist", "google", "elgoog", "abc"]:
    groups.setdefault(frozenset(w), []).append(w)
print(sorted(groups.values()))
class FS(frozenset):
    def __new__(cls, *items): return super().__new__(cls, items)
print(sorted(FS(1, 2)), hash(FS(1, 2)) == hash(frozenset((1, 2))), FS(1) == {1}, type(FS(1) | {2}).__name__)
