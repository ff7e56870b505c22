def to_roman(n):
    if not 0 < n < 4000: raise ValueError(f"out of range: {n}")
    out = ""
    for v, s in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        q, n = divmod(n, v)
        out += s * q
    return out
def from_roman(s):
    v = dict(zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000)))
    total = 0
    for a, b in zip(s, s[1:] + "I"):
        total += -v[a] if v[a] < v[b] else v[a]
    if to_roman(total) != s: raise ValueError(f"not canonical: {s}")
    return total
print([to_roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 3999)], all(from_roman(to_roman(n)) == n for n in range(1, 4000, 7)))
for bad in ("IIII", "VX", "ABC"):
    try: print(from_roman(bad))
    except (ValueError, KeyError) as e: print(type(e).__name__, e)
for n in (0, 4000):
    try: to_roman(n)
    except ValueError as e: print(e)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
def to_base(n, b):
    if n < 0: return "-" + to_base(-n, b)
    out = ""
    while True:
        n, r = divmod(n, b)
        out = DIGITS[r] + out
        if not n: return out
print([to_base(n, b) for n, b in ((255, 2), (255, 16), (10**20, 36), (-7, 3), (0, 7))], all(int(to_base(n, b), b) == n for n in (1, 99, 12345) for b in range(2, 37)))
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
def words(n):
    if n < 20: return ONES[n]
    if n < 100: return TENS[n // 10] + ("-" + ONES[n % 10] if n % 10 else "")
    if n < 1000: return ONES[n // 100] + " hundred" + (" and " + words(n % 100) if n % 100 else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if n >= size: return words(n // size) + " " + name + (" " + words(n % size) if n % size else "")
for n in (0, 13, 85, 100, 342, 1001, 12345678, 10**9 + 1): print(n, words(n))
def luhn(s): return sum(d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(map(int, reversed(s)))) % 10 == 0
print([luhn(s) for s in ("4539578763621486", "8273123273520569", "0")])
def temp(c): return f"{c:>6.1f}C {c * 9 / 5 + 32:>6.1f}F {c + 273.15:>7.2f}K"
print(*map(temp, (-40, 0, 36.6, 100)), sep="\n")
