def total_ordering(cls):
    def le(a, b): r = a.__lt__(b); return r if r is NotImplemented else r or a == b
    def gt(a, b): r = a.__lt__(b); return r if r is NotImplemented else not r and a != b
    def ge(a, b): r = a.__lt__(b); return r if r is NotImplemented else not r
    for n, f in (("__le__", le), ("__gt__", gt), ("__ge__", ge)):
        if n not in cls.__dict__: f.__name__ = n; setattr(cls, n, f)
    return cls
@total_ordering
class Version:
    def __init__(self, s): self.parts = tuple(int(p) if p.isdigit() else p for p in s.split("."))
    def __eq__(self, o): return self.parts == o.parts if isinstance(o, Version) else NotImplemented
    def __lt__(self, o):
        if isinstance(o, str): o = Version(o)
        if not isinstance(o, Version): return NotImplemented
        for a, b in zip(self.parts, o.parts):
            if type(a) is not type(b): return isinstance(b, int)
            if a != b: return a < b
        return len(self.parts) < len(o.parts)
    def __hash__(self): return hash(self.parts)
    def __repr__(self): return ".".join(map(str, self.parts))
vs = [Version(s) for s in "1.10 1.2 1.2.1 1.2.b 2 0.9".split()]
print(sorted(vs), max(vs), min(vs), sorted(vs, reverse=True)[:2], Version("1.0") < "1.1", Version("2") > "1.9", Version("1") >= Version("1"), Version("1") <= Version("0"), Version("1") != Version("1"), "0.1" < Version("1"))
for f in (lambda: Version("1") < 5, lambda: Version("1") >= None, lambda: 5 > Version("1"), lambda: sorted([Version("1"), 2])):
    try: print(f())
    except TypeError as e: print(e)
def cmp_to_key(cmp):
    class K:
        __slots__ = ("v",)
        def __init__(self, v): self.v = v
        def __lt__(self, o): return cmp(self.v, o.v) < 0
        def __eq__(self, o): return cmp(self.v, o.v) == 0
    return K
print(sorted([5, 2, 9, 1], key=cmp_to_key(lambda a, b: b - a)), sorted("bA1aB", key=cmp_to_key(lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))), max([3, 30, 34], key=cmp_to_key(lambda a, b: 1 if f"{a}{b}" > f"{b}{a}" else -1)) if False else sorted([3, 30, 34, 5], key=cmp_to_key(lambda a, b: (f"{b}{a}" > f"{a}{b}") - (f"{b}{a}" < f"{a}{b}"))))
class Desc:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return o.v < self.v
people = [("ann", 30), ("bob", 25), ("cy", 30), ("di", 25)]
print(sorted(people, key=lambda p: (Desc(p[1]), p[0])), [n for n, _ in sorted(people, key=lambda p: p[1])])
calls = 0
class Counting(int):
    def __lt__(self, o):
        global calls
        calls += 1
        return int.__lt__(self, o)
xs = sorted(map(Counting, [3, 1, 2])); print(xs, calls > 1, type(xs[0]).__name__)
