# Operators with an int constant on one side, at the borders of 64 bits and with every kind of number on the other.
from decimal import Decimal
from fractions import Fraction


class Other:
    def __radd__(self, x): return "radd", x
    def __rsub__(self, x): return "rsub", x
    def __rmul__(self, x): return "rmul", x
    def __add__(self, x): return "add", x
    def __sub__(self, x): return "sub", x
    def __mul__(self, x): return "mul", x


def left(x):
    return 1 + x, 2 - x, 3 * x, 100000 + x, 100000 - x, 100000 * x, 9007199254740993 + x


def right(x):
    return x + 100000, x - 100000, x * 100000, x + 9007199254740993, x - 9007199254740993


big = 2**63
for x in (0, 1, -1, 7, big - 1, big - 2, -big, -big + 1, -big + 2, big // 3, big // 3 + 1, big // 100000, big // 100000 + 1, big, 10**30,
          0.5, -0.0, 1e308, float("inf"), float("nan"), True, False, 2j, Decimal("1.5"), Fraction(1, 3), Other()):
    print(left(x))
    print(right(x))
for x in ("ab", [1], (1, 2), None, {}):
    for function in (lambda x: 1 + x, lambda x: 3 * x, lambda x: 2 - x, lambda x: x - 100000, lambda x: 9007199254740993 + x):
        try:
            print(function(x))
        except TypeError as error:
            print(error)


def loop(n):
    total = 0
    for i in range(n):
        total = 1 + total + 2 * i - (3 - i) + 70000 * i
    return total


print(loop(1000))
