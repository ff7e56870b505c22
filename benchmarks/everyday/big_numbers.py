"""Big integers, fractions and Decimal: digits of pi and e, Miller-Rabin, Fibonacci, interest."""
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def pi_digits(count):
    q, r, t, k, n, m = 1, 0, 1, 1, 3, 3
    digits = []
    while len(digits) < count:
        if 4 * q + r - t < n * t:
            digits.append(n)
            q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) // t - 10 * n
        else:
            q, r, t, k, n, m = q * k, (2 * q + r) * m, t * m, k + 1, (q * (7 * k + 2) + r * m) // (t * m), m + 2
    return "".join(map(str, digits))


def is_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23):
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def interest(principal, rate, months):
    balance = Decimal(principal)
    monthly = Decimal(rate) / 1200
    rows = []
    for _ in range(months):
        gain = (balance * monthly).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        balance += gain
        rows.append(str(gain))
    return balance, rows[-1]


def main():
    pi = pi_digits(250)
    primes = [n for n in range(10**12, 10**12 + 600) if is_prime(n)]
    fib = fibonacci(3000)
    harmonic = sum((Fraction(1, n) for n in range(1, 120)), Fraction(0))
    balance, last = interest("10000.00", "4.35", 480)
    digits = sum(int(c) for c in str(2**2000))
    return pi[-20:], len(primes), fib % 10**20, str(harmonic)[:30], str(balance), last, digits
