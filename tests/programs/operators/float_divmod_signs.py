for a in (7.5, -7.5, 0.1, 1e20, -0.0):
    for b in (2, -2, 0.3, -0.3, 1e-5):
        print(a, b, divmod(a, b), a // b, a % b)
for a, b in ((1.0, 0), (1, 0.0), (0.0, 0.0)):
    for op in (lambda: a / b, lambda: a // b, lambda: a % b, lambda: divmod(a, b)):
        try:
            op()
        except ZeroDivisionError as e:
            print(e)
