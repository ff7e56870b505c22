nan = float("nan")
vals = [0, 0.0, -0.0, 1, 1.0, True, 2**53, 2.0**53, 2**53 + 1, 1e300, 10**300, float("inf"), nan, -1.5]
for a in vals:
    print(repr(a), [(a == b, a < b, a <= b, a != b, a > b, a >= b) for b in vals])
print(nan is nan, nan in [nan], [nan] == [nan], nan == nan, (nan,) == (float("nan"),))
print(10**400 > 1e308, 10**400 > float("inf"), -10**400 < float("-inf"))
