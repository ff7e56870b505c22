pairs = [(1, 2), (7, 3), (-7, 3), (10**30, 10**29), (2**53 + 1, 1), (2**64, 3), (1, 10**400), (-1, 3), (0, 5), (2**1000, 2**999)]
for a, b in pairs:
    print(a / b)
for a, b in [(1, 0), (0, 0), (10**400, 1), (10**400, 3.5)]:
    try:
        print(a / b)
    except (ZeroDivisionError, OverflowError) as e:
        print(type(e).__name__, e)
