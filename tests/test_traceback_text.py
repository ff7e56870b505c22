"""The traceback text of a failed run is what CPython prints for the same file: lines, markers, chains, groups."""
import os
import subprocess
import sys

import pytest

import kimi_runtime as kr

PROGRAMS = {
    "binary operator": "a = 1\nb = 0\nprint(a + a * (a / b))\n",
    "call in call": "def f(x):\n    return g(x, x)\n\ndef g(a, b):\n    return a[b]\n\nf(3)\n",
    "subscript": "d = {}\nprint(d['x']['y'])\n",
    "nested subscript": "d = {'x': {'y': None}}\nd['x']['y']['z']\n",
    "attribute": "class A:\n    pass\n\na = A()\na.b.c = 1\n",
    "attribute suggestion": "class A:\n    colour = 1\n\nA().color\n",
    "name suggestion": "value = 1\nprint(valeu)\n",
    "name in function": "def f():\n    return undefined_thing + 1\n\nf()\n",
    "unbound local": "def f():\n    print(x)\n    x = 1\n\nf()\n",
    "unbound free": "def f():\n    def g():\n        return x\n    g()\n    x = 1\n\nf()\n",
    "whole line": "raise ValueError('text')\n",
    "multi-line call": "def f(a, b):\n    return a / b\n\nf(\n    1,\n    0,\n)\n",
    "multi-line expression": "x = (\n    1 +\n    None +\n    2\n)\n",
    "method": "class A:\n    def m(self):\n        return self.n()\n\n    def n(self):\n        raise KeyError(self.__class__.__name__)\n\nA().m()\n",
    "lambda": "f = lambda x: x.y\nprint(f(1))\n",
    "comprehension": "print([1 / n for n in (1, 0)])\n",
    "nested comprehension": "print([[m / n for m in (1,)] for n in (1, 0)])\n",
    "dict comprehension": "print({n: undefined for n in range(2)})\n",
    "generator expression": "print(sum(1 / n for n in (1, 0)))\n",
    "generator": "def g():\n    yield 1\n    yield 1 / 0\n\nfor x in g():\n    pass\n",
    "yield from": "def inner():\n    yield 1\n    raise OSError('inner')\n\ndef outer():\n    yield from inner()\n\nlist(outer())\n",
    "generator throw": "def g():\n    try:\n        yield 1\n    except ValueError:\n        raise TypeError('in generator')\n\nit = g()\nnext(it)\nit.throw(ValueError('sent'))\n",
    "from": "try:\n    int('x')\nexcept ValueError as e:\n    raise RuntimeError('no number') from e\n",
    "from none": "try:\n    int('x')\nexcept ValueError:\n    raise RuntimeError('no number') from None\n",
    "context": "def f():\n    try:\n        {}[1]\n    except KeyError:\n        undefined\n\nf()\n",
    "context in finally": "try:\n    1 / 0\nfinally:\n    [][1]\n",
    "three deep": "try:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        [][0]\nexcept IndexError as e:\n    raise KeyError('third') from e\n",
    "re-raise": "def f():\n    raise ValueError('v')\n\ntry:\n    f()\nexcept ValueError:\n    raise\n",
    "re-raise by name": "def f():\n    raise ValueError('v')\n\ntry:\n    f()\nexcept ValueError as e:\n    raise e\n",
    "with": "class M:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        raise OSError('exit')\n\nwith M():\n    1 / 0\n",
    "enter": "class M:\n    def __enter__(self):\n        raise OSError('enter')\n    def __exit__(self, *a):\n        pass\n\nwith M() as m:\n    pass\n",
    "sort key": "def key(x):\n    return x.missing\n\nsorted([1, 2], key=key)\n",
    "map": "list(map(lambda n: 1 // n, [1, 0]))\n",
    "operator method": "class A:\n    def __add__(self, other):\n        raise NotImplementedError('add')\n\nA() + 1\n",
    "comparison method": "class A:\n    def __eq__(self, other):\n        return 1 / 0\n\nA() in [1, 2]\n",
    "property": "class A:\n    @property\n    def p(self):\n        return self._p\n\nA().p\n",
    "getattr": "class A:\n    def __getattr__(self, name):\n        raise AttributeError(f'no {name}')\n\nA().thing\n",
    "decorator": "def deco(f):\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n\n@deco\ndef f(n):\n    return 1 % n\n\nf(0)\n",
    "decorator fails": "def deco(f):\n    raise TypeError('deco')\n\n@deco\ndef f():\n    pass\n",
    "class body": "class A:\n    x = 1\n    y = x / 0\n",
    "metaclass": "class M(type):\n    def __new__(mcs, name, bases, ns):\n        raise TypeError('meta ' + name)\n\nclass A(metaclass=M):\n    pass\n",
    "init subclass": "class A:\n    def __init_subclass__(cls):\n        raise ValueError(cls.__name__)\n\nclass B(A):\n    pass\n",
    "init": "class A:\n    def __init__(self, n):\n        self.n = int(n)\n\nA('x')\n",
    "super": "class A:\n    def m(self):\n        return 1 / 0\n\nclass B(A):\n    def m(self):\n        return super().m()\n\nB().m()\n",
    "recursion": "def f(n):\n    return f(n + 1)\n\nimport sys\nsys.setrecursionlimit(200)\nf(0)\n",
    "repeated": "def f(n):\n    if n:\n        f(n - 1)\n    else:\n        1 / 0\n\nf(20)\n",
    "two-step recursion": "def a(n):\n    b(n)\n\ndef b(n):\n    if not n:\n        raise ValueError\n    a(n - 1)\n\na(6)\n",
    "wrong argument count": "def f(a, b):\n    pass\n\nf(1)\n",
    "unexpected keyword": "def f(a):\n    pass\n\nf(1, b=2)\n",
    "not callable": "x = 5\nx(1)(2)\n",
    "unpack": "a, b = 1, 2, 3\n",
    "unpack star": "a, b, *c = 'x'\n",
    "unpack in for": "for a, b in [(1, 2), (3,)]:\n    pass\n",
    "not iterable": "for x in 5:\n    pass\n",
    "assert": "n = 3\nassert n > 3, f'n is {n}'\n",
    "assert without text": "assert not 'a'\n",
    "augmented": "n = 1\nn += 'a'\n",
    "augmented subscript": "d = {}\nd['a'] += 1\n",
    "augmented attribute": "class A: pass\na = A()\na.n += 1\n",
    "unary": "x = -'a'\n",
    "compare": "print(1 < 2 < 'a')\n",
    "f-string": "n = None\nprint(f'{n:>10}')\n",
    "f-string nested": "n = 3\nprint(f'a {n + 1} {n / 0:>{n}}')\n",
    "delete": "del nothing\n",
    "delete item": "x = []\ndel x[3]\n",
    "slice": "x = [1]\nx['a':2]\n",
    "walrus": "if (n := 5) and (m := n / 0):\n    pass\n",
    "ternary": "x = 1 if 1 / 0 else 2\n",
    "match": "class P:\n    __match_args__ = ('a',)\n    @property\n    def a(self):\n        return 1 / 0\n\nmatch P():\n    case P(3):\n        pass\n",
    "unicode before marker": "s = 'gr\u00fc\u00dfe \u6c49\u5b57'; t = len('\u00e9') + s.nothing + 1\n",
    "wide characters": "\u5909\u6570 = None\nprint('\U0001f600', \u5909\u6570.x)\n",
    "tabs": "if True:\n\tx = 1\n\ty = x + (x / 0)\n",
    "long line": "x = " + " + ".join(f"name_{n}" for n in range(40)) + "\n",
    "note": "e = ValueError('v')\ne.add_note('first note')\ne.add_note('second\\nnote')\nraise e\n",
    "group": "raise ExceptionGroup('several', [ValueError(1), TypeError('t')])\n",
    "nested group": "def f(n):\n    try:\n        raise ValueError(n)\n    except ValueError as e:\n        return e\n\nraise ExceptionGroup('outer', [f(1), ExceptionGroup('inner', [f(2), f(3)])])\n",
    "except star": "try:\n    raise ExceptionGroup('g', [ValueError(1), OSError(2), TypeError(3)])\nexcept* ValueError:\n    raise KeyError('new')\nexcept* OSError:\n    pass\n",
    "base exception": "class Stop(BaseException):\n    pass\n\nraise Stop('now')\n",
    "own class": "class MyError(Exception):\n    def __str__(self):\n        return 'my text'\n\nraise MyError\n",
    "nested class": "class Outer:\n    class Error(Exception):\n        pass\n\nraise Outer.Error('x')\n",
    "local class": "def f():\n    class Local(Exception):\n        pass\n    raise Local(1, 2)\n\nf()\n",
    "str fails": "class E(Exception):\n    def __str__(self):\n        raise ValueError\n\nraise E\n",
    "not an exception": "raise 5\n",
    "raise class": "raise KeyError\n",
    "cause not exception": "raise KeyError from 5\n",
    "stop iteration": "def g():\n    next(iter([]))\n    yield\n\nlist(g())\n",
    "exec": "exec('x = 1\\ny = x / 0')\n",
    "eval": "eval('1 + undefined')\n",
    "exec syntax": "exec('x = = 1')\n",
    "compile": "code = compile('def f():\\n    return 1 / 0\\n', '<made>', 'exec')\nexec(code)\nf()\n",
    "white space at the end": "def f(x): \n    return 1 / x  \n\ny = f(0) \t\n",
    "tab before": "if 1:\n\tx = {}\n\tx['a'] \n",
    "white space after whole line": "raise ValueError(1) \n",
    "white space in first line": "def f(*a):\n    return 1 / 0\n\nf(1,  \n  2)\n",
    "left operand in parentheses": "x = 'ab'\ny = (1.0/6.0)*x\n",
    "both in parentheses": "x = ( (1) )//(None)\n",
    "parenthesis after operator": "x = (1)+(None) \n",
    "two parentheses": "x = ((1) + (2)) ** None \n",
    "subscript after parentheses": "a = 1\nz = ((a) )[ ((0) )] \n",
    "subscript with blanks": "x = [1, 2][ 5 ] \n",
    "subscript after a blank": "a = 1\nf = (a) [0]\n",
    "not ascii and parentheses": "x = '\u00e9', (1)*None  \n",
    "blank lines": "\n\n\ndef f():\n\n\n    return (1\n\n            / 0)\n\n\nf()\n",
    "comment after": "x = 1 / 0  # why not\n",
    "semicolons": "a = 1; b = 0; c = a / b; d = 4\n",
    "after continuation": "a = 1 + \\\n    2 / \\\n    0\n",
    "no newline at end": "1 / 0",
    "form feed": "\x0c1 / 0\n",
    "syntax": "x = 1\ny = (2,\nz = 3\n",
    "syntax caret": "print('a') print('b')\n",
    "syntax range": "f(a for a in b, c)\n",
    "syntax indent": "def f():\nx = 1\n",
    "syntax dedent": "if 1:\n        a\n    b\n",
    "syntax string": "x = 'abc\n",
    "syntax assignment": "f() = 1\n",
    "syntax scope": "def f():\n    x = 1\n    global x\n",
    "syntax tab": "if 1:\n\tprint 'a'\n",
    "syntax blanks and tab": "if 1:\n  \tx = = 1 \t\n",
    "syntax tab in line": "x = 1 +\t\n",
    "syntax tab in second line": "x = (1,\n\t 2 3)\t\n",
    "syntax over lines": "if 1:\n\tf(a for a in b, \t\n\t c)\n",
    "syntax from target over lines": "if 1:\n\t(a +\n\t b) = 1\n",
    "syntax tab and form feed": "if 1:\n\t\x0cx = 1\n",
    "syntax by the guest": "e = SyntaxError('no', ('a.py', 3, 9, 'abc\\n\\tdefgh\\n', 3, 11))\nraise e\n",
    "syntax without columns": "raise SyntaxError('no', ('a.py', 3, None, '\\tabc'))\n",
    "syntax return": "return 1\n",
    "syntax break": "while 1:\n    def f():\n        break\n",
    "syntax invalid character": "x = 1 \u2013 2\n",
    "syntax missing colon": "if x\n    pass\n",
    "syntax keyword argument": "f(a=1, a=2)\n",
    "syntax f-string": "f'{a b}'\n",
    "store in a constant": "'abc'[0] = 1\n",
    "store in a tuple of constants": "x = (1, 'a')[-1] = 1\n",
    "store far outside a constant": "'abc'[9] = 1\n",
    "store in a constant by a name": "n = 0\n'abc'[n] = 1\n",
    "delete in a constant": "del 'a' 'b'[0]\n",
    "key error text": "{}['two\\nlines']\n",
    "os error": "raise FileNotFoundError(2, 'No such file', 'name.txt')\n",
    "unicode error": "'\u20ac'.encode('ascii')\n",
    "overflow": "1.5 ** 100000\n",
    "huge int": "print(len(str(10 ** 10000)))\n",
    "int text": "int('12x')\n",
    "import error": "import time\nfrom time import nothing_there\n",
    "module missing": "import not_there.sub\n",
    "async free": "x = [n async for n in y]\n",
}
# Where the text differs from CPython's, and why.
KNOWN = {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("programs")


@pytest.mark.parametrize("name", PROGRAMS)
def test_traceback(name, folder, request):
    if sys.version_info < (3, 11, 4) and ("parenthes" in name or name in ("subscript with blanks", "subscript after a blank")):
        pytest.skip("the first releases of 3.11 mark other columns")
    if name in KNOWN:
        request.applymarker(pytest.mark.xfail(reason=KNOWN[name], strict=True))
    source = PROGRAMS[name].encode()
    path = folder / f"{name.replace(' ', '_').replace('-', '_')}.py"
    path.write_bytes(source)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, timeout=60, cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": ""},
    )
    result = kr.run(source, filename=str(path))
    assert (result.error.traceback if result.error else "") == done.stderr.decode()


def test_source_lines_without_a_file():
    """The source of the run itself is shown, though no file has it."""
    text = kr.run("def f():\n    return 1 / 0\n\nf()\n", filename="<job>").error.traceback
    assert text.splitlines()[:3] == [
        "Traceback (most recent call last):", '  File "<job>", line 4, in <module>', "    f()",
    ]
    assert "    return 1 / 0\n           ~~^~~\n" in text


@pytest.mark.parametrize("length", (1_000, 200_000))
def test_statements_of_any_length_have_a_traceback(length):
    source = f"values = [{'1, ' * (length // 3)}1/0]"
    result = kr.run(source)
    assert result.error.type == "ZeroDivisionError"
    frame = result.error.traceback.splitlines()
    assert frame[1] == '  File "<guest>", line 1, in <module>' and frame[2] == "    " + source
    assert frame[-1] == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("kilobytes", range(600, 1400, 100))
def test_no_memory_is_left_for_the_marks(kilobytes):
    filled = f"def f(a):\n    held = []\n    while True: held.append((len(held) + a) * (a // {'1' * 40}))\nf(10**20)"
    error = kr.run(filled, limits=kr.Limits(memory=kilobytes * 1000)).error
    assert error.type == "MemoryError" or error.limit == "memory"
