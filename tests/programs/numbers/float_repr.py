for x in [0.1, 0.2 + 0.1, 1.0, -0.0, 100.0, 1e15, 1e16, 123456789012345680.0, 1e17, 1.5e300, 5e-324, 1e-5, 0.0001, 0.00001234, 1/3, 2/3, 1e22, 1e23, 9007199254740993.0, 4.35, 2.675, 1e100, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")]:
    print(repr(x), str(x), x, [x], f"{x}", f"{x!r:>25}", hash(x) == hash(x))
print(1e309, -1e309, 1e-400, 3., .5, 5e0, 1E5, 1_0e1_0)
print(float("1e3"), float(" -2.5 "), float("inf"), float("-Infinity"), float("nan"), float("1_0.5"), float(10**20), float(True), float(), float(b"2.5"))
for bad in ["", "x", "1,5", "1.5.2", None, [], 1j, "0x10", "1__0"]:
    try:
        print(float(bad))
    except Exception as e:
        print(repr(bad), type(e).__name__, e)
try:
    float(10**400)
except OverflowError as e:
    print(e)
