data = [("b", 2), ("a", 2), ("c", 1), ("a", 1), ("b", 1)]
print(sorted(data), sorted(data, key=lambda t: t[1]), sorted(data, key=lambda t: (-t[1], t[0])), sorted(data, key=lambda t: t[0], reverse=True))
print(sorted([3, 1.5, True, -2, 2**65]), sorted("bAc", key=str.lower), sorted({"b": 1, "a": 2}), sorted([[2], [1, 5], []]), sorted([(1, "b"), (1, "a")]))
calls = []
def key(x):
    calls.append(x)
    return -x
print(sorted([2, 3, 1], key=key), calls)
print(sorted(range(10), key=lambda n: (n % 3, -n)), sorted([float("inf"), -1, float("-inf")]), sorted("hello world".split(), key=len, reverse=True))
for f in (lambda: sorted([1, "a"]), lambda: sorted(5), lambda: sorted([1], len), lambda: sorted([1, None]), lambda: sorted([1j, 2j]), lambda: sorted([2, 1], key=lambda: 0), lambda: sorted([{}, {}]), lambda: sorted([1], reverse="x"), lambda: sorted(), lambda: sorted([1], foo=1), lambda: sorted([2, 1], key=lambda x: 1 / 0)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Rev:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v > o.v
    def __repr__(self): return f"R{self.v}"
rs = [Rev(i) for i in (2, 5, 1)]
rs.sort()
print(rs, sorted(rs, reverse=True), max(rs) if hasattr(Rev, "__gt__") else None, min(rs))
