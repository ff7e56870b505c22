def fact(n):
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
def isqrt(n):
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
print(fact(25), fact(60))
print(fib(90), fib(93), fib(200))
print(isqrt(2 * 10**40), isqrt(10**60 + 1))
print(gcd(fact(20), fib(90)), gcd(2**200 - 1, 2**120 - 1))
print(sum(int(d) for d in str(2**300)), len(str(3**500)))
digits = 10**50
pi = 0
def arctan_inv(x, unity):
    total = term = unity // x
    n = 3
    sign = -1
    while term:
        term //= x * x
        total += sign * (term // n)
        sign = -sign
        n += 2
    return total
print(4 * (4 * arctan_inv(5, digits * 10**5) - arctan_inv(239, digits * 10**5)) // 10**5)
print(hex(fact(22)), bin(fib(70)), oct(2**65), f"{fact(22):,}", str(-fact(21)), -fact(21) // 10**9, -fact(21) % 10**9)
print(pow(2, 10**6, 10**9 + 7), 7**77 % 10**20, (10**40 // 7).bit_length(), 10**40 ^ 10**39, ~(10**30), (10**30) >> 50, -(10**30) >> 50)
