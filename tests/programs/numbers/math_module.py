import math
print(math.pi, math.e, math.tau, math.inf, math.nan)
print(math.sqrt(2), math.floor(-2.5), math.ceil(2.1), math.trunc(-2.9), math.fabs(-3), math.factorial(20), math.gcd(12, 18), math.gcd(), math.lcm(4, 6))
print(math.isqrt(99), math.comb(10, 3), math.perm(5, 2), math.hypot(3, 4), math.dist((0, 0), (1, 1)), math.copysign(3, -0.0))
print(math.log(8, 2), math.log2(1024), math.log10(1000), math.log1p(0), math.exp(1), math.expm1(0), math.pow(2, 10))
print(math.sin(0), math.cos(0), math.tan(0), math.atan2(1, 1), math.degrees(math.pi), math.radians(180), math.asin(1), math.acos(1), math.sinh(0), math.tanh(0))
print(math.isnan(math.nan), math.isinf(-math.inf), math.isfinite(1), math.isclose(0.1 + 0.2, 0.3), math.fmod(-7, 3), math.modf(2.5), math.frexp(8.0), math.ldexp(0.5, 4))
print(math.prod([1, 2, 3, 4]), math.fsum([0.1] * 10), math.log(10**400), math.sqrt(10**40), math.floor(10**30 + 0.0))
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.factorial(1.5), lambda: math.sqrt("x"), lambda: math.exp(1000), lambda: math.gcd(1.5), lambda: math.nope, lambda: math.floor(math.inf), lambda: math.comb(-1, 2), lambda: math.isqrt(-1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Num:
    def __floor__(self): return "fl"
    def __ceil__(self): return "ce"
    def __trunc__(self): return "tr"
    def __float__(self): return 2.25
print(math.floor(Num()), math.ceil(Num()), math.trunc(Num()), math.sqrt(Num()))
