inf, nan = float("inf"), float("nan")
vals = [0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, inf, -inf, nan, 3]
for a in vals:
    for b in vals:
        out = [a + b, a - b, a * b]
        for name in ("/", "//", "%", "**"):
            try:
                out.append(a / b if name == "/" else a // b if name == "//" else a % b if name == "%" else a ** b)
            except (ZeroDivisionError, OverflowError) as e:
                out.append(type(e).__name__ + ":" + str(e))
        print(a, b, out)
