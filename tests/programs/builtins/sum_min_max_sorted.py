print(sum([1, 2, 3]), sum([1.5, 2]), sum([2**63, 1]), sum([2**62] * 4), sum([-2**63, -1]), sum([0.1] * 10), sum([1, 2.5, 3j]), sum([], start=5), sum([[1], [2]], []), sum(((1,), (2,)), ()), sum([True] * 3), sum(range(0)), sum({1: 2, 3: 4}), sum(x for x in [1e308, 1e308, -1e308]), sum([1e16, 1, -1e16]), sum([float("inf"), 1]), sum([1, float("nan")]) != 0)
class N:
    def __init__(self, v): self.v = v
    def __add__(self, o): return N(self.v + (o.v if isinstance(o, N) else o))
    __radd__ = __add__
    def __lt__(self, o): return self.v < o.v
    def __gt__(self, o): return self.v > o.v
    def __repr__(self): return f"N{self.v}"
print(sum([N(1), N(2)]), sum([N(5)], N(1)), sum([1, N(2), 3.5]), min(N(3), N(1)), max([N(3), N(9), N(9)]), sorted([N(2), N(1)]))
print(max(1, 2.0, True), max(1, 1.0), max(1.0, 1), min(0, False), max("a", "B", key=str.lower), max([3, 1, 2], key=lambda x: -x), min("bca"), max({"a": 3, "b": 9}), max([[1, 2], [1, 3]]), max((1, "x"), (1, "y")), max([float("nan"), 1]), max([1, float("nan")]), min([], default=0), max((), default=None, key=len), max(iter([4, 2])), max(*[1, 5]), min(3, 2, 1, key=None))
ties = [(1, "a"), (1, "b"), (0, "c")]
print(max(ties, key=lambda t: t[0]), min(ties, key=lambda t: t[0] > 5), sorted(ties, key=lambda t: t[0]), sorted(ties, reverse=True, key=lambda t: t[0]))
calls = []
print(max([3, 1, 2], key=lambda x: calls.append(x) or x), calls)
for f in (lambda: sum("ab"), lambda: sum(["a", "b"]), lambda: sum([1], "s"), lambda: sum([b""], b""), lambda: sum([[]]), lambda: max([]), lambda: max(), lambda: max(1), lambda: max(1, 2, default=0), lambda: max([1, "a"]), lambda: min(None, 1), lambda: max([1], key=5), lambda: max([1], foo=1), lambda: sum(), lambda: sum(1, 2, 3), lambda: sum([1, None]), lambda: min({}), lambda: sum([bytearray()], bytearray())):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(all([]), all([1, []]), any([0, "x"]), any(x > 2 for x in range(5)), all(map(callable, [len, int, print])))
seen = []
print(any(seen.append(x) or x > 1 for x in range(5)), seen, all(seen.append(x) or x < 7 for x in [6, 7, 8]), seen)
print(abs(-2**63), abs(2**63), abs(-0.0), abs(3 + 4j), abs(True), divmod(2**70, 3), divmod(-5, 3), divmod(5.5, -2), pow(0, 0), pow(2, 10, 1000), round(2**70, -5), round(-2.5), round(1e300), hash(2**61 - 1), hash(2**61), hash(-1), hash(0.5), hash(float("inf")), hash(1e300) == hash(int(1e300)))
