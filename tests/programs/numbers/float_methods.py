for x in (0.5, -1.75, 3.0, 1e300, 0.1, -0.0):
    print(x, x.is_integer(), x.as_integer_ratio(), x.hex(), x.real, x.imag, x.conjugate(), float.fromhex(x.hex()) == x)
for x in (2.5, 3.5, -2.5, 0.5, 1.5, -0.5, 2.675, 1e20, 12345.6789, -0.4):
    print(x, round(x), [round(x, n) for n in (0, 1, 2, 3, -1, -2, -5)], int(x), x.__trunc__(), x.__floor__(), x.__ceil__())
print(round(15, -1), round(25, -1), round(-15, -1), round(12345, -2), round(5, 2), round(10**20 + 5, -1), round(True))
for f in (lambda: round(float("nan")), lambda: round(float("inf")), lambda: round("x"), lambda: round(1.5, "a"), lambda: float("inf").as_integer_ratio(),
          lambda: float("nan").as_integer_ratio(), lambda: float.fromhex("zz"), lambda: int(float("inf")), lambda: (1.5).foo, lambda: round()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(round(1e16, 2), round(float("inf"), 2), round(5e-324, 400), round(1.5, None), (2.5).__round__(), (1.5).__add__(1), (1.5).__floordiv__(1), (1.5).__eq__(1), (1.5).__lt__("a"))
print(abs(-2.5), abs(-0.0), divmod(7.5, 2), pow(2.0, 3), pow(2, 0.5), sum([0.1] * 3), max(1, 1.0), min(1.0, 1), (10.0).__int__(), float.__name__)
