# Instances whose __dict__ was looked at, or that their base makes without a place for values: the dict shares its keys.
import random


class Point:
    scale = 2
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def total(self):
        return (self.x + self.y) * self.scale


points = [Point(i, -i) for i in range(5)]
for p in points[::2]:
    p.__dict__
for _ in range(3):
    print([p.total() for p in points], [p.x for p in points])
    for p in points:
        p.x += 1
        p.y = p.x * 1.5
points[0].total = lambda: "own"
points[2].scale = 3
points[2].__dict__["scale"] = 4
for _ in range(3):
    print([p.total() for p in points], [p.scale for p in points])
del points[2].scale
del points[0].total
del points[4].x
print(points[2].total(), points[0].total(), hasattr(points[4], "x"), list(points[4].__dict__))
points[4].z = 1
points[4].x = 2
print(list(points[4].__dict__.items()), points[4].total())


class Loud(random.Random):
    def random(self):
        return 0.25
    def twice(self):
        return self.random() * 2


loud, plain = Loud(1), random.Random(1)
for i in range(3):
    print(loud.twice(), round(plain.uniform(0, 1), 6), loud.uniform(0, 4), plain.randint(1, 9))
loud.random = lambda: 0.5
print(loud.twice(), loud.uniform(0, 4))
