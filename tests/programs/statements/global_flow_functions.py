def classify(n):
    if n < 0: return "negative"
    elif n == 0: return "zero"
    elif n < 10:
        if n % 2: return "small odd"
        return "small even"
    elif n in (10, 20, 30): return "round"
    else:
        if n > 1000 and not n % 1000: return "thousands"
    return None
print([classify(n) for n in (-5, 0, 3, 4, 20, 2000, 55)])
def early(xs):
    for x in xs:
        if x is None: return "found none"
        if isinstance(x, list):
            r = early(x)
            if r: return "nested " + r
    return ""
print(early([1, [2, [None]]]), early([1, 2]) or "nothing", early([]))
def implicit(): pass
def bare(): return
def tup(): return 1, *[2, 3]
print(implicit(), bare(), tup(), (lambda: None)())
def multi(flag):
    if flag: x = 1
    else: y = 2
    try: return x
    except UnboundLocalError: return y
print(multi(True), multi(False))
def fizz(n): return ["FizzBuzz" if i % 15 == 0 else "Fizz" if i % 3 == 0 else "Buzz" if i % 5 == 0 else i for i in range(1, n + 1)]
print(fizz(15))
def main(argv=()):
    if __name__ == "__main__": print("main called", argv)
    return 0
if __name__ == "__main__": main(("a",))
x = 5
if x > 3 and (y := x * 2) > 8 or 1 / 0: print("short", y)
if not (x < 3 or x > 10): print("between")
if x: 
    pass
elif 1 / 0: pass
else: print("never")
print("a" if x > 10 else "b" if x > 4 else "c", [("odd", "even")[i % 2 == 0] for i in range(3)], (x > 3) + (x > 4) + (x > 5), {True: "yes", False: "no"}[x == 5])
def switch(k, *a): return {"add": lambda a, b: a + b, "neg": lambda a: -a}.get(k, lambda *a: f"unknown {k}")(*a)
print(switch("add", 1, 2), switch("neg", 5), switch("zz", 1))
def gcd(a, b):
    while b: a, b = b, a % b
    return a
def primes(n):
    out = []
    for c in range(2, n):
        for p in out:
            if p * p > c: out.append(c); break
            if c % p == 0: break
        else: out.append(c)
    return out
print(gcd(1071, 462), primes(50), all(gcd(a, b) == gcd(b, a) for a in range(1, 20) for b in range(1, 20)))
def bin_search(xs, t):
    lo, hi = 0, len(xs) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if xs[mid] == t: return mid
        if xs[mid] < t: lo = mid + 1
        else: hi = mid - 1
    return ~lo
print([bin_search(primes(50), t) for t in (2, 23, 47, 24, 1, 99)])
