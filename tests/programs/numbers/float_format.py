vals = [0.0, -0.0, 1.0, 3.14159265, -2.5, 1234567.891, 1e-7, 1e20, 0.5, 99.995, float("inf"), float("nan"), -float("inf")]
for v in vals:
    print(v, [format(v, s) for s in ("", "f", ".2f", ".0f", "e", ".3e", "g", ".3g", "G", "E", "%", ".1%", "10.2f", "^+10.1f", "010.2f", "+", " .2f", ",", ",.2f", "_.3f", "#.0f", "#g", "n", "z.1f", "*>12", ".10", "F")])
for s in ("d", "x", "s", "c", ".2d", "b", "1.f.", "=^z"):
    try:
        print(format(1.5, s))
    except Exception as e:
        print(s, type(e).__name__, e)
print("%f %.2f %e %g %G %10.3f|%-10.1f|%+.1f %05.1f %.0f %#.0f" % (1.5, 2.345, 12345.678, 1e-5, 1e20, 3.14159, 2.25, 1.05, 2.5, 0.5, 3.0))
print("%.3g|%g|%g|%s|%r|%5.1f%%" % (1234.5, 100000, 1000000, 1e16, 0.1, 99.5))
for w in range(0, 12, 3):
    for p in range(0, 4):
        print(f"{2/3:{w}.{p}f}|{2/3:<{w}.{p}e}|", end="")
    print()
