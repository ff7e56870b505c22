n = 20000
data = [(i * 7919) % 10007 for i in range(n)]
print(sum(data), max(data), min(data), len(set(data)), sorted(data)[n // 2])
counts = {}
for v in data: counts[v % 97] = counts.get(v % 97, 0) + 1
print(len(counts), max(counts.values()), min(counts.items(), key=lambda kv: (kv[1], kv[0])))
sieve = bytearray([1]) * 30000
sieve[0:2] = b"\0\0"
for i in range(2, 174):
    if sieve[i]: sieve[i * i::i] = bytes(len(range(i * i, 30000, i)))
print(sum(sieve), [i for i in range(29950, 30000) if sieve[i]])
flags = [True] * 5000
for i in range(2, 71):
    if flags[i]:
        for j in range(i * i, 5000, i): flags[j] = False
print(sum(flags) - 2)
s = 0.0
for i in range(1, 20001): s += (-1) ** i / i if i % 3 else 1e-9
print(repr(s))
words = ["".join(chr(97 + (i * k) % 26) for k in range(1, 5)) for i in range(500)]
groups = {}
for w in words: groups.setdefault("".join(sorted(w)), []).append(w)
print(len(groups), max(map(len, groups.values())), sorted(groups)[:3])
text = ",".join(words)
print(len(text), text.count("a"), hash(text) == hash(",".join(words)), text[1000:1020])
m = [[(i * j) % 10 for j in range(40)] for i in range(40)]
p = [[sum(a * b for a, b in zip(r, c)) for c in zip(*m)] for r in m]
print(sum(map(sum, p)), p[3][4], p[39][39])
def collatz_max(limit):
    best, arg, memo = 0, 0, {1: 1}
    for n in range(1, limit):
        k, steps = n, 0
        while k not in memo: k = k // 2 if k % 2 == 0 else 3 * k + 1; steps += 1
        memo[n] = steps + memo[k]
        if memo[n] > best: best, arg = memo[n], n
    return arg, best
print(collatz_max(3000))
q = list(range(2000))
while len(q) > 1: q = [a ^ b for a, b in zip(q[::2], q[1::2] + [1] * (len(q) % 2))]
print(q, sum(i * i for i in range(10000) if i % 3 == 1), sum(1 for a in range(1, 60) for b in range(a, 60) if int((a * a + b * b) ** .5) ** 2 == a * a + b * b))
