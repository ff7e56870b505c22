class Default(dict):
    def __missing__(self, key):
        print("missing", key, end=" ")
        self[key] = value = [key]
        return value
d = Default(a=1)
print(d["a"], d["b"], d, d.get("c"), "c" in d, type(d.copy()), isinstance(d, dict), len(d), {**d}, d | {"z": 1}, type(d | {}))
class Upper(dict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
    def __getitem__(self, k): return super().__getitem__(k.upper())
    def __contains__(self, k): return super().__contains__(k.upper())
    def __delitem__(self, k): super().__delitem__(k.upper())
    def __iter__(self): return iter(sorted(super().__iter__()))
    def keys(self): return sorted(super().keys())
u = Upper()
u["b"] = 1; u["a"] = 2; u["c"] = 3
del u["c"]
print(u, u["A"], u["a"], "b" in u, u.get("b"), list(u), dict(u), [*u], {**u})
u.update(d=4)
u["a"] += 10
print(u, u.setdefault("q", 0), u, u.pop("B"), len(u))
try:
    u["nope"]
except KeyError as e:
    print(e, e.args)
class Attr(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
o = Attr(x=1)
o.y = 2
o.x += 5
del o.y
print(o, o.x, hasattr(o, "keys"), o.items())
try:
    o.zzz
except Exception as e:
    print(type(e).__name__, e)
class Counter(dict):
    def __missing__(self, k): return 0
c = Counter()
for ch in "mississippi": c[ch] += 1
print(c, sorted(c, key=lambda k: (-c[k], k)), c["none"], "none" in c, sum(c.values()))
