"""The command line against CPython's: streams, exit status, messages."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def ours(*arguments, **options):
    return start("-m", "kimi_runtime", *arguments, **options)


def theirs(*arguments, **options):
    return start(*arguments, **options)


def start(*arguments, input=b"", env=None, cwd=None):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], input=input, capture_output=True, timeout=60,
        env={**ENVIRONMENT, **(env or {})}, cwd=cwd,
    )
    return done.stdout, done.stderr, done.returncode


def same(*arguments, **options):
    got, expected = ours(*arguments, **options), theirs(*arguments, **options)
    assert got == expected
    return got


# ---- running programs --------------------------------------------------------------------------------
PROGRAMS = {
    "plain": "print('hi')",
    "argv": "import sys; print(sys.argv[1:], len(sys.argv))",
    "name": "print(__name__)",
    "uncaught": "def f(x):\n    return 1 / x\n\nf(0)\n",
    "chained": "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('b') from e\n",
    "exit zero": "import sys; print('a'); sys.exit()",
    "exit three": "import sys; sys.exit(3)",
    "exit text": "import sys; sys.exit('good bye')",
    "exit digits": "import sys; sys.exit('12')",
    "exit negative": "raise SystemExit(-1)",
    "exit large": "raise SystemExit(256 + 7)",
    "exit none": "raise SystemExit(None)",
    "exit true": "raise SystemExit(True)",
    "exit tuple": "raise SystemExit((1, 2))",
    "exit object": "raise SystemExit([1])",
    "exit float": "raise SystemExit(2.5)",
    "exit in finally": "try:\n    1 / 0\nfinally:\n    raise SystemExit(4)\n",
    "exit builtin": "exit(5)",
    "stderr": "import sys; print('e', file=sys.stderr); sys.stderr.write('f')",
    "no newline": "import sys; sys.stdout.write('abc')",
    "unicode": "print('gr\u00fc\u00dfe \u6c49 \U0001f600')",
    "syntax": "x = 1\ny = (2,\n",
    "syntax caret": "a b c\n",
    "indent": "if 1:\nx = 2\n",
    "inner indent": "if 1:\n    x = 2\n  y = 3\n",
    "tabs": "if 1:\n\tx = 1\n        y = 2\n",
    "empty": "",
    "comment": "# nothing",
    "recursion": "import sys\ndef f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError as e:\n    print(e)\n",
    "group": "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\n",
    "str fails": "class E(Exception):\n    def __str__(self): 1 / 0\nraise E\n",
    "base exception": "class Stop(BaseException): pass\nraise Stop('x')\n",
    "crlf": "x = 1\r\nif x:\r\n    print('''a\r\nb''')\r\n",
    "no value": "1 + 1\n'text'\n",
    "file": "import sys; print(__file__ == sys.argv[0] or __file__[-7:])",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_file(name, tmp_path):
    path = tmp_path / "prog.py"
    path.write_bytes(PROGRAMS[name].encode())
    same(path, "one", "--two", "-c", "three")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ("file", "crlf")])
def test_command(name):
    same("-c", PROGRAMS[name], "one", "-x")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "file"])
def test_stdin(name):
    same("-", "one", "-x", input=PROGRAMS[name].encode())


def test_stdin_without_arguments():
    assert ours(input=b"print(6 * 7)") == (b"42\n", b"", 0)


def test_command_joined():
    assert ours("-cprint(1)") == (b"1\n", b"", 0)


ENCODINGS = {
    "latin": "# -*- coding: latin-1 -*-\nprint(ascii('é'))\n".encode("latin-1"),
    "second line": "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nprint(ascii('€'))\n".encode("cp1252"),
    "bom": b"\xef\xbb\xbfprint(ascii('\xc3\xa9'))\n",
    "bom and coding": b"\xef\xbb\xbf# coding: utf-8\nprint(1)\n",
    "bom against coding": b"\xef\xbb\xbf# coding: latin-1\nprint(1)\n",
    "not utf-8": b"print('\xff')\n",
    "unknown": b"# coding: klingon\nprint(1)\n",
    "null byte": b"print(1)\n\0\n",
    "null byte in text": b"print(1)\nx = 'a\0b'\n",
    "null byte after carriage returns": b"x = 1\r\n  y\0z\r\n",
    "null byte after an error": b"x = = 1\ny = '\0'\n",
    "null byte in latin": b"# coding: latin-1\nx = '\xe9\0'\n",
    "not utf-8 in line two": b"x = 1\n# \xe9\n",
    "not utf-8 after an error": b"x = (1,\n\ny = '\xff'\n",
    "surrogate": b"x = '\xc3\xa9 \xed\xa0\x80'\n",
    "not ascii": b"# coding: ascii\nx = '\xe9'\n",
    "not cp1252": b"# coding: cp1252\nx = '\x81'\n",
    "not a text encoding": b"# coding: rot13\nx = 1\n",
    "utf8 alias": b"# coding: utf8\nx = '\xff'\n",
    "utf-16": b"# coding: utf-16\nx = 1\n",
}
# In a file that says that it is UTF-8 the tokenizer of CPython counts positions from the token.
ENCODINGS_DIFFER = {
    "declared utf-8": b"# coding: utf-8\nx = 1\ny = '\xe9'\n",
    "bom, not utf-8": b"\xef\xbb\xbfx = 1\ny = '\xe9'\n",
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings(name, tmp_path):
    if name.startswith("null byte") and sys.version_info < (3, 11, 4):
        pytest.skip("the first releases of 3.11 take a null byte for the end of a file")
    path = tmp_path / "prog.py"
    path.write_bytes(ENCODINGS[name])
    same(path)
    if "latin" not in name and name != "second line":    # those that CPython takes from files only
        same("-", input=ENCODINGS[name])


@pytest.mark.parametrize("name", ENCODINGS_DIFFER)
def test_encodings_declared(name, tmp_path):
    path = tmp_path / "prog.py"
    path.write_bytes(ENCODINGS_DIFFER[name])
    out, err, status = ours(path)
    expected_out, expected_err, expected_status = theirs(path)
    assert (out, status) == (expected_out, expected_status)
    assert err.split(b" in position")[0].split(b"\n")[-1] == expected_err.split(b" in position")[0].split(b"\n")[-1]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_stdout_encoding(encoding, tmp_path):
    path = tmp_path / "prog.py"
    path.write_text("print('a\u00e9')\nprint('\u6c49')\n", encoding="utf-8")
    same(path, env={"PYTHONIOENCODING": encoding})
    same(path, env={"PYTHONIOENCODING": f"{encoding}:replace"})


# ---- files -------------------------------------------------------------------------------------------
def test_missing_file(tmp_path):
    out, err, status = ours("nowhere.py", cwd=tmp_path)
    expected = theirs("nowhere.py", cwd=tmp_path)
    assert (out, status) == (expected[0], expected[2]) == (b"", 2)
    assert err.split(b": ", 1)[1] == expected[1].split(b": ", 1)[1]


def test_unreadable_file(tmp_path):
    out, err, status = ours(tmp_path)
    assert (out, status) == (b"", 2) and b"can't open file" in err


def test_relative_path_in_traceback(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/prog.py").write_text("1 / 0\n")
    same("sub/prog.py", cwd=tmp_path)
    same("./sub/prog.py", cwd=tmp_path)


# ---- streams -----------------------------------------------------------------------------------------
def test_output_is_live():
    code = "import time\nprint('first', flush=True)\ntime.sleep(30)\n"
    with subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", "-c", code], stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        started = time.monotonic()
        assert process.stdout.readline() == b"first\n"
        assert time.monotonic() - started < 15
        process.kill()


def test_stderr_is_live():
    code = "import sys, time\nprint('first', file=sys.stderr)\ntime.sleep(30)\n"
    with subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", "-c", code], stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        started = time.monotonic()
        assert process.stderr.readline() == b"first\n"
        assert time.monotonic() - started < 15
        process.kill()


@pytest.mark.parametrize("lines", [3, 50_000])
def test_closed_pipe(lines):
    """A reader that goes away: status 120 for a few lines left in the buffer, 1 for a program that goes on printing."""
    code = f"import time\nprint('x', flush=True)\ntime.sleep(0.5)\nfor n in range({lines}): print(n)\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == (120 if lines == 3 else 1) or b"BrokenPipeError" in error
    assert b"kimi" not in error


def test_closed_streams():
    for redirect in (">&-", "2>&-", ">&- 2>&-", "<&-"):
        done = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m kimi_runtime -c "print(1)" {redirect}'],
            capture_output=True, timeout=60, env=ENVIRONMENT,
        )
        assert b"Traceback" not in done.stderr


# ---- the end of a program ----------------------------------------------------------------------------
SAYS = "class A:\n    def __init__(self, name): self.name = name\n    def __del__(self): print('del', self.name, flush=True)\n"
ENDS = {
    "global": SAYS + "a = A('a')\nprint('end')\n",
    "generator": "def g():\n    try: yield\n    finally: print('closed')\nx = g(); next(x)\n",
    "uses other globals": SAYS.replace("print", "say") + "def say(*a, **k): print('says', *a)\na = A('a')\n",
    "cycle": SAYS + "a = A('a'); a.me = a\n",
    "uncaught": SAYS + "a = A('a')\n1 / 0\n",
    "sys.exit": SAYS + "import sys\ndef f():\n    b = A('b')\n    sys.exit(3)\na = A('a')\nf()\n",
    "after exit functions": SAYS + "import atexit\natexit.register(print, 'bye')\na = A('a')\n",
    "interrupted": "import atexit\natexit.register(print, 'bye')\nraise KeyboardInterrupt\n",
    "interrupted, finalizer": SAYS + "a = A('a')\nraise KeyboardInterrupt\n",
}


@pytest.mark.parametrize("name", ENDS)
def test_end_of_program(name, tmp_path):
    path = tmp_path / "prog.py"
    path.write_text(ENDS[name])
    out, _, _ = same(path)
    assert out


# ---- interrupts --------------------------------------------------------------------------------------
@pytest.mark.parametrize("body", ["while True: pass", "import time; time.sleep(60)", "for n in iter(int, 1): len('a')"])
def test_interrupt(body, tmp_path):
    path = tmp_path / "prog.py"
    path.write_text(f"print('go', flush=True)\n{body}\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=ENVIRONMENT, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == b"go\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert err.startswith(b"Traceback (most recent call last):\n") and err.endswith(b"KeyboardInterrupt\n")
    assert b"line 2, in <module>" in err and b"kimi_runtime" not in err


def test_interrupt_caught():
    code = "print('go', flush=True)\ntry:\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", "-c", code], stdout=subprocess.PIPE, env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == b"go\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (out, process.returncode) == (b"caught\n", 0)


# ---- check -------------------------------------------------------------------------------------------
def test_check_finds_what_a_run_finds(tmp_path):
    (tmp_path / "vat.py").write_text("RATE = 19\n")
    (tmp_path / "prog.py").write_text("import vat\nprint(vat.RATE)\n")
    assert ours("prog.py", cwd=tmp_path) == (b"19\n", b"", 0)
    assert ours("check", "prog.py", cwd=tmp_path) == (b"", b"", 0)
    assert ours("check", tmp_path / "prog.py") == (b"", b"", 0)
    assert ours("check", "-", input=b"import vat", cwd=tmp_path) == (b"", b"", 0)
    out, _, status = ours("check", "-", input=b"import rates", cwd=tmp_path)
    assert (out, status) == (b"<stdin>:1:1: error: No module named 'rates' [import-not-allowed]\n", 1)


def test_check_goes_on_after_an_unreadable_file(tmp_path):
    (tmp_path / "prog.py").write_text("print(rate)\n")
    out, err, status = ours("check", "prog.py", "missing.py", cwd=tmp_path)
    assert out == b"prog.py:1:7: error: name 'rate' is not defined [undefined-name]\n"
    assert b"can't open file" in err and status == 2


# ---- other commands ----------------------------------------------------------------------------------
def test_version():
    import kimi_runtime

    assert ours("--version") == (f"kimi-cli {kimi_runtime.__version__}\n".encode(), b"", 0)


def test_short_options():
    assert ours("-V") == ours("--version") and ours("-h") == ours("--help")
    out, err, status = ours("-m", "json")
    assert (out, status) == (b"", 2) and b"-m" in err and b"--help" in err


def test_help():
    out, err, status = ours("--help")
    assert status == 0 and not err
    for word in (b"FILE", b"-c CODE", b"repl", b"dis", b"ast", b"--version"):
        assert word in out
    for command in ("repl", "dis", "ast"):
        out, _, status = ours(command, "--help")
        assert status == 0 and out.startswith(b"Usage: kimi-cli " + command.encode())


@pytest.mark.parametrize("arguments", [["-c"], ["--nonsense"], ["dis"], ["dis", "a", "b"], ["ast", "--mode", "x", "f"], ["-x"]])
def test_wrong_usage(arguments):
    out, err, status = ours(*arguments)
    assert status == 2 and not out and b"--help" in err and b"Traceback" not in err


def test_dis(tmp_path):
    path = tmp_path / "prog.py"
    path.write_text("def add(a, b=2):\n    try:\n        return a + b\n    except TypeError:\n        return 'no'\nprint(add(40))\n")
    out, err, status = ours("dis", path)
    assert (err, status) == (b"", 0)
    for word in (b"ADD", b"add", b"RETURN", b"'no'"):
        assert word in out
    piped, _, _ = ours("dis", "-", input=path.read_bytes())
    assert len(piped.splitlines()) == len(out.splitlines())


def test_ast(tmp_path):
    path = tmp_path / "prog.py"
    path.write_text("for x in range(3):\n    print(f'{x!r:>4}', *[], **{})\n")
    out, err, status = ours("ast", path)
    assert (err, status) == (b"", 0)
    assert out == theirs("-m", "ast", path)[0]
    with_positions = ours("ast", "-a", path)[0]
    assert with_positions == theirs("-m", "ast", "-a", path)[0]


@pytest.mark.parametrize("command", ["dis", "ast"])
def test_bad_source(command, tmp_path):
    path = tmp_path / "prog.py"
    path.write_text("x = = 1\n")
    out, err, status = ours(command, path)
    assert (out, status) == (b"", 1)
    assert err == theirs(path)[1]
    assert ours(command, tmp_path / "none.py")[2] == 2


# ---- repl --------------------------------------------------------------------------------------------
def session(text):
    out, err, status = ours("repl", input=text.encode())
    assert b">>> " not in out and err.startswith(b">>> ")
    return out.decode(), re.sub(r"(>>> |\.\.\. )\n?", "", err.decode()), status


def test_repl_values():
    out, err, status = session("1 + 1\nx = 5\nx\n_ * 2\nNone\n'a'; 'b'\n")
    assert (out.splitlines(), err, status) == (["2", "5", "10", "'a'", "'b'"], "", 0)


def test_repl_blocks():
    out, err, status = session(
        "def f(n):\n    if n:\n        return n\n\n    return 0\n"  # the empty line ends the block
    )
    assert "IndentationError" in err
    out, err, status = session("def f(n):\n    return n * 2\n\nf(4)\nfor i in range(2):\n    print(i)\n\n")
    assert (out.split(), err) == (["8", "0", "1"], "")
    out, err, status = session("x = [1,\n2,\n3]\nx\ns = '''a\nb'''\ns\ny = 1 + \\\n2\ny\n")
    assert (out.splitlines()[:3], err) == (["[1, 2, 3]", "'a\\nb'", "3"], "")
    out, err, status = session("@staticmethod\ndef g(): pass\n\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    print('z')\nelse:\n    2\n\nif 1: print('one')\n\n")
    assert (out.split(), err) == (["z", "one"], "")


def test_repl_errors():
    out, err, status = session("1 / 0\n'after'\nx = = 1\nundefined\n'end'\n")
    assert out.splitlines()[:2] == ["'after'", "'end'"] and status == 0
    assert [line for line in err.splitlines() if line.startswith(("Zero", "Syntax", "Name"))] == [
        "ZeroDivisionError: division by zero", "SyntaxError: invalid syntax", "NameError: name 'undefined' is not defined",
    ]
    assert "kimi_runtime" not in err


def test_repl_exit():
    assert session("exit()\n1\n")[2] == 0
    assert session("import sys\nsys.exit(7)\n1\n")[2] == 7
    out, err, status = session("raise SystemExit('over')\n")
    assert (err, status) == ("over\n", 1)


def test_repl_keeps_names():
    out, err, _ = session("class A:\n    n = 1\n\na = A()\na.n += 1\na.n\ndef g():\n    yield a.n\n\nlist(g())\n")
    assert (out.split(), err) == (["2", "[2]"], "")


def test_completion():
    from kimi_runtime.cli.repl import Completer

    class Thing:
        size = 1
        _hidden = 2

    find = Completer({"thing": Thing(), "think": 1, "__builtins__": {"len": len}}).find
    assert find("thi") == ["thing", "think"]
    assert find("le") == ["len"] and find("whi") == ["while"]
    assert find("thing.") == ["thing.size"] and find("thing._h") == ["thing._hidden"]
    assert find("nothing.x") == [] and find("thing.nope.x") == []


def test_completion_runs_nothing():
    from kimi_runtime.cli.repl import Prompt, Completer

    prompt = Prompt()
    prompt.run("""
class Trap:
    plain = 'text'
    @property
    def prop(self): ran.append('property')
    def __getattr__(self, name): ran.append(name)
    def __dir__(self): ran.append('dir'); return []
    def method(self): pass
""")
    prompt.run("ran = []; trap = Trap()")
    find = Completer(prompt.namespace).find
    assert find("trap.") == ["trap.method", "trap.plain", "trap.prop"] and find("trap.prop.") == [] and find("trap.plain.up") == ["trap.plain.upper"]
    assert find("ran.app") == ["ran.append"] and find("Trap.pl") == ["Trap.plain"] and prompt.namespace["ran"] == []


def test_repl_commands():
    out, err, status = session("def add(a, b=2):\n    'Adds.'\n    return a + b\n\n?add\nlen?\nx = 1\n%who\n%time add(1)\n%reset\n%who\n%limits\n%help\n?nothing\n%wrong\n1 / 0\n5\n")
    assert "add: Function\nadd(a, b=2)\nAdds.\n" in out.replace("add: function", "add: Function") and "len(obj, /)" in out
    assert "add  x\n" in out and "\n3\nCPU time: " in out and "no names are set" in out and "without limits" in out and "?name" in out and "nothing is not known" in out
    assert "no such command: %wrong" in err and "ZeroDivisionError" in err and status == 0 and "\n5\n" in out


def test_terminal_with_blocks(capsys, tmp_path, monkeypatch):
    pytest.importorskip("prompt_toolkit")
    monkeypatch.setenv("KIMI_HISTORY", str(tmp_path / "history"))
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from kimi_runtime.cli.repl import Prompt
    from kimi_runtime.cli.terminal import interact

    with create_pipe_input() as keys:
        keys.send_text("x = 40\rfor i in range(2):\rprint(i + x)\r\r")     # indented by the prompt; an empty line ends it
        keys.send_text("_unfinished(\x03")                                  # Ctrl-C drops the line
        keys.send_text("[1,\r2]\r%who\r'over'.upp\t()\r\x04")
        assert interact(Prompt(), input=keys, output=DummyOutput()) == 0
    out = capsys.readouterr().out
    assert "40\n41\n" in out and "[1, 2]\n" in out and "i  x" in out.replace("x  i", "i  x")
    assert "for i in range" in (tmp_path / "history.blocks").read_text()


def test_history(tmp_path):
    """A terminal session edits its lines and keeps them."""
    pty = pytest.importorskip("pty")
    pytest.importorskip("readline")
    history = tmp_path / "history"
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime"], stdin=child, stdout=child, stderr=child, close_fds=True,
        env={**ENVIRONMENT, "KIMI_HISTORY": str(history), "TERM": "dumb"},
    )
    os.close(child)
    os.write(parent, b"6 * 7\n")
    seen = read_until(parent, b"42")
    os.write(parent, b"exit()\n")
    assert process.wait(timeout=30) == 0
    os.close(parent)
    assert b"kimi_runtime" in seen and b"42" in seen
    assert "6 * 7" in history.read_text()


def read_until(descriptor, text):
    seen = b""
    end = time.monotonic() + 30
    while text not in seen and time.monotonic() < end:
        try:
            seen += os.read(descriptor, 1000)
        except OSError:
            break
    return seen


def test_modules_beside_the_program(tmp_path):
    (tmp_path / "helper.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("from .part import x\n")
    (tmp_path / "pkg" / "part.py").write_text("from helper import double\nx = double(4)\n")
    program = tmp_path / "main.py"
    program.write_text("import helper, pkg, math\nprint(math.floor(2.5), helper.double(2), pkg.x, helper.__file__)\nhelper.double(None)\n")
    same(program, cwd=tmp_path.parent)
    same("main.py", cwd=tmp_path)
    same("-c", "import helper; print(helper.double(3))", cwd=tmp_path)


# ---- folders of the host -----------------------------------------------------------------------------
def test_mounts(tmp_path):
    (tmp_path / "a.txt").write_text("text")
    read = "import os; print(open('/d/a.txt').read(), os.listdir('/d'))"
    assert ours("--mount", f"{tmp_path}:/d", "-c", read) == (b"text ['a.txt']\n", b"", 0)
    assert ours("run", f"--mount={tmp_path}:/d:rw", "-c", "open('/d/b.txt', 'w').write('more')")[2] == 0
    assert (tmp_path / "b.txt").read_text() == "more"
    assert b"Read-only file system" in ours("--mount", f"{tmp_path}:/d:ro", "-c", "open('/d/c.txt', 'w')")[1]


@pytest.mark.parametrize("value, message", [
    ("nowhere", "--mount takes HOST:GUEST[:ro|rw|overlay], not 'nowhere'"),
    ("/no/such/folder:/d", "--mount: '/no/such/folder': No such file or directory"),
    ("/:d", "mounts: the guests' path must be absolute, not 'd'"),
])
def test_wrong_mounts(value, message):
    _, err, status = ours("--mount", value, "-c", "1")
    assert (err.decode().splitlines()[0], status) == (f"kimi-cli run: {message}", 2)
