x = 10
print(eval("x + 1"), eval("[i * x for i in range(3)]"), eval(" 1 + 2 "), eval("\t(1,\n2)"), eval("lambda a: a * 2")(4), eval("x if x > 5 else 0"), eval("(y := 7)"), y)
g = {"x": 1, "f": lambda v: v + 100}
print(eval("f(x)", g), sorted(k for k in g if k != "__builtins__"), eval("x + z", g, {"z": 5}), eval("x", {"x": 1}, {"x": 2}), eval("len('abc')", {}))
class M(dict):
    def __missing__(self, k): return f"<{k}>"
    def __getitem__(self, k): print("lookup", k, end=" "); return dict.__getitem__(self, k) if k in self else self.__missing__(k)
print(eval("a + b", {}, M(a="A")), eval("[a, len]", {}, M(a=1))[0])
def f():
    loc = "local"
    return eval("loc"), eval("x"), sorted(eval("locals()")), eval("[loc for _ in range(1)]", {"loc": "passed"})
print(f())
def closure():
    v = 1
    def inner(): return eval("v", {"v": 2})
    def inner2():
        v
        return eval("v")
    def inner3():
        try: return eval("v")
        except NameError as e: return str(e)
    return inner(), inner2(), inner3()
print(closure())
code = compile("x * 2", "<c>", "eval")
print(eval(code), eval(code, {"x": 7}), code.co_filename, code.co_name, code.co_names)
for src in ("1 +", "x = 1", "", "  ", "import math", "1; 2", "undefined_n", "1 / 0", "[", "'abc", "def f(): pass", "x x", "\x00", "a b", "yield 1", "return 1", "await x", "*a", "(*a)", "1 if 2", "lambda", "{1: 2, 3}", "f(a=1, 2)", "f(**k, *a)", "not", "x.1", "1x", "0777", "1__0", "0b12", "\\", "$", "x?", "a := 1", "print 1", "x!", "é + 1"):
    try: print(src, eval(src))
    except Exception as e: print(repr(src), type(e).__name__, e.msg if isinstance(e, SyntaxError) else e)
for args in ((5,), (None,), ("1", 5), ("1", {}, 5), ()):
    try: print(eval(*args))
    except TypeError as e: print(args, e)
print(eval(b"1 + 1"), eval("__import__('math').floor(2.5)") if False else 2, eval("__name__"), eval("__builtins__ is not None"))
