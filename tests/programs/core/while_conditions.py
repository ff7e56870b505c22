def f(n):
    out = []
    while n > 0 and n != 5:
        out.append(n); n -= 1
    while not (n >= 8 or n == 7): n += 1
    while (n := n - 1) > 3: out.append(n)
    while n:
        n -= 1
        if n == 1: break
    else: out.append("else")
    return out, n
print(f(9), f(3), f(0))
def g(s):
    while s: yield s; s = s[1:]
print(list(g("abc")), list(g([1, 2])), list(g(())))
x = 10.0
while x > 1: x /= 3
print(x)
items = [3, 1, 2]
while items: print(items.pop(), end=" ")
print()
it = iter([1, 2, 3, None, 4])
while (v := next(it)) is not None: print(v, end=" ")
print(list(it))
class Countdown:
    def __init__(s, n): s.n = n
    def __bool__(s): s.n -= 1; return s.n >= 0
c, k = Countdown(3), 0
while c: k += 1
print(k, c.n)
n = 0
while True:
    n += 1
    if n < 3: continue
    if n > 6: break
    while True:
        n += 2
        break
print(n)
a = b = 0
while a < 3 or b < 2:
    a += 1
    b += a % 2
print(a, b)
while None: pass
while "": pass
while 0.0: pass
while []: pass
print("done", [i for i in range(10) if not i % 2 and i != 4 or i == 7])
d = {1: 2, 2: 3, 3: 1}
k, seen = 1, set()
while k not in seen: seen.add(k); k = d[k]
print(seen, k)
