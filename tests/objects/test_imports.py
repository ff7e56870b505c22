"""Guest modules given as source, against the same modules on disk under CPython."""
import os
import subprocess
import sys

import pytest
from kimi_runtime.bytecode.compiler import compile_source

import kimi_runtime
from kimi_runtime import _core
from kimi_runtime.objects import context, tracebacks

MODULES = {
    "helper": "value = 5\ndef double(x): return 2 * x\n_private = 1\n",
    "exports": "__all__ = ['a', '_b']\na = 1\n_b = 2\nc = 3\n",
    "bad_all": "__all__ = ['a', 5]\na = 1\n",
    "missing_all": "__all__ = ['nothing']\n",
    "fails": "x = 1\nraise ValueError('while importing')\n",
    "syntax": "x = = 1\n",
    "circular_a": "import circular_b\nx = 1\nfrom circular_b import y\n",
    "circular_b": "from circular_a import x\ny = 2\n",
    "counts": "print('imported', __name__, __package__)\n",
    "replaces": "import sys\nclass M:\n    attribute = 'of the object'\nsys.modules[__name__] = M()\n",
    "pkg/__init__": "from .mod import f\nfrom . import other\nname = __name__, __package__\n",
    "pkg/mod": "from .other import g\ndef f(): return 'f', g(), __name__, __package__\n",
    "pkg/other": "def g(): return __name__\n",
    "pkg/star": "from .other import *\nfrom ..helper import value\n",
    "pkg/sub/__init__": "from ..other import g\nfrom ..mod import *\n",
    "pkg/sub/deep": "from ... import nothing\n",
    "pkg/sub/up": "from .. import other\nfrom ..other import g\nx = g()\n",
}

PROGRAMS = [
    "import helper\nprint(helper.value, helper.double(4), helper.__name__, helper.__package__ == '')",
    "from helper import value as v, double\nprint(v, double(v))",
    "from helper import *\nprint(value, '_private' in globals())",
    "from exports import *\nprint(a, _b, 'c' in globals())",
    "from bad_all import *",
    "from missing_all import *",
    "import fails",
    "try: import fails\nexcept ValueError: pass\nimport sys\nprint('fails' in sys.modules)\nimport fails",
    "import circular_a",
    "import counts, counts\nfrom counts import *\nimport sys\nprint(sys.modules['counts'] is counts)",
    "import replaces\nprint(replaces.attribute)",
    "import pkg\nprint(pkg.f(), pkg.name, pkg.other.g(), pkg.mod.f is pkg.f)",
    "import pkg.mod as m, pkg.other\nprint(m.f(), pkg.other.g())",
    "from pkg import mod, sub\nprint(sub.g(), sub.f())",
    "from pkg.sub.up import x, other\nprint(x, other.__name__)",
    "import pkg.nothing",
    "import pkg.mod.nothing",
    "import helper.nothing",
    "from pkg import nothing",
    "from helper import nothing",
    "import pkg.sub.deep",
    "import pkg.star",
    "import nothing_at_all",
    "import nothing.at.all",
    "from . import x",
    "from .x import y",
    "import sys\nsys.modules['gone'] = None\nimport gone",
    "print(__import__('pkg.mod').__name__, __import__('pkg.mod', fromlist=['f']).__name__)",
    "__import__('')", "__import__(5)", "__import__('x', level=-1)", "__import__()",
    "import sys\nimport helper\ndel sys.modules['helper']\nimport helper as again\nprint(again is helper)",
    "def f():\n    import helper\n    return helper.value\nprint(f())",
    "import pkg\ntry:\n    pkg.nothing\nexcept AttributeError as e: print(e)",
    "import syntax",
    "import math\nprint(math.sqrt(9), math.__name__)\nfrom math import *\nprint(floor(pi))",
]


def normal(text, folder):
    return text.replace(str(folder) + os.sep, "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("modules")
    for name, source in MODULES.items():
        path = root / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return root


def run_guest(source):
    run, error = context.RunContext(modules_source=MODULES), ""
    try:
        _core.run_code(compile_source(source, "main.py"), {"__name__": "__main__", "__builtins__": context.make_builtins(run)})
    except BaseException as e:
        error = tracebacks.format_exception(e)
    return "".join(run.stdout_parts), error




@pytest.mark.parametrize("source", PROGRAMS)
def test_import(source, folder):
    (folder / "main.py").write_text(source)
    done = subprocess.run([sys.executable, "main.py"], capture_output=True, text=True, cwd=folder, timeout=60,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    out, error = run_guest(source)
    assert out == done.stdout
    assert error.splitlines()[-1:] == normal(done.stderr, folder).splitlines()[-1:]
    assert [line for line in error.splitlines() if line.startswith("  File")] == \
        [line for line in normal(done.stderr, folder).splitlines() if line.startswith("  File")]


def test_folder_without_init_comes_after_the_library(tmp_path):
    """A folder of the guest that is only part of a namespace does not hide a module of the library."""
    for name in ("json", "own"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.py").write_text("x = 3\n")
    source = "import json\nfrom own import part\nprint(json.dumps([1]), part.x)\n"
    for given in (str(tmp_path), {"json/part.py": "x = 3", "own/part.py": "x = 3"}):
        assert kimi_runtime.Runtime(modules_source=given).run(source, check=True).stdout == "[1] 3\n"


def test_dotted_names_of_sources():
    run = context.RunContext(modules_source={"p.q": "x = 1", "p": "y = 2", "s.t.u": "z = 3"})
    space = {"__name__": "__main__", "__builtins__": context.make_builtins(run)}
    _core.run_code(compile_source("import p.q, s.t.u\nr = p.q.x, p.y, s.t.u.z\n", "m"), space)
    assert space["r"] == (1, 2, 3)


def test_host_modules():
    import textwrap
    run = context.RunContext(host_modules={"textwrap": textwrap})
    space = {"__name__": "__main__", "__builtins__": context.make_builtins(run)}
    _core.run_code(compile_source("import textwrap\nr = textwrap.indent('a', ' ')\n", "m"), space)
    assert space["r"] == " a"
    with pytest.raises(ModuleNotFoundError, match="the host has it"):
        _core.run_code(compile_source("import socket", "m"), space)


def test_modules_of_contexts_are_apart():
    for _ in range(2):
        out, error = run_guest("import math, helper\nprint(hasattr(math, 'x'), helper.value)\nmath.x = helper.value = 1")
        assert (out, error) == ("False 5\n", "")
