# Classes that derive from dict: their own methods count whenever they are given, also after the class was made.
from collections import Counter, OrderedDict, defaultdict


class Plain(dict):
    pass


class Missing(dict):
    def __missing__(self, key):
        return "missing", key


class Deeper(Plain):
    pass


class Reads(dict):
    def __getitem__(self, key):
        return "read", key


class Writes(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, ("written", value))


class Deletes(dict):
    def __delitem__(self, key):
        print("delete", key)
        dict.__delitem__(self, key)


def use(cls):
    d = cls(a=1)
    d["b"] = 2
    d["b"] = d.get("b"), 3
    del d["b"]
    d["a"] = d["a"]
    d.update(c=3)
    try:
        print(cls.__name__, d["a"], d, d["zz"])
    except KeyError as error:
        print(cls.__name__, d, "KeyError", error)


for cls in (Plain, Missing, Deeper, Reads, Writes, Deletes, Counter, OrderedDict):
    use(cls)

d = Deeper(x=1)
print(d["x"])
Plain.__getitem__ = lambda self, key: ("later", key)
print(d["x"], Plain(y=2)["y"])
del Plain.__getitem__
print(d["x"])
Deeper.__setitem__ = lambda self, key, value: print("set", key, value)
d["k"] = 1
print(d)
del Deeper.__setitem__
d["k"] = 1
print(d)
Deeper.__delitem__ = lambda self, key: print("del", key)
del d["k"]
print(d)
del Deeper.__delitem__
del d["k"]
print(d)

counts = Counter()
for word in "a b a c a b".split():
    counts[word] += 1
print(counts, counts["none"], Counter.__getitem__ is dict.__getitem__)
Two = type("Two", (dict,), {"__getitem__": lambda self, key: "two"})
print(Two()["x"], type("Three", (dict,), {})(x=3)["x"])
groups = defaultdict(list)
groups["x"].append(1)
print(groups)


class Mixed(Reads, Plain):
    pass


print(Mixed(a=1)["a"], Mixed.__mro__[1].__name__)
