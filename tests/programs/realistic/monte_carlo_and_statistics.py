class LCG:
    def __init__(self, seed): self.state = seed & 0xFFFFFFFF
    def __iter__(self): return self
    def __next__(self):
        self.state = (1664525 * self.state + 1013904223) & 0xFFFFFFFF
        return self.state / 2**32
    def randint(self, a, b): return a + int(next(self) * (b - a + 1))
    def shuffle(self, xs):
        for i in range(len(xs) - 1, 0, -1):
            j = self.randint(0, i)
            xs[i], xs[j] = xs[j], xs[i]
        return xs
    def choice(self, xs): return xs[self.randint(0, len(xs) - 1)]
rng = LCG(2024)
inside = sum(next(rng) ** 2 + next(rng) ** 2 <= 1 for _ in range(5000))
print(inside, 4 * inside / 5000, rng.shuffle(list(range(10))), [rng.randint(1, 6) for _ in range(12)], rng.choice("abcdef"))
def mean(xs): return sum(xs) / len(xs)
def median(xs):
    s = sorted(xs)
    m = len(s) // 2
    return s[m] if len(s) % 2 else (s[m - 1] + s[m]) / 2
def mode(xs):
    c = {}
    for x in xs: c[x] = c.get(x, 0) + 1
    top = max(c.values())
    return sorted(k for k, v in c.items() if v == top)
def variance(xs): m = mean(xs); return sum((x - m) ** 2 for x in xs) / (len(xs) - 1)
def corr(xs, ys):
    mx, my = mean(xs), mean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / (sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys)) ** 0.5
def linreg(xs, ys):
    mx, my = mean(xs), mean(ys)
    b = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
    return my - b * mx, b
rolls = [rng.randint(1, 6) + rng.randint(1, 6) for _ in range(400)]
print(mean(rolls), median(rolls), mode(rolls), round(variance(rolls), 4), variance(rolls) ** 0.5)
for v in range(2, 13): print(f"{v:>2} {rolls.count(v):>3} {'#' * (rolls.count(v) // 4)}")
xs = list(range(20)); ys = [2.5 * x + 1 + next(rng) for x in xs]
a, b = linreg(xs, ys)
print(f"{a:.6f} {b:.6f} {corr(xs, ys):.8f}")
def quantiles(xs, n=4):
    s = sorted(xs)
    for k in range(1, n):
        pos = k * (len(s) + 1) / n - 1
        i = int(pos)
        yield s[i] + (s[min(i + 1, len(s) - 1)] - s[i]) * (pos - i)
print(list(quantiles(rolls)), list(quantiles([1, 2, 3, 4, 5, 6, 7])))
walk, path = 0, []
for _ in range(50): walk += 1 if next(rng) > 0.5 else -1; path.append(walk)
print(path[-1], min(path), max(path), path[:12])
def ema(xs, k=0.5):
    it = iter(xs)
    cur = next(it)
    yield cur
    for x in it: cur = k * x + (1 - k) * cur; yield cur
print([round(v, 3) for v in ema([1, 2, 4, 8])])
try: mean([])
except ZeroDivisionError as e: print(e)
