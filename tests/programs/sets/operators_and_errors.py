a, b = {1, 2, 3}, frozenset({3, 4})
for op in ("|", "&", "-", "^", "<", "<=", ">", ">=", "==", "!="):
    for x, y in ((a, b), (b, a), (a, a), (a, set()), (a, [1]), (a, "x"), (a, {1: 2}.keys()), (b, None)):
        try: r = eval(f"x {op} y"); print(op, sorted(x), type(y).__name__, sorted(r) if isinstance(r, (set, frozenset)) else r, type(r).__name__)
        except TypeError as e: print(op, e)
s = {1}
for op, v in (("|=", {2}), ("&=", {1, 2}), ("^=", {5}), ("-=", {1}), ("|=", [1]), ("&=", frozenset({5})), ("+=", {1})):
    try: exec(f"s {op} v"); print(op, sorted(s))
    except TypeError as e: print(op, e)
f = frozenset({1}); g = f; f |= {2}; print(sorted(f), sorted(g), type(f).__name__)
print(sorted({*a, *b}), len({1, 1.0, True}), {(1, 2), (1, 2)}, {None}, {frozenset()}, sorted({x % 3 for x in range(9)}), {1, 2} == {2, 1}, {1} is {1}, set("aab") == {"a", "b"}, sorted(set(range(5)).difference([1], (2,))), set().union(*[[1], [2]]) == {1, 2}, sorted({1, 2, 3}.intersection([2, 3], {3})), {1}.issubset([1, 2]), {1, 2}.issuperset(()), {1}.isdisjoint([2]))
for e in ("{1, [2]}", "{{1}}", "{1}.add([])", "{1}.remove(9)", "{1} + {2}", "{1} * 2", "set()[0]", "set().pop()", "frozenset().add(1)", "set(1)", "{1}.union(1)", "{1} < 1", "hash({1})", "set(1, 2)", "{1}.foo", "len({1}, 2)", "sorted({1, 'a'})", "{1} in {1}", "{1} in {frozenset([1])}", "max(set())", "{**{1}}", "{1}.update(5)", "next({1})"):
    try: print(e, "=", eval(e))
    except Exception as x: print(e, type(x).__name__, x)
