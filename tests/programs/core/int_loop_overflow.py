def run(step, n):
    x = 2**62
    for _ in range(n):
        x += step
    return x
print(run(1, 5), run(2**60, 10), run(-2**61, 12))
def mul(n):
    x = 1
    while n:
        x = x * 3 + 1
        n -= 1
    return x
print([mul(n) for n in (10, 39, 40, 41, 80)])
i = 2**63 - 3
seen = []
while i < 2**63 + 3:
    seen.append(i - 2**63)
    i += 1
print(seen, type(i))
while i > 2**63 - 3: i -= 1
print(i, i == 2**63 - 3)
a, b = 0, 1
for _ in range(100): a, b = b, a + b
print(a, a % 1000, a // 10**15, -a)
s = 0
for k in range(-2**63, -2**63 + 3): s += k
print(s)
print(sum(2**61 for _ in range(10)), (2**63 - 1) + True, -(2**63) - True, (-2**63) * -1, abs(-2**63), -(-2**63), ~(2**63 - 1), (2**63 - 1) ^ -1, (-2**63) >> 63, 1 << 62 << 1, -1 << 63, -1 << 64)
