# super(C, self) at sites of method calls: what it looks past, what it finds, and what it does not.
class A:
    kind = "a"
    def __init__(self, *args):
        self.args = args
    def name(self):
        return "A.name"
    @classmethod
    def make(cls):
        return cls.__name__
    @staticmethod
    def plain():
        return "plain"
    @property
    def value(self):
        return "value", self.args
    def __len__(self):
        return 3


class B(A):
    def __init__(self, *args):
        super(B, self).__init__(*args, "b")
    def name(self):
        return "B>" + super(B, self).name()
    def all(self):
        s = super(B, self)
        return s.make(), s.plain(), s.value, s.kind, s.__len__(), s.__thisclass__.__name__, s.__self__ is self


class C(A):
    def name(self):
        return "C>" + super(C, self).name()


class D(B, C):
    def __init__(self):
        super(D, self).__init__("d")
        self.name_of_instance = super(D, self).name
    def name(self):
        return "D>" + super(D, self).name()
    @classmethod
    def make(cls):
        return "D>" + super(D, cls).make()
    def missing(self):
        return super(D, self).nothing()


d = D()
for _ in range(3):
    print(d.name(), d.args, d.all(), D.make(), d.make(), d.name_of_instance())
for broken in (lambda: d.missing(), lambda: super(D, A()).name(), lambda: super(D, D).name(), lambda: super(D).name()):
    try:
        print(broken())
    except (AttributeError, TypeError) as error:
        print(type(error).__name__, error)
d.name = lambda: "instance"
print(d.name(), super(D, d).name(), super(A, d).__repr__() == object.__repr__(d), super(A, d).__eq__(1))
A.name = lambda self: "changed"
print(super(D, d).name())
C.name = property(lambda self: lambda: "property")
print(super(D, d).name())
del C.name
print(super(D, d).name())
print(super(dict, type("E", (dict,), {})()).__init__())


class F(dict):
    def __setitem__(self, key, value):
        super(F, self).__setitem__(key, [value])
    def get(self, key, default=None):
        return super(F, self).get(key, default), "F"


f = F()
f["a"] = 1
print(f, f.get("a"), f.get("b"), super(F, f).get("a"))


# super(C, cls), in __new__ and in class methods, while classes change.
class Ratio:
    def __new__(cls, a, b=1):
        self = super(Ratio, cls).__new__(cls)
        self.a, self.b = a, b
        return self
    @classmethod
    def create(cls, a):
        return super(Ratio, cls).__name__ if a is None else cls(a)


class Third(Ratio):
    def __new__(cls, a):
        return super(Third, cls).__new__(cls, a, 3)


for _ in range(4):
    for cls in (Ratio, Third):
        made = cls(2)
        print(type(made).__name__, made.a, made.b)


class Base:
    pass


class Derived(Base):
    def __new__(cls):
        return super(Derived, cls).__new__(cls)


for i in range(6):
    print(type(Derived()).__name__)
    if i == 2:
        Base.__new__ = staticmethod(lambda cls: "from Base")
        try:
            print(Derived())
        except TypeError as error:
            print(error)
        del Base.__new__
for i in range(3):
    try:
        print(type(super(Derived, Derived).__new__(Ratio)).__name__)
    except TypeError as error:
        print(error)
