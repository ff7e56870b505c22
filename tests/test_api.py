"""The public API: run, Runtime, Result, GuestError, GuestException."""
import inspect
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import threading
import types

import pytest

import kimi_runtime as kr
from kimi_runtime.bytecode.disassembler import disassemble


def test_public_names():
    assert sorted(kr.__all__) == [
        "CacheStats",
        "Description",
        "Done",
        "Event",
        "Finding",
        "Frame",
        "GuestError",
        "GuestException",
        "GuestObject",
        "IsolationError",
        "IsolationWarning",
        "JIT",
        "KimiError",
        "LimitExceeded",
        "Limits",
        "MemoryEvent",
        "MemoryGuard",
        "Mount",
        "ParseCache",
        "PendingCall",
        "Policy",
        "Pool",
        "PoolFull",
        "PoolSession",
        "Record",
        "Result",
        "Runtime",
        "Session",
        "SessionError",
        "SnapshotError",
        "Stats",
        "Suspended",
        "WorkerCrashed",
        "__version__",
        "allocator",
        "check",
        "containers",
        "expose",
        "expose_class",
        "host_function",
        "load",
        "modules",
        "run",
    ]
    for name in kr.__all__:
        assert hasattr(kr, name)


def test_signature():
    parameters = inspect.signature(kr.run).parameters
    assert list(parameters) == ["source", "inputs", "filename", "check", "limits", "on_stdout", "on_stderr", "files", "mounts"]
    assert parameters["inputs"].default is None
    assert parameters["filename"].default == "<guest>"
    assert parameters["filename"].kind is inspect.Parameter.KEYWORD_ONLY


# ---- value -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "source, value",
    [
        ("1 + 1", 2),
        ("x = 40\nx + 2", 42),
        ("x = 40", None),
        ("", None),
        ("# nothing", None),
        ("1; 2; 3", 3),
        ("if True:\n    5", None),
        ("None", None),
        ("'a' * 3\n", "aaa"),
        ("def f(): return 7\nf()", 7),
        ("[n * n for n in range(4)]", [0, 1, 4, 9]),
        ("__name__", "__main__"),
        (b"2 ** 70", 2**70),
        ("# -*- coding: latin-1 -*-\n'\xe9'".encode("latin-1"), "\xe9"),
    ],
)
def test_value(source, value):
    result = kr.run(source, check=True)
    assert result.ok and result.error is None
    assert result.value == value and type(result.value) is type(value)


def test_values_that_are_no_plain_data():
    assert kr.run("lambda a, b=2: a * b").value(3) == 6
    cls = kr.run("class C:\n    def twice(self, n): return 2 * n\nC").value
    assert repr(cls) == "<guest class C>" and repr(cls()) == "<guest object of type C>"
    assert isinstance(cls.raw, type) and cls.raw().twice(4) == 8
    assert list(kr.run("(n for n in range(3))").value.raw) == [0, 1, 2]


# ---- inputs ------------------------------------------------------------------------------------------
def test_inputs_are_globals():
    assert kr.run("def f(): return a + b\nf()", {"a": 1, "b": 2}).value == 3
    basket = []
    kr.run("basket.append(1)", {"basket": basket}, check=True)
    assert basket == []
    inputs = {"a": 1}
    kr.run("a = 5; c = 6", inputs, check=True)
    assert inputs == {"a": 1}
    assert kr.run("a", types.MappingProxyType({"a": 3})).value == 3


@pytest.mark.parametrize("name", ["not a name", "", "1a", "class", "None", "a.b", 5, None, b"a", "__builtins__"])
def test_bad_input_names(name):
    with pytest.raises(ValueError, match="inputs: "):
        kr.run("1", {name: 1})


def test_bad_source():
    for source in (None, 5, ["1"]):
        with pytest.raises(TypeError, match="source"):
            kr.run(source)


class Sink:
    write = None


@pytest.mark.parametrize("arguments", [
    {"modules_source": {"a": 5}}, {"modules_source": {5: "1"}}, {"modules_source": 5},
    {"host_modules": {"a": 5}}, {"host_modules": [types]}, {"host_modules": {5: types}}, {"stdout": 5}, {"stderr": "out"},
    {"stdout": Sink()}, {"argv": None}, {"argv": "ab"}, {"argv": [1]}, {"argv": 5}, {"stdin": 5}, {"stdin": b"a"},
], ids=str)
def test_wrong_arguments(arguments):
    (name,) = arguments
    with pytest.raises(TypeError, match=name):
        kr.Runtime(**arguments)


def test_wrong_arguments_of_run():
    for arguments in ({"filename": 5}, {"filename": None}, {"inputs": [("a", 1)]}, {"inputs": "a"}, {"inputs": 0}):
        with pytest.raises(TypeError, match=next(iter(arguments))):
            kr.run("1", **arguments)


def test_namespaces_are_fresh():
    assert kr.run("leak = 1").ok
    assert kr.run("leak").error.type == "NameError"
    runtime = kr.Runtime()
    assert runtime.run("leak = 1").ok
    assert runtime.run("leak").error.type == "NameError"


def test_builtins_are_fresh():
    kr.run("__builtins__['len'] = None; import sys; sys.marker = 1")
    assert kr.run("len('ab')").value == 2
    assert not kr.run("import sys; hasattr(sys, 'marker')").value


def test_host_state_is_untouched():
    before = dict(vars(sys)), sys.stdout, sys.displayhook
    assert kr.run("import sys; sys.argv.append('x'); print(1)").ok
    assert (dict(vars(sys)), sys.stdout, sys.displayhook) == before
    assert "x" not in sys.argv


# ---- output ------------------------------------------------------------------------------------------
def test_output(capfd):
    result = kr.run("import sys\nprint('a', 1, sep='-')\nprint('b', file=sys.stderr)\nsys.stdout.write('c')")
    assert (result.stdout, result.stderr) == ("a-1\nc", "b\n")
    assert (result.stdout, result.stderr) == ("a-1\nc", "b\n")
    assert capfd.readouterr() == ("", "")


WRAPPED = "import io, sys\nwrapped = sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nprint('h\xe9')\n"


def test_streams_of_the_guest_are_flushed():
    """What a guest puts in the place of its streams may hold back text: not beyond the end of its program, or of a cell."""
    assert kr.run(WRAPPED).stdout == "h\xe9\n"
    assert kr.run(WRAPPED + "1 / 0").stdout == "h\xe9\n"
    session = kr.Runtime().session()
    assert [session.run(each).stdout for each in (WRAPPED, "print('more')", "print('more'); None")] == [
        "h\xe9\n", "more\n", "more\n"]
    failing = kr.run("import sys\nclass S:\n    flush = write = None\nsys.stdout = S()")
    assert failing.ok and "TypeError: 'NoneType' object is not callable" in failing.stderr


def test_excepthook_is_the_hosts():
    """The exception of a run is data for the host, as for one that embeds CPython: the guest's hook is for whole programs."""
    result = kr.run("import sys\nsys.excepthook = lambda *a: print('hook')\n1 / 0")
    assert (result.error.type, result.stdout, result.stderr) == ("ZeroDivisionError", "", "")


def test_output_elsewhere():
    class Sink:
        def __init__(self):
            self.pieces = []

        def write(self, text):
            self.pieces.append(text)

        def flush(self):
            self.pieces.append("FLUSH")

    out, err = Sink(), Sink()
    result = kr.Runtime(stdout=out, stderr=err).run(
        "import sys; print('a', flush=True); print('b', file=sys.stderr)", check=True
    )
    assert "".join(out.pieces) == "a\nFLUSH" and "".join(err.pieces) == "b\n"
    assert (result.stdout, result.stderr) == ("", "")


def test_argv():
    assert kr.run("import sys; sys.argv").value == [""]
    assert kr.Runtime(argv=["a", "b"]).run("import sys; sys.argv").value == ["a", "b"]


# ---- errors ------------------------------------------------------------------------------------------
def test_error():
    source = "def f(d):\n    return d['k']\nprint('before')\nf({})\n"
    result = kr.run(source, filename="job.py")
    error = result.error
    assert not result.ok and result.value is None and result.stdout == "before\n"
    assert (error.type, error.message, error.filename, error.line) == ("KeyError", "'k'", "job.py", 2)
    assert error.column == 12 and error.exit_code is None
    assert error.traceback.startswith('Traceback (most recent call last):\n  File "job.py", line 4, in <module>\n')
    assert error.traceback.endswith("KeyError: 'k'\n")
    assert str(error) == "KeyError: 'k'"


@pytest.mark.parametrize(
    "source, type_name, message, line",
    [
        ("x = (1 +", "SyntaxError", "'(' was never closed", 1),
        ("a = 1\nb = = 2", "SyntaxError", "invalid syntax", 2),
        ("if 1:\npass", "IndentationError", "expected an indented block after 'if' statement on line 1", 2),
        ("raise ValueError", "ValueError", "", 1),
        ("\n\nraise ValueError('a\\nb')", "ValueError", "a\nb", 3),
        ("class Mine(Exception): pass\nraise Mine(1, 2)", "Mine", "(1, 2)", 2),
        ("class B(Exception):\n  def __str__(self): raise KeyError\nraise B", "B", "<exception str() failed>", 3),
        ("raise KeyError('k') from OSError('o')", "KeyError", "'k'", 1),
        ("raise ExceptionGroup('g', [ValueError(1)])", "ExceptionGroup", "g (1 sub-exception)", 1),
        ("assert 0, 'no'", "AssertionError", "no", 1),
        ("def f(): f()\nf()", "RecursionError", "maximum recursion depth exceeded", 1),
        ("raise GeneratorExit", "GeneratorExit", "", 1),
        ("import nothing_here", "ModuleNotFoundError", "No module named 'nothing_here'", 1),
    ],
)
def test_errors(source, type_name, message, line):
    error = kr.run(source).error
    assert error.type == type_name
    assert error.message.startswith(message) if type_name == "RecursionError" else error.message == message
    assert error.line == line


@pytest.mark.parametrize("source", [b"\xff", b"# coding: no-such\n", "a\0b", "'\ud800'\n\ud800"])
def test_undecodable_sources_are_guest_errors(source):
    result = kr.run(source)
    assert not result.ok and result.error.type in ("SyntaxError", "ValueError", "UnicodeEncodeError")


@pytest.mark.parametrize(
    "source, code, message",
    [
        ("raise SystemExit", 0, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(3)", 3, "3"),
        ("import sys; sys.exit('bye')", 1, "bye"),
        ("raise SystemExit(None)", 0, "None"),
        ("raise SystemExit(True)", 1, "True"),
    ],
)
def test_system_exit_is_data(source, code, message):
    error = kr.run(source).error
    assert (error.type, error.exit_code, error.message) == ("SystemExit", code, message)


def test_error_holds_no_guest_objects():
    error = kr.run("class E(Exception): pass\nraise E('x')").error
    for name in type(error).__slots__[:-1]:
        assert isinstance(getattr(error, name), (str, int, type(None)))
    again = pickle.loads(pickle.dumps(error))
    assert again.message == "x" and again.frames == error.frames and len(again.frames) == 1
    assert all(isinstance(part, (str, int, type(None))) for part in again.frames[0].parts())


def test_nothing_of_ours_in_tracebacks():
    sources = ["sorted([1, 2], key=lambda n: 1 / 0)", "def g():\n    yield 1\n    raise OSError\nlist(g())",
               "class A:\n    def __add__(self, o): raise KeyError\nA() + 1", "import helper", "eval('1/0')"]
    runtime = kr.Runtime(modules_source={"helper": "1 / 0"})
    for source in sources:
        text = runtime.run(source).error.traceback
        assert "kimi" not in text and ".pyx" not in text, text


def test_check_and_unwrap():
    with pytest.raises(kr.GuestException) as caught:
        kr.run("print('p')\n1 / 0", check=True)
    failure = caught.value
    assert str(failure) == "ZeroDivisionError: division by zero (<guest>, line 2)"
    assert failure.error.type == "ZeroDivisionError" and failure.result.stdout == "p\n"
    assert failure.__cause__ is None and failure.__context__ is None
    assert isinstance(failure, kr.KimiError)
    result = kr.run("1 / 0")
    with pytest.raises(kr.GuestException):
        result.unwrap()
    assert kr.run("5").unwrap() == 5
    assert kr.run("5", check=True).value == 5


def test_reprs():
    assert repr(kr.run("5")) == "Result(ok=True, value=5)"
    assert "ZeroDivisionError" in repr(kr.run("1/0"))
    assert repr(kr.run("1").stats).startswith("Stats(parse_seconds=")


# ---- modules -----------------------------------------------------------------------------------------
def test_guest_modules():
    runtime = kr.Runtime(modules_source={
        "a": "import b\nlog = []\ndef f(n): return b.g(n) + 1\n__all__ = ['f']",
        "b": "def g(n): return n * 10",
        "pkg": "here = 1",
        "pkg.sub": "from pkg import here\nvalue = here + 1",
    })
    assert runtime.run("import a; a.f(2)").value == 21
    assert runtime.run("from a import *; f(3)").value == 31
    assert runtime.run("import a, a as again; a is again").value is True
    assert runtime.run("import a; a.log.append(1); a.log").value == [1]
    assert runtime.run("import a; a.log").value == []
    assert runtime.run("import a; a.__name__").value == "a"
    assert runtime.run("import pkg.sub; pkg.sub.value, pkg.here").value == (2, 1)
    assert runtime.run("from pkg import sub; sub.value").value == 2
    assert kr.run("import a").error.type == "ModuleNotFoundError"


def test_guest_module_errors():
    runtime = kr.Runtime(modules_source={"bad": "x = 1\n1 / 0\n", "worse": "x = = 1"})
    error = runtime.run("import bad").error
    assert (error.type, error.line) == ("ZeroDivisionError", 2)
    assert runtime.run("import worse").error.type == "SyntaxError"
    again = runtime.run("try:\n    import bad\nexcept ZeroDivisionError:\n    pass\nimport bad").error
    assert again.type == "ZeroDivisionError"


def test_host_modules():
    module = types.ModuleType("tools")
    module.double = lambda n: n * 2
    runtime = kr.Runtime(host_modules={"tools": module})
    assert runtime.run("import tools; tools.double(4)").value == 8
    assert runtime.run("from tools import double; double(4)").value == 8
    assert kr.run("import tools").error.type == "ModuleNotFoundError"


@pytest.mark.parametrize("name", ["socket", "subprocess", "builtins_x", "ctypes", "kimi_runtime"])
def test_other_modules_do_not_exist(name):
    error = kr.run(f"import {name}").error
    assert error.type == "ModuleNotFoundError" and error.message.startswith(f"No module named {name!r}")


# ---- stats and cache ---------------------------------------------------------------------------------
def test_stats():
    source = "total = 0\nfor n in range(1000):\n    total += n\ntotal  # test_stats"
    # A cache of its own: what the process shares may be full of programs that are asked for more often.
    run = kr.Runtime(cache=kr.ParseCache()).run
    first = run(source).stats
    assert not first.cached and first.parse_seconds > 0 and first.compile_seconds > 0 and first.run_seconds > 0
    assert first.instructions > 2000 and 1 < first.peak_registers < 1000
    second = run(source).stats
    assert second.cached and second.parse_seconds == second.compile_seconds == 0.0
    assert second.instructions == first.instructions
    assert not run(source, filename="other").stats.cached


def test_peak_registers_grow_with_depth():
    deep = kr.run("def f(n): return n and f(n - 1)\nf(200)").stats.peak_registers
    flat = kr.run("def f(n): return n\nf(200)").stats.peak_registers
    assert deep > flat + 200


def test_same_code_in_different_namespaces():
    source = textwrap.dedent("""
        def f():
            return x
        f()
    """)
    for n in range(5):
        assert kr.run(source, {"x": n}).value == n


def test_stats_of_nested_and_threaded_runs():
    """Each run has its own figures, whatever else ran in between."""
    source = "x = 1\nfor i in range(3000): x += i"
    alone = kr.run(source).stats

    def run(source):
        stats = kr.run(source).stats
        return stats.instructions, stats.peak_registers

    inside = kr.run("run(source)", {"run": run, "source": source})
    assert inside.value == (alone.instructions, alone.peak_registers)
    assert inside.stats.instructions > alone.instructions
    again = kr.run("run('for i in range(9): 1 / i')\nrun(source)[0]", {"run": run, "source": source})
    assert again.value == alone.instructions

    found = []

    def run_some(count):
        for _ in range(30):
            found.append((count, kr.run(f"x = 1\nfor i in range({count}): x += i").stats.instructions))

    workers = [threading.Thread(target=run_some, args=(count,)) for count in (10, 100, 1000)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(set(found)) == 3


def test_instructions_are_counted_exactly():
    from kimi_runtime.bytecode.compiler import compile_source

    source = "a = 1\nb = a + 2\nc = [a, b]\nc[0] = b\nlen(c)"
    listed = disassemble(compile_source(source, "<guest>", "notebook"))
    lines = [line for line in listed.splitlines() if re.match(r"\s+(\d+ +)*[A-Z]{2}", line)]
    assert kr.run(source).stats.instructions == len(lines)


def test_interrupts_of_the_guest_are_data(request):
    """Only an interrupt of the host itself leaves run() as an exception."""
    own = ["raise KeyboardInterrupt", "raise KeyboardInterrupt('x')",
           "sorted([1, 2], key=lambda n: exec('raise KeyboardInterrupt'))",
           "def g(): yield\ni = g(); next(i); i.throw(KeyboardInterrupt)",
           "class Mine(KeyboardInterrupt): pass\nraise Mine"]
    for source in own:
        assert kr.run(source).error.traceback.splitlines()[-1].startswith(("KeyboardInterrupt", "Mine")), source
        nested = kr.run("run(source)", {"run": lambda source: kr.run(source).error.type, "source": source})
        assert nested.value in ("KeyboardInterrupt", "Mine")

    def press():
        signal.raise_signal(signal.SIGINT)

    # Started in the background, the test process ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    for source in ["press()", "try:\n    press()\nexcept KeyboardInterrupt as e:\n    raise e",
                   "try:\n    press()\nexcept KeyboardInterrupt:\n    raise",
                   "try:\n    raise KeyboardInterrupt\nexcept KeyboardInterrupt:\n    pass\npress()"]:
        with pytest.raises(KeyboardInterrupt) as caught:
            kr.run(source, {"press": press})
        assert caught.value.__context__ is None
    assert kr.run("1").value == 1


def test_runs_inside_runs():
    inner = kr.Runtime()
    result = kr.run("def twice(s):\n    return run(s) * 2\ntwice('20 + 1'), x", {"run": lambda s: inner.run(s).value, "x": 1})
    assert result.value == (42, 1)


def test_import_loads_little():
    """What few programs need of the host's library, and what takes long to load, comes when it is first used."""
    program = "import sys; before = set(sys.modules); import kimi_runtime; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({os.path.dirname(os.path.dirname(kr.__file__))!r}); {program}"],
                            capture_output=True, text=True, check=True).stdout.split()
    assert "kimi_runtime._core" in loaded
    late = {"typing", "ast", "dis", "opcode", "inspect", "datetime", "decimal", "dataclasses", "asyncio", "logging",
            "threading", "json", "string", "random", "tempfile", "pathlib", "argparse", "subprocess", "concurrent.futures",
            "re", "enum", "tokenize", "traceback", "linecache", "textwrap", "hashlib", "sysconfig"}
    assert not late & set(loaded)


def test_runs_load_little():
    """OpenSSL is 4 MB and 5 ms, and what the library itself runs on is not loaded by the host a second time."""
    program = ("import sys, kimi_runtime; session = kimi_runtime.Runtime().session(); session.run('1 + 1'); "
               "session.run('import math, functools, re'); print(*sorted(sys.modules))")
    loaded = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.append({os.path.dirname(os.path.dirname(kr.__file__))!r}); {program}"],
                            capture_output=True, text=True, check=True).stdout.split()
    assert "kimi_runtime.library.loader" in loaded
    assert not {"_hashlib", "ast", "dis", "inspect", "dataclasses", "traceback", "sysconfig"} & set(loaded)
