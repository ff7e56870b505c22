# __getitem__ of guest classes: results, errors, defaults, generators, changes of the class, recursion; and arrays beside them.
from array import array
import sys


class Grid:
    def __init__(self, width, data):
        self.width, self.data = width, data

    def __getitem__(self, key):
        if isinstance(key, tuple):
            x, y = key
            return self.data[y * self.width + x]
        if isinstance(key, slice):
            return "slice", key.start, key.stop, key.step
        if key == "deep":
            return self[1, 0] + self["more"]
        if key == "more":
            return self.data[-1]
        if isinstance(key, int) and key < len(self.data):
            return self.data[key]
        raise KeyError(key)


grid = Grid(2, [1, 2, 3, 4])
print(grid[0, 0], grid[1, 1], grid[1:2], grid["deep"], grid[3], [item for item in Grid(1, [5, 6]).data])
for key in ("none", 9, 1.5):
    try:
        print(grid[key])
    except KeyError as error:
        print("KeyError", error, error.__traceback__.tb_next.tb_lineno)


class Lazy:
    def __getitem__(self, n):
        while n:
            yield n
            n -= 1


class Many:
    def __getitem__(self, key, more=3, *rest, **names):
        return key, more, rest, names

    def __class_getitem__(cls, key):
        return cls.__name__, key


class Wrong:
    def __getitem__(self):
        return 1


class Static:
    __getitem__ = staticmethod(lambda key: ("static", key))


class Listed(list):
    def __getitem__(self, i):
        return "item", super().__getitem__(i)


class Worded(dict):
    def __missing__(self, key):
        return "missing", key


class Deep:
    def __getitem__(self, n):
        return self[n - 1] + 1 if n else 0


print(list(Lazy()[3]), Many()[1], Many[int], Static()[2], Listed([7])[0], Worded(a=1)["a"], Worded()["b"])
try:
    Wrong()[1]
except TypeError as error:
    print(error)
print(Deep()[200])
try:
    Deep()[-1]
except RecursionError as error:
    print("RecursionError")
grid.__class__.__getitem__ = lambda self, key: ("changed", key)
print(grid[0], grid[0, 1])
del Grid.__getitem__
try:
    grid[0]
except TypeError as error:
    print(error)


class Sequence:
    def __getitem__(self, i):
        if i > 4:
            raise IndexError(i)
        return i * i


print(list(Sequence()), 9 in Sequence(), [*reversed([*Sequence()])])


def fill(numbers, values):
    for value in values:
        for place in (0, -1, 5, -9):
            try:
                numbers[place] = value
            except (OverflowError, TypeError, IndexError, ValueError) as error:
                print(numbers.typecode, type(error).__name__, error)
    print(numbers, [numbers[0], numbers[-1]])
    try:
        numbers[7]
    except IndexError as error:
        print(error)


for code in "bBhHiIlLqQfd":
    fill(array(code, [1, 2, 3]), [0, -1, 127, 128, 255, 256, 32767, 65536, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), True, 1.5, "x", None])
text = array("u", "abc")
text[0] = "z"
print(text, text[0], text[-1])


class Numbers(array):
    def __getitem__(self, i):
        return "own", array.__getitem__(self, i)


own = Numbers("d", [1, 2])
own[0] = 7
print(own[0], own[-1], array("d", [float("nan"), float("inf")])[1], array("i", range(5))[1:3], array("i", [3, 4])[True])
