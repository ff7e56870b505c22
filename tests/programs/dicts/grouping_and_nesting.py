people = [("ann", "dev", 30), ("bob", "ops", 25), ("cy", "dev", 41), ("di", "qa", 25), ("ed", "ops", 38)]
by_role = {}
for name, role, age in people: by_role.setdefault(role, {})[name] = age
print(by_role, {r: max(d, key=d.get) for r, d in by_role.items()}, {r: sum(d.values()) / len(d) for r, d in by_role.items()})
inv = {}
for r, d in by_role.items():
    for n, a in d.items(): inv.setdefault(a, []).append((n, r))
print(inv, sorted(inv.items(), reverse=True)[0], [k for k, v in inv.items() if len(v) > 1])
def merge(a, b):
    out = dict(a)
    for k, v in b.items(): out[k] = merge(out[k], v) if k in out and isinstance(out[k], dict) and isinstance(v, dict) else v
    return out
print(merge({"a": 1, "n": {"x": 1, "y": {"z": 2}}}, {"b": 2, "n": {"y": {"w": 3}, "x": 9}}))
def flatten(d, prefix=""): return {k2: v2 for k, v in d.items() for k2, v2 in (flatten(v, prefix + k + ".") if isinstance(v, dict) and v else {prefix + k: v}).items()}
def unflatten(d):
    out = {}
    for path, v in d.items():
        *head, last = path.split(".")
        cur = out
        for p in head: cur = cur.setdefault(p, {})
        cur[last] = v
    return out
nested = {"a": {"b": {"c": 1, "d": []}, "e": {}}, "f": None}
print(flatten(nested), unflatten(flatten(nested)) == nested)
def diff(a, b): return {"added": sorted(b.keys() - a.keys()), "removed": sorted(a.keys() - b.keys()), "changed": {k: (a[k], b[k]) for k in sorted(a.keys() & b.keys()) if a[k] != b[k]}}
print(diff({"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 4, "d": 5}))
def dig(d, *path, default=None):
    for p in path:
        try: d = d[p]
        except (KeyError, IndexError, TypeError): return default
    return d
print(dig(nested, "a", "b", "c"), dig(nested, "a", "x", default="?"), dig([1, [2, {"k": 3}]], 1, 1, "k"), dig(nested, "f", 0))
c = {}
for ch in "hello world": c[ch] = c.get(ch, 0) + 1
print(sorted(c, key=lambda k: (-c[k], k))[:3], {v: sorted(k for k in c if c[k] == v) for v in set(c.values())}, sum(c.values()), dict(sorted(c.items(), key=lambda kv: kv[1])[-2:]))
matrix = {(i, j): i * j for i in range(3) for j in range(3)}
print(matrix[2, 2], sum(v for (i, j), v in matrix.items() if i == j), {i: [matrix[i, j] for j in range(3)] for i in range(3)}, max(matrix, key=matrix.get))
d = dict.fromkeys("abc", 0); d |= {"b": 5}; d["z"] = d.pop("a"); first = next(iter(d)); last = next(reversed(d)); print(d, first, last, d.popitem(), list(d.items()), {**d, first: "x"}, d | {"q": 1} | {"b": "over"})
