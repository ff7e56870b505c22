"""Sources beyond the sizes that instruction fields hold."""
import pytest
from kimi_runtime._core import run_code
from kimi_runtime.bytecode.compiler import compile_source
from kimi_runtime.bytecode.inspection import describe
from kimi_runtime.objects.builtins import make_builtins

from kimi_runtime.bytecode.verifier import verify


def run(source):
    code = compile_source(source, "<big>")
    verify(code)
    namespace = {"__name__": "__main__", "__builtins__": make_builtins()}
    run_code(code, namespace)
    return code, namespace


def test_very_long_module_goes_on_in_a_continuation():
    code, namespace = run("def f(x): return x\n" + "\n".join(f"y = f({i})" for i in range(60_000)))
    assert describe(code)["continuation"] is not None
    assert namespace["y"] == 59_999


@pytest.mark.parametrize("opening, closing", ["[]", "()", "{}"])
def test_long_display(opening, closing):
    items = ",".join(f"a + {i}" for i in range(20_000))
    _, namespace = run(f"a = 1\nx = {opening}{items}{closing}\nn = len(x)")
    assert namespace["n"] == 20_000


def test_long_dict_and_string():
    pairs = ",".join(f"{i}: a" for i in range(20_000))
    parts = "".join("{a}b" for _ in range(5_000))
    _, namespace = run(f"a = 1\nd = {{{pairs}}}\ns = f'{parts}'\nn = len(d), len(s)")
    assert namespace["n"] == (20_000, 10_000)


def test_call_with_thousands_of_arguments():
    args = ",".join(str(i) for i in range(3_000)) + "," + ",".join(f"k{i}={i}" for i in range(3_000))
    _, namespace = run(f"def f(*a, **k): return len(a), len(k)\nn = f({args})")
    assert namespace["n"] == (3_000, 3_000)


def test_more_than_65535_constants_in_a_function():
    body = "".join(f"  x = 's{i}'\n" for i in range(70_000))
    _, namespace = run(f"def f():\n{body}  return x\nn = f()")
    assert namespace["n"] == "s69999"


def test_branches_too_far_for_16_bits():
    tests = "".join(f"    if x == {i}: y += {i}\n" for i in range(15_000))
    loop = f"def f():\n  y = 0\n  for x in range(5):\n{tests}\n  return y\n"
    source = loop + loop.replace("f()", "g()").replace("for x in range(5):", "x = -1\n  while x < 4:\n    x += 1")
    _, namespace = run(source + "n = f(), g()")
    assert namespace["n"] == (10, 10)


def test_too_many_sites_in_a_function_is_an_error():
    body = "".join(f"  a.x{i}\n" for i in range(70_000))
    with pytest.raises(SyntaxError, match="too many names, attributes and calls in one function"):
        compile_source(f"def f(a):\n{body}", "<big>")


def test_too_many_locals_is_an_error():
    body = "".join(f"  v{i} = {i}\n" for i in range(66_000))
    with pytest.raises(SyntaxError, match="too many local variables in one function"):
        compile_source(f"def f():\n{body}", "<big>")


def test_deep_chains():
    _, namespace = run("x = 1\ny = x" + " + x" * 2_500 + "\nz = " + "-" * 2_500 + "x")
    assert (namespace["y"], namespace["z"]) == (2_501, 1)
