print(abs(-5), all([]), any([]), all([1, 0]), any([0, ""]), ascii("é"), bin(-10), hex(-255), oct(8), callable(len), callable(5), chr(8364), ord("€"), divmod(-7, 3))
print(list(enumerate("ab", 5)), list(filter(None, [0, 1, "", "a"])), list(map(str, [1, 2])), list(map(pow, [2, 3], [3, 2])), list(zip("ab", [1, 2, 3])), list(zip()), list(zip([1])), list(zip("ab", "cd", strict=True)))
print(max(3, 1, 2), max([1, 5]), max("ab", "b"), max([], default=None), min([3, -3, 2], key=abs), max({"a": 5, "b": 9}, key={"a": 5, "b": 9}.get), max([(1, "a"), (1, "b")]), min("hello"))
print(sum([1, 2.5]), sum([[1], [2]], []), sum(range(101)), sum([], 5), sum(x for x in (1, 2)), sum({1: 2}), sum([True, 1.5, 2]), sum([2**62, 2**62, 0.5]), sum((1,), start=10), sum([0.1] * 10))
it = iter([1, 2, 3])
print(next(it), list(it), next(it, "end"), list(iter(iter([4]))))
n = 0
def step():
    global n
    n += 1
    return n
print(list(iter(step, 4)), list(reversed([1, 2])), list(reversed("ab")), list(reversed(range(3))), list(reversed({"a": 1, "b": 2})), sorted("bca", reverse=True))
print(isinstance(True, int), isinstance(1, (str, int)), isinstance(1, int | str), isinstance([], (tuple, (dict, list))), issubclass(bool, int), issubclass(int, object), issubclass(int, (str, float)), type(1) is int, type(type(1)), isinstance(None, type(None)), isinstance(int, type))
print(hash("a") == hash("a"), hash(1.0), hash((1, 2)) == hash((1, 2)), id(n) == id(n), repr("q"), format(3.14159, ".2f"), round(2.5), slice(1, 2), slice(5), slice(1, 2, 3).indices(10), range(5), range(1, 10, 2), bool([0]), type("X", (), {"a": 1})().a)
print(getattr(5, "real"), getattr(5, "zz", "dflt"), hasattr("s", "upper"), vars(type("V", (), {"z": 1})())if False else "-", str(None), str(True), str(1.0), repr(None), print("x", "y", sep="", end="|"), eval("1+2"), int("12") + float("1.5"))
print([1] .__class__.__name__, (5).__class__, "a".__len__(), [1, 2].__contains__(2), {}.__doc__ is not None, int.__name__, str.__mro__, bool.__bases__, object.__class__, list.__base__)
print(*map(lambda *a: a, "ab", "cd"), *zip(*[(1, 2), (3, 4)]), [*filter(str.isdigit, "a1b2")], dict(enumerate("xy")), set(map(len, ["a", "bb", "c"])) == {1, 2})
print(1, 2, sep="\n", end="\n\n"); print(); print("", end=""); print(None, True, [None]); print("a\tb", "c", sep=", ", flush=True)
