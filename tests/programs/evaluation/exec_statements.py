exec("a = 1\nb = a + 1\nprint(a, b)")
print(a, b)
ns = {}
exec("def f(n): return n * k\nk = 3\nclass C:\n    v = f(2)\nfor i in range(3): pass", ns)
print(ns["f"](5), ns["C"].v, ns["i"], sorted(k for k in ns if k != "__builtins__"), ns["f"].__globals__ is ns, ns["f"].__module__)
loc = {}
exec("z = 1\ndef g(): return 5\ny = [z for _ in [1]] if False else z", {}, loc)
print(sorted(loc), loc["g"]())
def func():
    v = "original"
    exec("v = 'changed'\nw = 1")
    try: w
    except NameError as e: print(e)
    return v
print(func())
def with_locals():
    d = {"q": 1}
    exec("q += 10; r = q * 2", globals(), d)
    return d
print(with_locals())
try:
    exec("h = 1\ndef use(): return h\nuse()", {}, {})
except NameError as e: print(e)
exec("global made; made = 5"); print(made)
print(exec("1 + 1"), exec(""), exec("# only comment"), exec("pass"))
code = compile("n = n + 1", "<s>", "exec")
n = 1
for _ in range(3): exec(code)
print(n)
shared = {"n": 100}
exec(code, shared); print(shared["n"])
for src in ("x = = 1", "if True:\nprint(1)", "  indented", "def f(:\n pass", "raise ValueError('v')", "1 / 0", "return 1", "break", "continue", "yield 1", "nonlocal x", "for i in range(3) print(i)", "if x = 1: pass", "class", "else: pass", "try: pass", "import", "from x import", "x = 1 y = 2", "if 1:\n  a\n b", "if 1:\n\ta\n        b", "while", "def f(a, a): pass", "def f(a=1, b): pass", "def f(*): pass", "def f(**k, a): pass", "f(x for x in y, 1)", "f(a=1, a=2)", "global x\nx = 1", "x = 1\nglobal x", "def f():\n x = 1\n global x", "def f():\n nonlocal zz", "def f(x):\n global x", "a + 1 = 2", "f() = 1", "None = 1", "(a, 1) = 2", "for 1 in x: pass", "with a as 1: pass", "import a.b as c.d", "from . import *", "def f(): from math import *", "del 1", "assert", "async def f(): pass\nawait x", "x++", "'a' 'b' = 1", "try:\n pass\nexcept:\n pass\nexcept ValueError:\n pass", "lambda: (yield)", "class C: return 1", "*a = 1", "a, *b, *c = 1", "print 'x'", "exec 'x'", "raise X, 'y'", "except: pass", "`x`", "x <> y", "{**a for a in b}", "[*a for a in b]", "(x for x in *y)", "f(**a, *b)", "f(*a=1)", "f(1=2)", "f(True=1)", "f(a.b=1)", "def f(None): pass", "def True(): pass", "class None: pass", "import None", "__debug__ = 1", "a = yield", "def f(a, /, b, /): pass", "def f(/): pass", "def f(*, /): pass", "def f(*a, *b): pass", "x: int y", "@\ndef f(): pass", "if True: pass else: pass", "(", ")", "[1, 2", "{1: 2", "]", "'''abc", "\"abc", "\\x", "a\\", "1.2.3", "0x", "0b", "1e", "1_", "5if 1else 2", "01", "if\n:", "\tx\n  y"):
    try: exec(src); print("ok", repr(src))
    except Exception as e: print(repr(src), type(e).__name__, (e.msg, e.lineno) if isinstance(e, SyntaxError) else e)
