class A: pass
class B(A): pass
for v in (1, True, 1.5, "s", b"b", [], (), {}, set(), None, ..., NotImplemented, A(), B(), A, type, len, lambda: 0, range(1), slice(1), iter([]), (x for x in []), A().__init__, property(), Exception(), memoryview(b""), 1j, zip(), map(len, []), object(), super):
    print(type(v).__name__, isinstance(v, int), isinstance(v, (str, bytes)), isinstance(v, A), isinstance(v, type), callable(v), isinstance(v, object), bool(isinstance(v, (list, (tuple, dict)))), isinstance(v, int | None))
print(issubclass(B, A), issubclass(A, B), issubclass(bool, (str, int)), issubclass(B, A | int), issubclass(type, object), issubclass(object, type), isinstance(type, type), isinstance(object, object), type(type) is type, type(A) is type, int | str, (int | None).__args__, type(int | str).__name__, int | str == str | int, isinstance([], list | dict))
for f in (lambda: isinstance(1, "x"), lambda: isinstance(1, [int]), lambda: issubclass(1, int), lambda: issubclass(int, 1), lambda: isinstance(1, list[int]), lambda: int | 5, lambda: isinstance(), lambda: isinstance(1, int, 2), lambda: isinstance(1, (int, 5)), lambda: isinstance("s", (int, 5))):
    try: print(f())
    except TypeError as e: print(e)
print(type(1).__mro__, type(None), type(...), type(NotImplemented), type(len), type(A.__init__), type(A().__str__), type({}.keys()), type(iter({})), type(iter("")), type(type), type((i for i in [])), type(A.__dict__))
print(int.__class__, int.__bases__, bool.__base__, A.__subclasses__(), object.__bases__, A.__class__.__name__, A().__class__.__mro__[-1], B.mro(), str.__name__, dict.__qualname__, list.__module__, A.__module__, len.__module__, len.__name__, [].append.__name__, "".join.__self__ == "", type(3).__name__)
def kind(x):
    if x is None: return "none"
    if isinstance(x, bool): return "bool"
    if isinstance(x, (int, float)): return "num"
    if isinstance(x, str): return "str"
    if isinstance(x, (list, tuple)): return [kind(i) for i in x]
    if isinstance(x, dict): return {k: kind(v) for k, v in x.items()}
    return type(x).__name__
print(kind([1, True, None, "s", (2.5, {"k": [A()]}), {1}]))
class Virtual(type):
    def __instancecheck__(cls, o): return hasattr(o, "quack")
    def __subclasscheck__(cls, c): return "quack" in c.__dict__
class Duck(metaclass=Virtual): pass
class Mallard:
    def quack(self): pass
print(isinstance(Mallard(), Duck), issubclass(Mallard, Duck), isinstance(1, Duck), issubclass(int, Duck), isinstance(Mallard(), (int, Duck)), type(Mallard()) is Duck)
class Lies:
    @property
    def __class__(self): return int
print(isinstance(Lies(), int), isinstance(Lies(), Lies), type(Lies()).__name__, Lies().__class__)
