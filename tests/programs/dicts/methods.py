d = {"a": 1, "b": 2}
print(d.get("a"), d.get("z"), d.get("z", 0), d.setdefault("a", 9), d.setdefault("c", 3), d.setdefault("n"), d, d.pop("a"), d.pop("zz", "def"), d)
print(d.update({"x": 1}, y=2), d, d.update([("p", 1), "qr"]), d, d.popitem(), len(d), d.copy() is d, d.copy() == d, "x" in d, list(d), list(d.keys()), list(d.values()), list(d.items()))
print(dict.fromkeys("ab"), dict.fromkeys([1, 2], []), dict([(1, 2), [3, 4]]), dict(a=1), dict({"k": 0}, k=1, j=2), dict(zip("ab", (1, 2))), {**d, "x": 100, **{"new": 1}}, {1: "a", 1.0: "b", True: "c"})
print({"a": 1} | {"b": 2, "a": 3}, d == dict(reversed(d.items())), list(reversed(d)), list(reversed(d.values())), d.keys() & {"x", "q"}, sorted(d.keys() | {"z"}), sorted(d.keys() - {"x"}), d.items() >= {("x", 1)}, d.keys() == {"q", *d} - {"q"} or sorted(map(str, d)))
e = {}
e |= {"u": 1}; e |= [("v", 2)]
del e["u"]
print(e, bool(e), bool({}), d.clear(), d)
for f in (lambda: {}["k"], lambda: {}[(1, 2)], lambda: {}.pop("k"), lambda: {}.popitem(), lambda: {[]: 1}, lambda: {}[[]], lambda: dict(5), lambda: dict([1]), lambda: dict([(1, 2, 3)]), lambda: dict(["abc"]), lambda: {}.update(5), lambda: {} | 5, lambda: {} < {}, lambda: {}.get(), lambda: exec("del d[5]", {"d": {}}), lambda: dict.fromkeys(5), lambda: {}.nope, lambda: dict(1, 2), lambda: {}.get({}), lambda: {} + {}, lambda: {**5}, lambda: dict(**{1: 2}), lambda: {}.setdefault([], 1), lambda: {}.popitem(1), lambda: hash({})):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
