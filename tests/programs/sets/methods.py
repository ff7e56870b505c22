s = {3, 1, 2}
print(sorted(s), len(s), s.add(4), s.add(1), s.discard(9), s.discard(1), sorted(s), s.remove(2), sorted(s), s == {3, 4}, s.copy() is s, bool(set()), set(), frozenset(), {1}, frozenset([1]))
a, b = set(range(6)), {4, 5, 6, 7}
for name in ("union", "intersection", "difference", "symmetric_difference"):
    print(name, sorted(getattr(a, name)(b)), sorted(getattr(a, name)([1, 9])), sorted(getattr(frozenset(a), name)(b)), type(getattr(frozenset(a), name)(b)).__name__)
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a.union() is a, sorted(a.union([9], (8,), {7})), a.isdisjoint({100}), a.issubset(range(10)), a.issuperset([1]))
print({1} < {1, 2}, {1} <= {1}, {1, 2} > {3}, {1, 2} >= set(), {1} == frozenset([1]), {1} != {2}, {1} == [1], {1, 2} < {2, 3}, type({1} | frozenset([2])), type(frozenset([2]) | {1}))
x = set(a)
x.update([10], {11}); x.intersection_update(range(2, 20)); x.difference_update([3]); x.symmetric_difference_update([4, 50])
print(sorted(x), x.clear(), x, set("hello") == set("olleh"), len(set("hello")), {*a, *b} == a | b)
print(hash(frozenset([1, 2])) == hash(frozenset([2, 1])), {frozenset({1}): "v"}[frozenset([1])], {1} in {frozenset({1})}, frozenset({1}) in [{1}])
y = {5}
print(y.pop(), y, {1, 1.0, True}, {0, False, 0.0}, sorted({"b", "a"}), {n % 3 for n in range(10)})
for f in (lambda: set().pop(), lambda: set().remove(1), lambda: {[]}, lambda: {1} | [2], lambda: {1} + {2}, lambda: hash(set()), lambda: set(5), lambda: {1} < [2], lambda: frozenset().add(1), lambda: {1}.union(5), lambda: set(1, 2), lambda: {1}[0], lambda: {1}.add(), lambda: {1}.update(None), lambda: {1} & "a", lambda: {{}}, lambda: set().remove([]), lambda: {1}.remove("k"), lambda: set(a=1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
