vals = [True, 3, 2.5, 1 + 2j]
for a in vals:
    for b in vals:
        print(repr(a), repr(b), a + b, a - b, a * b, type(a + b).__name__, type(a * b).__name__)
        try:
            print(a / b, type(a / b).__name__, a ** b)
            print(a // b, a % b)
        except TypeError as e:
            print(e)
print(True + True, True * 5, -True, ~False, True << 3, True & 3, True & False, True | False, True ^ True, type(True & 1))
print(sum([True, False, True]), [10, 20][True], "ab"[False], True == 1.0, hash(True) == hash(1.0) == hash(1 + 0j))
