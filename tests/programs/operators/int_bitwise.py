vals = [0, 1, -1, 5, -6, 255, 2**32, -2**40, 2**70 + 3, -2**70 - 9]
for a in vals:
    for b in vals:
        print(a, b, a & b, a | b, a ^ b, ~a)
for a in vals:
    print([a << s for s in (0, 1, 31, 62, 63, 64, 100)])
    print([a >> s for s in (0, 1, 31, 62, 63, 64, 100, 10**10)])
for s in (-1, -100):
    for op in ("<<", ">>"):
        try:
            print(1 << s if op == "<<" else 1 >> s)
        except ValueError as e:
            print(type(e).__name__, e)
