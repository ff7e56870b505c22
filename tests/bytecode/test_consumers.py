"""Generator expressions that any, all, sum, list, tuple, set, sorted and str.join consume in place: as with generators."""
import contextlib
import io

from kimi_runtime._core import run_code
from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.bytecode.inspection import describe
from kimi_runtime.objects.builtins import make_builtins

from kimi_runtime.bytecode.verifier import verify

PROGRAM = r'''
def f(xs, k):
    print(any(x > k for x in xs), all(x > 0 for x in xs), sum(x*k for x in xs if x), list(x+k for x in xs))
    print(tuple(x for x in xs), sorted(set(x%2 for x in xs)), ",".join(str(x) for x in xs), sorted((-x for x in xs), key=lambda v: v))
    print(any(x == y for x in xs for y in xs if x != y), all(x == y for x in xs for y in xs), sum(1 for x in xs for y in range(x)))
    print(any(x for x in []), all(x for x in []), sum(x for x in []), list(x for x in []))
f([1,2,3,4], 2)
k = 3
print(any(x == k for x in range(5)), sum(x*k for x in range(5)), sorted(x for x in "hello"), "-".join(c for c in "abc"))
def g():
    def any(it): return ("mine", list(it))
    return any(x for x in [1,2])
print(g())
def h():
    it = iter([1,2])
    return list(next(it) for _ in range(5))
try: h()
except RuntimeError as e: print(repr(e), repr(e.__cause__), repr(e.__context__))
try: ",".join(x for x in [1])
except TypeError as e: print(e)
try: sum(x for x in ["a"])
except TypeError as e: print(e)
try: set(x for x in [[]])
except TypeError as e: print(e)
try: any(1/x for x in [0])
except ZeroDivisionError as e: print(e)
def closure(n):
    def inner(): return n
    r = sum(n for _ in range(3)), any(n == x for x in [n])
    n += 1
    return r, inner()
print(closure(2))
class C:
    a = [1,2]
    b = list(x for x in a)
    c = any(x == 2 for x in a)
print(C.b, C.c)
def gen():
    for i in range(3):
        yield sum(x for x in range(i))
print(list(gen()))
print([any(x == y for x in [1,2]) for y in [2,3]], list(list(y for y in range(x)) for x in range(3)))
def loop():
    r = []
    for i in range(3):
        if any(j == i for j in (1, 5)): continue
        r.append(sum(j for j in (1,2) if j != i))
    return r
print(loop())
def tryit():
    for i in range(2):
        try:
            if all(x for x in [1, 0, 1/0]): pass
        except ZeroDivisionError: print("z")
        finally:
            print(sum(x for x in [i]))
    return any(x for x in [0, 1])
print(tryit())
lam = lambda xs: any(x for x in xs)
print(lam([0, 1]))
ns = {"any": lambda it: ("shadow", list(it))}
exec("v = 3\nr = any(x + v for x in [1, 2])\ndef f(q):\n    return any(x + q for x in [1])\nr2 = f(5)", ns)
print(ns["r"], ns["r2"])
def unb():
    if 0: q = 1
    return list(q for x in [])
print(unb())
'''


def host_output(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "<case>", "exec", dont_inherit=True), {"__name__": "__main__"})
    return out.getvalue()


def guest_output(source):
    code = compile_source(source, "<case>")
    verify(code)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run_code(code, {"__name__": "__main__", "__builtins__": make_builtins()})
    return out.getvalue()


def test_same_output_as_the_host():
    assert guest_output(PROGRAM) == host_output(PROGRAM)


def test_loop_runs_in_place_only_where_nothing_can_tell():
    def spans(source):
        return [row[2] for row in describe(compile_source(source, "<case>"))["inlined"]]

    assert spans("y = any(x for x in z)") == ["<genexpr>"]
    assert spans("any = 1\ny = any(x for x in z)") == []
    assert spans("y = any((w := x) for x in z)") == []
    assert spans("y = any((lambda: x)() for x in z)") == []
    assert spans("y = max(x for x in z)") == []
    assert spans("y = z.join(x for x in z)") == []
    assert spans("y = sorted((x for x in z), **k)") == []
