import math
class Shape:
    def area(self): raise NotImplementedError(f"{type(self).__name__}.area")
    def perimeter(self): raise NotImplementedError
    def describe(self): return f"{type(self).__name__:<10} area={self.area():8.3f} perimeter={self.perimeter():8.3f}"
    def __lt__(self, o): return self.area() < o.area()
    def __eq__(self, o): return isinstance(o, Shape) and math.isclose(self.area(), o.area())
    __hash__ = None
class Circle(Shape):
    def __init__(self, r):
        if r < 0: raise ValueError("negative radius")
        self.r = r
    def area(self): return math.pi * self.r ** 2
    def perimeter(self): return 2 * math.pi * self.r
class Polygon(Shape):
    def __init__(self, *pts): self.pts = pts
    def edges(self): return zip(self.pts, self.pts[1:] + self.pts[:1])
    def area(self): return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in self.edges())) / 2
    def perimeter(self): return sum(math.dist(a, b) for a, b in self.edges())
    def contains(self, p):
        x, y = p
        inside = False
        for (x1, y1), (x2, y2) in self.edges():
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1: inside = not inside
        return inside
class Rect(Polygon):
    def __init__(self, w, h): self.w, self.h = w, h; super().__init__((0, 0), (w, 0), (w, h), (0, h))
    def scaled(self, k): return type(self)(self.w * k, self.h * k)
class Square(Rect):
    def __init__(self, s, _=None): super().__init__(s, s)
class Blob(Shape): pass
shapes = [Circle(1), Rect(2, 3), Square(2), Polygon((0, 0), (4, 0), (0, 3))]
for s in sorted(shapes): print(s.describe())
print(f"{sum(s.area() for s in shapes):.4f}", max(shapes).describe().split()[0], Rect(2, 2) == Square(2), type(Square(3).scaled(2)).__name__, Rect(4, 4).contains((1, 1)), Rect(4, 4).contains((5, 1)), [c.__name__ for c in Square.__mro__])
for f in (lambda: Blob().describe(), lambda: Circle(-1), lambda: hash(Circle(1)), lambda: Rect(1).area(), lambda: Circle(1) < 5):
    try: f()
    except Exception as e: print(type(e).__name__, e)
def hull(pts):
    pts = sorted(set(pts))
    def half(ps):
        out = []
        for p in ps:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) - (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0]) <= 0: out.pop()
            out.append(p)
        return out[:-1]
    return half(pts) + half(pts[::-1])
print(hull([(0, 0), (1, 1), (2, 2), (2, 0), (0, 2), (1, 0.5), (1, 1)]))
def integrate(f, a, b, n=100):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n)))
print(f"{integrate(math.sin, 0, math.pi):.8f} {integrate(lambda x: x * x, 0, 3):.6f}")
def bisect(f, lo, hi, eps=1e-10):
    if f(lo) * f(hi) > 0: raise ValueError("no sign change")
    while hi - lo > eps:
        mid = (lo + hi) / 2
        if f(lo) * f(mid) <= 0: hi = mid
        else: lo = mid
    return lo
print(f"{bisect(lambda x: x ** 3 - 2, 0, 2):.8f} {bisect(math.cos, 1, 2):.8f}")
