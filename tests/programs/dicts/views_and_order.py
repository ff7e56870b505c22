d = {}
for k in "zyx":
    d[k] = len(d)
keys, values, items = d.keys(), d.values(), d.items()
print(keys, values, items, len(keys), "z" in keys, 1 in values, ("z", 0) in items, ("z", 1) in items)
d["w"] = 9
del d["y"]
d["y"] = 7
d["z"] = "moved?"
print(keys, list(values), list(items))
print(keys - {"z"} == {"x", "w", "y"}, keys & "zq", sorted(keys ^ {"z", "n"}), keys.isdisjoint("ab"), keys.isdisjoint("z"), {"z", "x", "w", "y"} == keys, keys < {"z", "x", "w", "y", "v"}, sorted(items & {("w", 9), 5}), keys.mapping["w"])
print([k for k in d], [(k, v) for k, v in d.items()], {v: k for k, v in d.items()}, max(d), min(d, key=lambda k: str(d[k])), sorted(d, key=d.get) if False else sorted(d), list(enumerate(d)))
it = iter(d)
print(next(it), next(it), list(it), next(it, None), list(iter(d.items()))[0], list(reversed(d.items()))[-1])
for f in (lambda: keys[0], lambda: keys + keys, lambda: values == d.values(), lambda: hash(values) == hash(values), lambda: keys | 5, lambda: {1}.union(keys) and None, lambda: keys < 5, lambda: items & [([], 1)], lambda: d.keys().mapping.__setitem__("q", 1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
nested = {"b": {"c": [1, {"d": 2}]}, "a": ()}
print(nested["b"]["c"][1]["d"], nested)
nested["b"]["c"][1]["e"] = nested["a"]
print(nested)
def depth(x): return 1 + max(map(depth, x.values()), default=0) if isinstance(x, dict) else 0
print(depth(nested))
