def acc(items):
    total = 0
    for x in items:
        total = total + x
    return total
print(acc([1, 2, 3]), acc([1, 2.5]), acc([True, 1j]), acc([2**62, 2**62, 2**62]), acc([0.1, 2**70]))
class N:
    def __init__(s, v): s.v = v
    def __add__(s, o): return N(s.v + (o.v if isinstance(o, N) else o))
    def __radd__(s, o): return N(o + s.v)
    def __repr__(s): return f"N({s.v})"
print(acc([1, N(2), 3, 4.5]))
try: acc([1, "a"])
except TypeError as e: print(e)
x = 1
log = []
for v in (1, 2.0, "s", [1], None, True, (1,), 2**65):
    x = v
    log.append((type(x).__name__, x))
    x = x if x else 0
print(log)
def poly(a, b): return a + b, a * 2, a == b, a < b if not isinstance(a, (dict, complex)) else None
for a, b in ((1, 2), (1.5, 2), ("a", "b"), ([1], [2]), (True, False), ((1,), ()), (2**64, 1), (1, 2.5), (1, 2)): print(poly(a, b))
def flip(n):
    v = 0
    for i in range(n):
        if i % 3 == 0: v = v + 1 if isinstance(v, int) else 0
        elif i % 3 == 1: v = float(v)
        else: v = str(v); v = int(float(v))
    return v
print(flip(10), flip(11), flip(12))
def cmp(a, b):
    r = []
    if a < b: r.append("<")
    if a <= b: r.append("<=")
    if a == b: r.append("==")
    if a != b: r.append("!=")
    if a > b: r.append(">")
    if a >= b: r.append(">=")
    return "".join(r)
print([cmp(a, b) for a, b in ((1, 2), (2, 1), (1, 1.0), (1.5, 1), (float("nan"), 1), (True, 1), ("a", "b"), (2**70, 1.0), ([1], [1, 2]), ({1}, {1, 2}), (float("nan"), float("nan")))])
