def fib(n, memo={}):
    if n < 2: return n
    if n not in memo: memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
def hanoi(n, a, b, c): return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)
def perms(s): return [s] if len(s) <= 1 else [c + p for i, c in enumerate(s) for p in perms(s[:i] + s[i + 1:])]
def flatten(x): return [y for z in x for y in flatten(z)] if isinstance(x, list) else [x]
def collatz(n, steps=0): return steps if n == 1 else collatz(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)
def power(b, e): return 1 if e == 0 else power(b * b, e // 2) * (b if e % 2 else 1)
def combos(items, k):
    if k == 0: yield []
    elif items:
        for c in combos(items[1:], k - 1): yield [items[0]] + c
        yield from combos(items[1:], k)
print(fib(80), ack(2, 3), even(50), odd(51), len(hanoi(6, "A", "B", "C")), hanoi(2, "A", "B", "C"))
print(perms("abc"), flatten([1, [2, [3, []], 4]]), collatz(27), power(3, 50), list(combos([1, 2, 3, 4], 2)))
Y = lambda f: (lambda x: x(x))(lambda x: f(lambda *a: x(x)(*a)))
print(Y(lambda self: lambda n: 1 if n < 2 else n * self(n - 1))(20))
def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n > 100
print(depth(0))
def sum_to(n): return 0 if n == 0 else n + sum_to(n - 1)
print(sum_to(500))
