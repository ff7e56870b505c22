x: int = 5
y: str
z: "forward ref" = [1]
print(__annotations__, x, z)
try: y
except NameError as e: print(e)
class C:
    a: int
    b: list[int] = []
    c: "str" = "s"
    d = 1
    def m(self, p: int, *a: str, q: float = 1.5, **k: dict[str, int]) -> None: v: undefined_type = 3; return v
print(C.__annotations__, hasattr(C, "a"), C.m.__annotations__, C().m(1))
def f():
    local: print("never evaluated")
    other: int = 7
    (paren): undefined_thing = 8
    return other, paren
print(f(), f.__annotations__)
class D(C):
    e: bool = True
print(D.__annotations__, D.__dict__.get("__annotations__"))
o = C()
o.attr: int = 9
l = [0]
l[0]: str = "annotated item"
print(o.attr, l)
(pp): int = 4
print("pp" in __annotations__, pp)
def g(a: 1 + 1, b: [1, 2] = 3, *, c: {"k": "v"} = 4) -> "ret": pass
print(g.__annotations__)
def order():
    log = []
    def t(n): log.append(n); return n
    def h(a: t("ann a") = t("def a"), *, b: t("ann b") = t("def b")) -> t("ret"): pass
    return log
print(order())
try:
    bad: undefined_name = 1
except NameError as e: print(e)
def local_only():
    v: int
    try: return v
    except UnboundLocalError as e: return str(e)
print(local_only())
for src in ("x: int: str", "(a, b): int", "[a]: int", "1: int", "f(): int", "x: int += 1", "a, b: int", "x: (yield)", "def f(a: (yield)): pass", "global q; q: int", "x: *y", "lambda x: int: 1", "x: int = *a, b", "x: tuple[*a]", "def f(*a: *b): pass"):
    try: compile(src, "s", "exec"); print("ok", src)
    except SyntaxError as e: print(src, "->", e.msg)
