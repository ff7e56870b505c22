values = [0, 1, "", "x", [], [0], None, 0.0, -0.0, {}, {1}, 0j]
for a in values:
    for b in values[:6]:
        print(a and b, a or b, not a, (a and b) or "z", a if b else "no", end=";")
    print()
def f(n, r):
    print("f", n, end=" ")
    return r
print(f(1, 0) and f(2, 1), f(3, 1) or f(4, 1), f(5, 0) or f(6, 0) or f(7, "seven"))
print(not f(1, 0) and not f(2, 0) or f(3, 1))
a = f(1, []) or f(2, {}) or f(3, None)
print(a)
print(1 if 0 else 2 if 0 else 3, (lambda: 1 if f(9, 1) else 2)())
class B:
    def __init__(self, r): self.r = r
    def __bool__(self): return self.r
for r in (True, False, 1, None, "x"):
    try:
        print(bool(B(r)), not B(r), "t" if B(r) else "f")
    except TypeError as e:
        print(e)
class L:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
for n in (0, 3, -1, 2**70, "s"):
    try:
        print(bool(L(n)))
    except Exception as e:
        print(type(e).__name__, e)
