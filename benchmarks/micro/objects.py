"""Instances and classes: attributes, methods, properties, super, operators, construction."""


class Point:
    scale = 3

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def get(self):
        return self.x

    def __add__(self, other):
        return self

    def __eq__(self, other):
        return self.x == other.x

    def __getitem__(self, i):
        return i

    def __len__(self):
        return 2

    @property
    def double(self):
        return self.x

    @staticmethod
    def static(v):
        return v

    @classmethod
    def make(cls, v):
        return v


class Child(Point):
    def get(self):
        return super().get()


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


class Empty:
    pass


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return False


class Dynamic:
    def __getattr__(self, name):
        return name


class Callable:
    def __call__(self, v):
        return v


class Iterable:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        i = self.i
        if i >= self.n:
            raise StopIteration
        self.i = i + 1
        return i


def bench_attr_get4(n):
    p = Point(1, 2)
    x = 0
    for _ in range(n):
        x = p.x
        x = p.y
        x = p.x
        x = p.y
    return x


def bench_attr_set(n):
    p = Point(1, 2)
    for i in range(n):
        p.x = i
    return p.x


def bench_attr_augment(n):
    p = Point(0, 2)
    for _ in range(n):
        p.x += 1
    return p.x


def bench_class_attr(n):
    p = Point(1, 2)
    x = 0
    for _ in range(n):
        x = p.scale
    return x


def bench_class_attr_on_class(n):
    x = 0
    for _ in range(n):
        x = Point.scale
    return x


def bench_slots_get(n):
    p = Slotted(1, 2)
    x = 0
    for _ in range(n):
        x = p.x
    return x


def bench_slots_set(n):
    p = Slotted(1, 2)
    for i in range(n):
        p.x = i
    return p.x


def bench_method(n):
    p = Point(1, 2)
    x = 0
    for _ in range(n):
        x = p.get()
    return x


def bench_bound_method(n):
    get = Point(1, 2).get
    x = 0
    for _ in range(n):
        x = get()
    return x


def bench_super_method(n):
    p = Child(1, 2)
    x = 0
    for _ in range(n):
        x = p.get()
    return x


def bench_static_method(n):
    p = Point(1, 2)
    x = 0
    for i in range(n):
        x = p.static(i)
    return x


def bench_class_method(n):
    x = 0
    for i in range(n):
        x = Point.make(i)
    return x


def bench_property(n):
    p = Point(1, 2)
    x = 0
    for _ in range(n):
        x = p.double
    return x


def bench_getattr_hook(n):
    d = Dynamic()
    x = ""
    for _ in range(n):
        x = d.missing
    return x


def bench_instance_call(n):
    c = Callable()
    x = 0
    for i in range(n):
        x = c(i)
    return x


def bench_operator_add(n):
    p = Point(1, 2)
    q = p
    for _ in range(n):
        q = p + q
    return q.x


def bench_operator_eq(n):
    p = Point(1, 2)
    q = Point(1, 3)
    x = False
    for _ in range(n):
        x = p == q
    return x


def bench_operator_getitem(n):
    p = Point(1, 2)
    x = 0
    for i in range(n):
        x = p[i]
    return x


def bench_operator_len(n):
    p = Point(1, 2)
    x = 0
    for _ in range(n):
        x = len(p)
    return x


def bench_new_empty(n):
    x = None
    for _ in range(n):
        x = Empty()
    return type(x).__name__


def bench_new_init(n):
    x = None
    for i in range(n):
        x = Point(i, i)
    return x.x


def bench_new_slots(n):
    x = None
    for i in range(n):
        x = Slotted(i, i)
    return x.x


def bench_with(n):
    m = Manager()
    x = 0
    for _ in range(n):
        with m:
            x += 1
    return x


def bench_iterator_class(n):
    x = 0
    for v in Iterable(n):
        x = v
    return x


def bench_make_class(n):
    cls = None
    for _ in range(n):

        class cls:
            a = 1

            def f(self):
                return 1

    return cls().f()
