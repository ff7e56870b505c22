"""Code counts as the library's by the builtins dictionary that was made for it, not by what stands in one."""

from __future__ import annotations

import kimi_runtime as kr
from kimi_runtime.library import loader


def session_with(**names):
    """A session with objects that no guest should get, as if it had got hold of them."""
    session = kr.Runtime().session()
    session._namespace.update(names)
    return session


def test_the_import_function_of_the_library_makes_nobody_the_library():
    with session_with(importer=loader.LIBRARY_BUILTINS["__import__"]) as session:
        source = "exec(SOURCE, {'__builtins__': {'__import__': importer, 'type': type, 'ImportError': ImportError, 'AttributeError': AttributeError, 'print': print}})"
        for attack in ("import _sre", "import _json", "import _threads", "from _io import open"):
            result = session.run(source, {"SOURCE": f"try:\n    {attack}\nexcept ImportError: print('denied')"})
            assert (result.stdout, result.error) == ("denied\n", None), attack
        result = session.run(source, {"SOURCE": "def f(): pass\nimport functools\ntry: functools.wraps.__globals__\nexcept AttributeError: print('denied')"})
        assert result.stdout == "denied\n"
        assert session.run("importer('_sre')").error.type == "ModuleNotFoundError"
        assert session.run("importer('json').__name__", check=True).value == "json"


def test_code_without_builtins_works_for_its_guest():
    # A cache of the shared library keeps nothing of a guest for others.
    use = "import fnmatch\ng = {'__builtins__': {}, 'f': fnmatch._compile_pattern}\nexec('ATTACK\\nn = f.cache_info().currsize', g)\ng['n']"
    assert kr.run(use.replace("ATTACK", "f(b\"a*\")"), check=True).value == 1
    assert kr.run(use.replace("ATTACK", "0"), check=True).value == 0
    assert kr.run(use.replace("ATTACK", "f.seen = 1")).error.type == "TypeError"


def test_exec_keeps_builtins_that_the_guest_made():
    source = "import builtins\ng = {'__builtins__': dict(vars(builtins))}\nexec('x = len([1])', g)\n'__builtins__' in g, g['x']"
    assert kr.run(source, check=True).value == (True, 1)
    assert kr.run("g = {}\nexec('x = 1', g)\nexec('y = x', g)\ng['y']", check=True).value == 1
    assert kr.run("exec('x = 1')\n'__builtins__' in globals()", check=True).value is False


def test_nobody_makes_builtin_functions():
    for attack in ("type(print)()", "type(print).__new__(type(print))", "type(input)(1, 2)", "object.__new__(type(print))", "type('X', (type(print),), {})"):
        assert kr.run(attack).error.type == "TypeError", attack
