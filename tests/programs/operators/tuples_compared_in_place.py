# Tuples that are made only to be compared, item by item: the interpreter does not make them.
import sys

nan = float("nan")


class Same:
    def __eq__(self, other):
        return "eq"


class Less:
    def __init__(self, name):
        self.name = name
    def __lt__(self, other):
        print("lt", self.name, other.name)
        return ["less"]
    def __eq__(self, other):
        print("eq", self.name, getattr(other, "name", other))
        return False


def values(a, b, c, d):
    return (a, b) < (c, d), (a, b) <= (c, d), (a, b) == (c, d), (a, b) != (c, d), (a, b) > (c, d), (a, b) >= (c, d)


def jumps(a, b, c, d):
    found = []
    if (a, b) < (c, d): found.append("<")
    if (a, b) <= (c, d): found.append("<=")
    if (a, b) == (c, d): found.append("==")
    if (a, b) != (c, d): found.append("!=")
    if (a, b) > (c, d): found.append(">")
    if (a, b) >= (c, d): found.append(">=")
    if not (a, b) < (c, d): found.append("not <")
    if not (a, b) == (c, d): found.append("not ==")
    return " ".join(found)


items = [1, 2, 1.0, 2.5, True, False, None, "a", "b", "ä", "", 10**30, -10**30, 2**53 + 1, float(2**53), nan, (1,), [1]]
for x in items:
    for y in items:
        try:
            print(x, y, values(x, 1, y, 1), jumps(x, 1, y, 1), values(0, x, 0, y), values(x, x, y, y) == values(x, x, y, y))
        except TypeError as error:
            print(x, y, error)

print((nan,) == (nan,), (nan, 1) < (nan, 2), (float("nan"),) == (float("nan"),))
same = Same()
print((same,) == (1,), (same, 2) != (same, 2))
print((Less("a"),) < (Less("b"),), (1, Less("c")) < (1, Less("d")))
a = [1, 2]
print((a[0], a[1]) == (a[1], a[0]), (a, 1) == (a, 1), ([1], 1) == ([1], 1))
print((a := 5, a) == (5, 5), (a, 1) < ((a := 9), 1), a)
print((1, a) < (1,), (a,) == (), (*[1, 2],) == (1, 2), (a, a, a) == (a, a, 9))
print((1, 2) == (1, 2), (1, a) == (1, 9), (a, 1) > (2, 3))


class Version:
    def __init__(self, major, minor, label=None):
        self.major, self.minor, self.label = major, minor, label
    def __lt__(self, other):
        return (self.major, self.minor) < (other.major, other.minor)
    def __eq__(self, other):
        return (self.major, self.minor, self.label) == (other.major, other.minor, other.label)
    def __repr__(self):
        return f"{self.major}.{self.minor}"


versions = [Version(1, 2), Version(0, 9), Version(1, 0, "x"), Version(1, 2)]
print(sorted(versions), versions[0] == versions[3], versions[1] == versions[2])


# What a loop jumps back over, and objects that end with the comparison.
class Ends:
    def __init__(self, n):
        self.n = n
    def __del__(self):
        print("end", self.n)


n = 0
while (n, "x") < (5, "a"):
    n += 1
print(n)
end = Ends(0)
print((Ends(1), 1) == (end, 1))
print((Ends(2), 1) != (Ends(3), 1))


def counts():
    x = object()
    before = sys.getrefcount(x)
    for _ in range(50):
        (x, 1) == (x, 2)
        (x, "b") < (x, "a")
        if (x, 1.5) >= (x, 1.5):
            pass
    return sys.getrefcount(x) - before


print(counts())
