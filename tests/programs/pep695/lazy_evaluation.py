# requires: 3.12
type Lazy = undefined_later
try: Lazy.__value__
except NameError as e: print(e)
undefined_later = int
print(Lazy.__value__)
def f[T: print("bound evaluated") or int](x: T): return x
print("before")
print(f.__type_params__[0].__bound__)
class C:
    type A = list[C]
    attr = 1
    def g[T: attr](self): pass
print(C.A.__value__)
type X[T] = tuple[T, ...]
print(X[str].__args__, X.__parameters__, repr(X), type(X).__name__)
def nested[T]():
    def inner[U](): return T, U
    return inner()
print(nested())
l = [1]
def gen[T](x: T):
    yield x
    yield T
print(list(gen(1)))
try: type = 5; print(type)
finally: del type
"""soft keyword"""
match = type(5)
print(match)
for src in ("def f[T, T](): pass", "class C[]: pass", "type X = (yield)", "type X[T: (yield)] = int", "class C[T](y := 1): pass", "def f[T](x: (y := 1)): pass", "type 5 = int"):
    try: compile(src, "s", "exec"); print("ok", src)
    except SyntaxError as e: print(src, "SyntaxError", e.msg)
