"""Comparisons of tuples and of texts, by all operators, where items are equal, differ, or cannot be ordered."""

nan = float("nan")


class Loud:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        print("eq", self.name)
        return True

    def __lt__(self, other):
        print("lt", self.name)
        return True


class Word(str):
    def __eq__(self, other):
        print("Word.__eq__", str(self))
        return str.__eq__(self, other)

    __hash__ = str.__hash__


class Pair(tuple):
    def __lt__(self, other):
        return "Pair"


ITEMS = [
    (), (1,), (1, 2), (1, 2, 3), (2,), (1.0,), (1, 2.0), (True,), (nan,), (float("nan"),), (nan, 1), ("a",), ("a", 1), ("b",), ("ab",),
    ("a\u0100",), ("\xe9",), ("", ""), (2**40,), (2**63,), (2**63 - 1,), (-2**63,), (2**70,), (None,), (None, 1), ((1, 2),), ((1, 3),),
    ([1],), (Word("a"),), Pair((1,)), Pair((0, 5)), (-0.0,), (0.0,), (0,), tuple(range(20)), (*range(19), 99),
    ("a" * 1500,), ("a" * 1499 + "b",), "a", "b", "", "ab", Word("a"), [1, 2], (Loud("x"), 1), (Loud("y"), 2),
]


def compare(a, b):
    row = []
    for operation in (
        lambda: a == b, lambda: a != b, lambda: a < b, lambda: a <= b, lambda: a > b, lambda: a >= b,
        lambda: "yes" if a == b else "no", lambda: "yes" if a != b else "no", lambda: "yes" if a < b else "no",
        lambda: "yes" if a >= b else "no",
    ):
        try:
            row.append(operation())
        except TypeError as error:
            row.append(str(error))
    return row


for i, a in enumerate(ITEMS):
    for j, b in enumerate(ITEMS):
        print(i, j, compare(a, b))

print(min(3, 1, 2), max(3, 1.5, 2), min(1, True), max(True, 1), min(1.0, 1), max(1, 1.0), min(2, nan, 1) != min(2, nan, 1))
for _ in range(3):
    print(min(2, 3.0, 1), max(2, 3.0, 1, 7), min("b", "a"), max((1, 2), (1, 3)), min(5, 5.0, 4.0, 4), max(-1, -2, -3), min(2.5, 1.5, 3.5))
