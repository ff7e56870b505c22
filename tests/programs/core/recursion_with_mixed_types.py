def walk(x):
    if x is None: return "null"
    if x is True: return "T"
    if isinstance(x, (int, float)): return x * 2
    if isinstance(x, str): return x[::-1]
    if isinstance(x, dict): return {walk(k): walk(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)): return type(x)(walk(i) for i in x)
    return f"<{type(x).__name__}>"
print(walk({"ab": [1, 2.5, None, True, ("x", {"k": (1,)})], 3: set(), "big": 2**62, "neg": -2**63}))
def deep_sum(x): return sum(map(deep_sum, x)) if isinstance(x, (list, tuple)) else x if isinstance(x, (int, float)) else 0
print(deep_sum([1, [2.5, (3, ["s", [4]])], 2**63]))
def tak(x, y, z): return z if y >= x else tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
print(tak(7, 4, 2), tak(7.0, 4, 2))
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(16), fib(5.0), fib(True))
def count(n, acc=0.5): return acc if n == 0 else count(n - 1, acc + n)
print(count(100), count(50, 0), count(3, "") if False else count(3, 1j))
def ways(n, steps=(1, 2, 3)): return 1 if n == 0 else sum(ways(n - s) for s in steps if s <= n)
print([ways(n) for n in range(10)])
def gray(n): return [""] if n == 0 else ["0" + c for c in gray(n - 1)] + ["1" + c for c in reversed(gray(n - 1))]
print(gray(3))
def quick_pow(b, e, m=None): return 1 if e == 0 else (lambda h: h * h * (b if e & 1 else 1) if m is None else h * h * (b if e & 1 else 1) % m)(quick_pow(b, e >> 1, m))
print(quick_pow(3, 45), quick_pow(1.5, 10), quick_pow(7, 10**18, 10**9 + 7))
def trampoline(f, *a):
    r = f(*a)
    while callable(r): r = r()
    return r
def even(n): return True if n == 0 else lambda: odd(n - 1)
def odd(n): return False if n == 0 else lambda: even(n - 1)
print(trampoline(even, 5001), trampoline(odd, 3001))
def show(t, d=0): return [("-" * d, t[0])] + [l for k in t[1:] for l in show(k, d + 1)]
print(show(("r", ("a", ("b",)), ("c",))))
