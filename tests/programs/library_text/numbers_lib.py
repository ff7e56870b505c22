import math, cmath, statistics as st, random, colorsys
from fractions import Fraction as F
print([f(0.5) for f in (math.sin, math.cos, math.tan, math.exp, math.sqrt, math.erf, math.gamma, math.lgamma, math.log1p)])
print(math.gcd(12, 18, 27), math.lcm(4, 6), math.comb(10, 3), math.perm(5), math.factorial(20), math.isqrt(99), math.prod([1, 2, 3], start=2), math.dist((0, 0), (3, 4)), math.hypot(1, 2, 2), math.fsum([.1] * 10), math.frexp(8.0), math.modf(2.5), math.nextafter(1, 2), math.ulp(1.0), math.copysign(1, -0.0), math.isclose(1, 1 + 1e-10), math.log(8, 2), math.log2(8), math.remainder(5, 3), math.cbrt(27), math.trunc(-2.7), math.inf, math.nan)
for f in [lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.factorial(1.5), lambda: math.exp(1000), lambda: math.floor("a"), lambda: math.comb(-1, 2), lambda: cmath.log(0)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class C:
    def __floor__(self): return "floor!"
    def __ceil__(self): return "ceil!"
    def __trunc__(self): return "trunc!"
    def __float__(self): return 4.0
    def __index__(self): return 6
print(math.floor(C()), math.ceil(C()), math.trunc(C()), math.sqrt(C()), math.gcd(C(), 4))
print(cmath.sqrt(-1), cmath.exp(1j * cmath.pi), cmath.polar(1 + 1j), cmath.rect(2, 1), cmath.phase(-1), cmath.isclose(1, 1 + 1e-12j), cmath.infj, cmath.log(-1))
print(F(3, 4) + F(1, 4), F("0.125"), F(" 3/9 "), F(0.1).limit_denominator(10), F(7, 3) // 1, F(7, 3) % 1, divmod(F(7, 3), F(1, 2)), -F(1, 2), F(1, 2) ** 3, F(4, 9) ** 0.5, F(1, 2) ** -2, F(1, 2) == 0.5, F(1, 3) < 0.34, hash(F(1, 2)) == hash(0.5), F(1, 3).numerator, repr(F(2, 4)), str(F(3)), round(F(7, 2)), round(F(22, 7), 2), math.floor(F(-1, 2)), F(5).as_integer_ratio(), float(F(1, 3)), int(F(7, 2)), F(1, 2) + 1j, F(1, 3) * 3 == 1, sum([F(1, i) for i in range(1, 6)]), F.from_float(0.5), bool(F(0)), max(F(1, 2), F(2, 3)))
for f in [lambda: F(1, 0), lambda: F("x"), lambda: F(1.5, 2), lambda: F(1) / 0, lambda: F(float("nan"))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
data = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(data), st.median(data), st.mode(data), st.multimode("aabbc"), st.pstdev(data), st.stdev(data), st.variance(data), st.pvariance(data), st.quantiles(data, n=4), st.median_low(data), st.median_high(data), st.median_grouped(data), st.fmean(data), st.geometric_mean([1, 2, 4]), st.harmonic_mean([40, 60]), st.mean([F(1, 2), F(1, 3)]), st.correlation([1, 2, 3], [2, 4, 7]), st.covariance([1, 2, 3], [1, 5, 7]), st.linear_regression([1, 2, 3], [2, 4, 6]))
n = st.NormalDist(10, 2)
print(n, n.cdf(12), n.pdf(10), n.inv_cdf(0.975), n + 5, n * 2, n.overlap(st.NormalDist(11, 2)), n.quantiles(4), st.NormalDist.from_samples(data), n.zscore(14), n.samples(3, seed=5), n == st.NormalDist(10, 2))
for f in [lambda: st.mean([]), lambda: st.mode([]), lambda: st.stdev([1]), lambda: st.median([])]:
    try:
        print(f())
    except st.StatisticsError as e:
        print(type(e).__name__, e)
from decimal import Decimal
print(st.mean([Decimal("1.5"), Decimal("2.5")]), st.stdev([Decimal(1), Decimal(2)]), st.fmean([1, 2], weights=[3, 1]))
random.seed(42)
print(random.random(), random.randint(1, 100), random.choice("abcdef"), random.sample(range(100), 5), random.uniform(1, 2), random.gauss(0, 1), random.choices([1, 2, 3], weights=[1, 2, 3], k=5), random.randrange(0, 100, 7), random.getrandbits(64), random.betavariate(1, 2), random.expovariate(1.5), random.triangular(0, 1, .5), random.normalvariate(0, 1), random.lognormvariate(0, 1), random.vonmisesvariate(0, 4), random.gammavariate(2, 1), random.paretovariate(3), random.weibullvariate(1, 2), random.randbytes(4))
l = list(range(10)); random.shuffle(l); print(l)
r = random.Random("seed"); s = r.getstate(); a = r.random(); r.setstate(s); print(a == r.random(), r.random())
class Mine(random.Random):
    def random(self): return 0.25
print(Mine().choice([1, 2, 3, 4]), Mine().uniform(0, 4), Mine().sample([1, 2, 3], 2))
for f in [lambda: random.choice([]), lambda: random.sample([1], 2), lambda: random.randrange(5, 5), lambda: random.randint(5, 1), lambda: random.seed([]), lambda: random.sample({1}, 1)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
random.seed(1); print(st.NormalDist().samples(2)); random.seed(1); print(st.NormalDist().samples(2))
print(colorsys.rgb_to_hsv(.2, .4, .4), colorsys.hsv_to_rgb(.5, .5, .4), colorsys.rgb_to_hls(1, 0, 0), colorsys.rgb_to_yiq(1, 1, 1))
import secrets
print(len(secrets.token_hex(8)), len(secrets.token_bytes(4)), secrets.choice([7]), secrets.randbelow(1), secrets.compare_digest("a", "a"), len(secrets.token_urlsafe(6)))
