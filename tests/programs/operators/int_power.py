for base in (0, 1, -1, 2, -3, 10):
    for e in (0, 1, 2, 5, 63, 64):
        print(base, e, base ** e)
print(2 ** -1, (-2) ** -3, 2 ** 0.5, 10 ** -2)
for b, e in [(0, -1), (0, -5), (0.0, -1)]:
    try:
        print(b ** e)
    except ZeroDivisionError as err:
        print(type(err).__name__, err)
print((-8) ** 0.5 == (-8 + 0j) ** 0.5, type((-8) ** 0.5))
print(pow(3, 200, 13), pow(-3, 5, 7), pow(3, -1, 11), pow(10**20, 10**18, 997), pow(5, 3, -7), pow(2, 0, 1))
for args in [(2, -1, 4), (2, 3, 0), (2.0, 3, 5), (2, 3.0, 5), ("a", 2), (2, -1, 0)]:
    try:
        print(pow(*args))
    except (ValueError, TypeError) as err:
        print(args, type(err).__name__, err)
print(-2 ** 2, 2 ** 3 ** 2, (-2) ** 2, 2 ** -2 ** 2)
