print([x * x for x in range(5)], {x % 3 for x in range(9)}, {x: x * x for x in range(4)}, list(x for x in "abc"), [x for x in range(10) if x % 2 if x > 3])
print([(a, b) for a in "xy" for b in range(2)], [y for x in [[1, 2], [3]] for y in x], [[j for j in range(i)] for i in range(4)], {k: v for k, v in zip("ab", [1, 2])})
print([a + b for a, b in [(1, 2), (3, 4)]], [h for h, *t in ["abc", "de"]], [x if x % 2 else -x for x in range(5)], [f(2) for f in (abs, str, float)], [i for i in range(3) for _ in range(i)])
print(sum(x for x in range(10) if x & 1), dict((c, ord(c)) for c in "ab"), max((len(w), w) for w in ["aa", "b"]), sorted({len(w) for w in ["a", "bb", "cc"]}), any(x > 3 for x in range(5)), " ".join(str(x) for x in range(3)))
print([x for x in [y * 2 for y in range(5)] if x > 4], [*(c for c in "pq")], {**{k: 0 for k in "z"}}, [[r[i] for r in [[1, 2], [3, 4]]] for i in range(2)], [n for n in range(2, 40) if all(n % d for d in range(2, int(n ** 0.5) + 1))])
print([x for x in ()], {x for x in ()}, {x: x for x in ()}, list(x for x in ()), [0 for x in range(3)], [() for _ in "ab"], [lambda: 1 for _ in range(2)][0]())
a = [5]
print([a for a[0] in range(3)], a)
class O: pass
o = O()
print([o.x for o.x in "hi"], o.x, [d for d, in [(1,), (2,)]], [x for x, in ["a"]])
print([(x, y, z) for x in range(1, 15) for y in range(x, 15) for z in range(y, 15) if x * x + y * y == z * z])
print({x: {y: x * y for y in range(2)} for x in range(2)}, {(i, j): i ^ j for i in range(2) for j in range(2)}, [i for i in range(5) if i not in {1, 2}], [w.upper() for w in "a b".split() if w])
