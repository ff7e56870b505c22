"""Finalizers that run guest code while a call's arguments wait for their frame."""


class Junk:
    def __init__(self):
        self.me = self

    def __del__(self):
        def spread(*a):
            return [1, 2, 3, list(range(5))]

        spread(*range(20))
        sorted([3, 1, 2], key=lambda q, *r: -q)


def f(*q, **w):
    return q


def g(a, *b):
    return a


bad = 0
for i in range(3000):
    Junk()
    if list(map(f, [i], ["x"])) != [(i, "x")]:
        bad += 1
    if sorted([i, i + 1], key=lambda *q, **w: q[0]) != [i, i + 1]:
        bad += 1


def gen():
    for i in range(3000):
        Junk()
        yield f(i, "k", z=3), g(i, 1, 2, [3])


for i, (a, b) in enumerate(gen()):
    if a != (i, "k") or b != i:
        bad += 1
print(bad)
