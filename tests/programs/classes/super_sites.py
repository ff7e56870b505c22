"""Methods by way of super() at one place of the program: what it gives follows the classes as they change."""


class Base:
    def __new__(cls, *args):
        self = object.__new__(cls)
        self.made_by = "Base"
        return self

    def __init__(self, *args):
        self.args = args

    @classmethod
    def create(cls, value):
        return cls(value)

    @staticmethod
    def scale(value):
        return value * 2

    def name(self):
        return "base of " + type(self).__name__

    size = len


class Child(Base):
    def __new__(cls, *args):
        self = super().__new__(cls)
        self.seen = "Child"
        return self

    def __init__(self, *args):
        super().__init__(*args)

    @classmethod
    def create(cls, value):
        return super().create(value + 1), super(Child, cls).create(value + 2)

    @classmethod
    def scaled(cls, value):
        return super().scale(value), super(Child, cls).scale(value + 1), super().size("abc")

    def name(self):
        return super().name(), super(Child, self).name()


class Other(Base):
    def name(self):
        return "other"


class Both(Child, Other):
    def scale(self):
        return "no static"


def show(text, *values):
    print(text, *values)


for _ in range(3):
    for cls in (Child, Both, Child):
        made = cls.create(5)
        show(cls.__name__, [(type(each).__name__, each.args, each.made_by, each.seen) for each in made], cls.scaled(4))
        show(cls(1).name())

# What lies further up changes between two calls of one place.
Base.name = lambda self: "replaced"
show(Child(1).name(), Both(1).name())
Other.name = lambda self: "other replaced"
show(Child(1).name(), Both(1).name())
Base.scale = staticmethod(lambda value: -value)
show(Child.scaled(4), Both.scaled(4))
Base.create = classmethod(lambda cls, value: (cls.__name__, value))
show(Child.create(1), Both.create(1))
Base.create = lambda *values: values
show(Child.create(1), Both.create(1))
Base.scale = classmethod(lambda cls, value: (cls.__name__, value))
show(Child.scaled(4))


class Loud(classmethod):
    def __get__(self, instance, owner):
        print("bound", instance, owner.__name__)
        return super().__get__(instance, owner)


Base.create = Loud(lambda cls, value: (cls.__name__, value))
show(Child.create(1), Child.create(2))

# The function inside of a classmethod or staticmethod is another after its __init__ was called again.
held = staticmethod(lambda value: value + 100)
Base.scale = held
show(Child.scaled(4))
held.__init__(str)
show(Child.scaled(4))
held.__init__(lambda value: value + 200)
show(Child.scaled(4))
held = classmethod(lambda cls, value: (cls.__name__, "first", value))
Base.create = held
show(Child.create(4))
held.__init__(lambda cls, value: (cls.__name__, "second", value))
show(Child.create(4))


# Bases change.
class Late:
    def name(self):
        return "late"

    @classmethod
    def create(cls, value):
        return "late", cls.__name__, value


class Turning(Child):
    def name(self):
        return super().name()

    @classmethod
    def create(cls, value):
        return super().create(value)


one = Turning(3)
show(one.name(), Turning.create(7))
Turning.__bases__ = (Late, Child)
show(one.name(), Turning.create(7))
Turning.__bases__ = (Child,)
show(one.name(), Turning.create(7))


# A name that the second class does not have, and one that is no method.
class Plain(Base):
    field = 1

    @classmethod
    def missing(cls):
        try:
            return super().nothing()
        except AttributeError as error:
            return str(error)

    @classmethod
    def noted(cls):
        return super().size


for _ in range(2):
    show(Plain.missing(), Plain.noted() is len)
Base.nothing = classmethod(lambda cls: "something for " + cls.__name__)
show(Plain.missing())
del Base.nothing
show(Plain.missing())


# super() of a metaclass is about the class as an instance.
class Meta(type):
    def __new__(mcs, name, bases, namespace, **options):
        namespace["options"] = sorted(options)
        return super().__new__(mcs, name, bases, namespace)

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.called = cls.calls = getattr(cls, "calls", 0) + 1
        return made

    @classmethod
    def __prepare__(mcs, name, bases, **options):
        found = super().__prepare__(name, bases)
        found["prepared"] = mcs.__name__
        return found


for n in range(3):
    made = Meta(f"Made{n}", (Base,), {"n": n}, a=1, b=2)
    show(made.options, [made(i).called for i in range(3)], made(1).args)


class WithMeta(Base, metaclass=Meta, c=3):
    def __new__(cls, *args):
        return super(WithMeta, cls).__new__(cls, *args)


for _ in range(3):
    show(WithMeta(1).args, WithMeta.options, WithMeta.prepared, WithMeta.calls)


# Subclasses of types of C.
class Text(str):
    def __new__(cls, value):
        return super().__new__(cls, value.upper())

    @classmethod
    def joined(cls, values):
        return cls(super().join("-", values))

    def strip(self):
        return super().strip() + "!"


class Table(dict):
    @classmethod
    def fromkeys(cls, keys, value=None):
        return super().fromkeys(keys, value)

    def __getitem__(self, key):
        return super().__getitem__(key) * 2

    def __setitem__(self, key, value):
        super(Table, self).__setitem__(key, value + 1)


for word in ("ab ", " cd"):
    text = Text(word)
    show(repr(text), type(text).__name__, repr(text.strip()), repr(Text.joined(["x", "y"])))
    table = Table.fromkeys([word, "k"], 3)
    table["n"] = 10
    show(type(table).__name__, dict.items(table), table["n"])


# One function in two classes, by explicit arguments.
def named(cls, self):
    return super(cls, self).name()


show(named(Child, Child(1)), named(Both, Both(1)), named(Turning, one))


def wrong(cls, self):
    try:
        return super(cls, self).name()
    except TypeError as error:
        return str(error)


show(wrong(Child, Child(1)), wrong(Child, Base(1)), wrong(Child, Both(1)), wrong(Child, int), wrong(Child, 3))
