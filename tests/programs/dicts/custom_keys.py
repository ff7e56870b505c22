class K:
    def __init__(self, n, h=None): self.n, self.h = n, n if h is None else h
    def __hash__(self): print("hash", self.n, end=" "); return self.h
    def __eq__(self, o): print("eq", self.n, getattr(o, "n", o), end=" "); return isinstance(o, K) and self.n == o.n
    def __repr__(self): return f"K{self.n}"
d = {}
a, b, c = K(1, 5), K(2, 5), K(1, 5)
d[a] = "a"; d[b] = "b"; d[c] = "c"
print(d, len(d), a in d, K(3, 5) in d, d.get(K(2, 5)), d.pop(b), d)
print(next(iter(d)) is a)
class Bad:
    def __hash__(self): raise ValueError("no hash")
class BadEq:
    def __hash__(self): return 1
    def __eq__(self, o): raise KeyError("eq failed")
for f in (lambda: {Bad(): 1}, lambda: {1: 2}[Bad()], lambda: {BadEq(): 1, 1: 2}, lambda: 1 in {BadEq(): 1}, lambda: {1, BadEq()}, lambda: [BadEq()].index(1), lambda: 1 in [BadEq()], lambda: [BadEq()] == [1]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
nan = float("nan")
d = {nan: 1, 1: "int", "1": "str", (1,): "tup", None: "none", frozenset([1]): "fs", 1.5: "f", b"1": "b", True: "bool"}
print(d, d[nan], float("nan") in d, d[frozenset({1})], d[1.0], len(d))
d[0] = "zero"; d[0.0] = "fzero"; d[-0.0] = "nzero"; d[False] = "false"
print({k: v for k, v in d.items() if k == 0})
