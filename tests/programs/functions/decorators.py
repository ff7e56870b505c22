def log(tag):
    print("make", tag)
    def deco(f):
        print("apply", tag, f.__name__)
        def wrapper(*a, **k):
            print("call", tag)
            return f(*a, **k)
        wrapper.__name__ = f.__name__
        return wrapper
    return deco
@log("outer")
@log("inner")
def hello(name, punct="!"): return f"hello {name}{punct}"
print(hello("bob", punct="?"), hello.__name__)
def memo(f):
    cache = {}
    def w(*a):
        if a not in cache: cache[a] = f(*a)
        return cache[a]
    w.cache = cache
    return w
@memo
def slow(n): return n if n < 2 else slow(n - 1) + slow(n - 2)
print(slow(30), len(slow.cache))
@(lambda f: [f, "list"])
def weird(): pass
print(weird[1], weird[0].__name__)
@str
class Stringed: pass
print(Stringed.startswith("<class"), type(Stringed))
def register(cls):
    registry.append(cls.__name__); cls.registered = True
    return cls
registry = []
@register
class A: pass
@register
class B(A): pass
print(registry, A.registered)
class Deco:
    def __init__(self, f): self.f, self.n = f, 0
    def __call__(self, *a): self.n += 1; return self.f(*a)
    def __get__(self, o, t=None): return lambda *a: self(o, *a)
@Deco
def counted(x): return x * 2
class M:
    @Deco
    def meth(self, x): return x + 1
print(counted(2), counted(3), counted.n, M().meth(5))
decos = [lambda f: lambda: "first" + f(), lambda f: lambda: "second" + f()]
@decos[0]
@decos[1]
def base(): return "base"
print(base())
try:
    @undefined_deco
    def x(): pass
except NameError as e:
    print(e)
try:
    @5
    def y(): pass
except TypeError as e:
    print(e)
x = 10
@lambda f: (f, x)
def t(): ...
print(t[1])
