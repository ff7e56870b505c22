# Instances that got a dict of their own, beside those that keep their attributes in a table: the same sites see both.
class Point:
    kind = "point"
    weight = 0

    def __init__(self, x):
        self.x = x

    def move(self, by):
        self.x += by
        return self.x

    def late(self, value):
        self.a = value
        self.b = value + 1
        self.c = [value]
        self.d = self.a + self.b
        return self


points = [Point(i) for i in range(60)]          # by then the table of the class is as small as it gets
for point in points:
    point.late(point.x)
print(sum(p.a + p.b + p.c[0] + p.d for p in points), points[-1].__dict__)
for point in points[::2]:
    point.weight = point.x                      # beside the default of the class
    point.kind = "even"
print([p.weight for p in points[:6]], [p.kind for p in points[:6]])


def total(items):
    found = 0
    for item in items:
        item.d += 1
        item.d *= 2
        item.c = item.d
        found += item.move(1) + item.d + len(item.kind) + item.weight
    return found


print(total(points), total(points), total([Point(i).late(i) for i in range(10)]))
for point in points[:3]:
    del point.a
    point.move = lambda by, p=point: -p.x - by  # wins over the method
for point in points[:5]:
    try:
        print(point.a, point.move(3))
    except AttributeError as error:
        print(error, point.move(3))
Point.weight = property(lambda self: "by property", lambda self, value: print("set", value))
print([p.weight for p in points[:4]])
points[0].weight = 5
del Point.weight
try:
    print([p.weight for p in points[:4]])
except AttributeError as error:
    print(error)
Point.late = 7
print([p.late for p in points[:2]])


class Name(str):
    def __eq__(self, other):
        return str.__eq__(self, other)

    __hash__ = str.__hash__


strange = Point(1)
strange.__dict__[Name("a")] = "by a name of its own"
for p in (points[5], strange, points[6]):
    print(p.a)
strange.a = 2
print(strange.a, strange.__dict__)


class Wrong(Exception):
    code = 1

    def describe(self):
        return f"{self.code} {self.args}"


def failing(i):
    error = Wrong(i)
    if i % 2:
        error.code = i
    error.note = i
    error.note += 1
    return error


print([(e.code, e.note, e.describe()) for e in map(failing, range(5))])
found = vars(points[10])
found["x"] = "through vars"
print(points[10].x, points[11].x, sorted(found))
points[12].__dict__ = {"x": 1, "a": 2, "d": 3}
print(points[12].x, points[12].a, points[12].d, points[12].move(5))
points[12].__class__ = Wrong if False else type("Other", (), {"x": "class", "move": lambda self, by: by})
print(points[12].x, points[12].move(5), points[12].a)
