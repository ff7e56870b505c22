m = 2**63 - 1
print(m + 1, m - -1, m * 2, -m - 2, -(-m - 1), abs(-m - 1))
print((-m - 1) // -1, divmod(-m - 1, -1), (-m - 1) % -1)
print(3037000500 * 3037000500, 3037000499 * 3037000499, -3037000500 * 3037000500)
x = 1
for i in range(70):
    x *= 2
    if i in (30, 61, 62, 63, 64, 69):
        print(i, x, x - 1, -x, -x - 1)
y = 2**62
y += y
print(y)
y -= 2**63
print(y, type(y))
n = -2**63
n -= 1
print(n, n + 1 == -2**63)
total = 0
for k in range(100):
    total += 2**57 + k
print(total)
f = 1
for k in range(1, 30):
    f *= k
print(f, f >> 40, f & 0xFFFF)
