"""Standard input of a guest, and what becomes of closed streams: the same program on CPython and on ours."""
import io
import subprocess
import sys
import time

import pytest

import kimi_runtime as kr
from test_cli import ENVIRONMENT, same, theirs

PROGRAMS = {
    "input": "print([input(), input('name? '), input()])",
    "end": "print(input())\ntry:\n    while True: input('more ')\nexcept EOFError as e:\n    print(repr(e))",
    "uncaught end": "while True: input()",
    "stdin lines": "import sys\nprint(sys.stdin.readline(), [line for line in sys.stdin], sys.stdin.readline(), sys.stdin.read())",
    "stdin read": "import sys\nprint([sys.stdin.read(3), sys.stdin.readline(2), sys.stdin.readline(), sys.stdin.readlines()])",
    "stdin hint": "import sys\nprint(sys.stdin.readlines(2), sys.stdin.read(0), next(sys.stdin))",
    "stdin bytes": "import sys\nb = sys.stdin.buffer\nprint([b.readline(), b.read(2), b.readline(), b.readlines()])",
    "stdin all bytes": "import sys\nprint(sys.stdin.buffer.read(), sys.stdin.read())",
    "mixed": "import sys\nprint(input(), sys.stdin.readline(), input())",
    "flags": "import sys\ns = sys.stdin\nprint(s.readable(), s.writable(), s.closed, s.name, s.mode, s.isatty())",
    "sizes": "import sys\nfor size in (None, -1, 0, True, 'a', 2.5):\n    try: print(repr(sys.stdin.read(size)))\n    except TypeError as e: print(e)",
    "not writable": "import sys\ntry: sys.stdin.write('a')\nexcept OSError as e: print(type(e).__name__, e)",
    "with": "import sys\nwith sys.stdin as s: print(s.readline())\nprint(s.closed)\ntry: input()\nexcept ValueError as e: print(e)",
    "arguments": "for call in ('input(1, 2)', 'input(prompt=1)', 'input(None)', 'input([1])'):\n"
                 "    try: print(repr(eval(call)))\n    except TypeError as e: print(e)",
    "own stdin": "import sys\nclass In:\n    lines = ['a\\n', 'b', '', 5]\n    def readline(self): return self.lines.pop(0)\n"
                 "sys.stdin = In()\nprint([input('p'), input()])\n"
                 "for n in range(2):\n    try: input()\n    except (EOFError, TypeError) as e: print(repr(e))",
    "own stdout": "import sys\nclass Out:\n    def __init__(self): self.parts = []\n    def write(self, s): self.parts.append(s)\n"
                  "    def flush(self): self.parts.append('FLUSH')\n"
                  "keep = sys.stdout; sys.stdout = o = Out(); x = input('p'); sys.stdout = keep; print(x, o.parts)",
    "no stdin": "import sys\nsys.stdin = None\ninput()",
    "no stdin attribute": "import sys\ndel sys.stdin\ninput()",
    "no stdout": "import sys\nsys.stdout = None\ninput('p')",
    "no stdout attribute": "import sys\ndel sys.stdout\ninput('p')",
    "closed": "import sys\nsys.stdin.close()\nprint(sys.stdin.closed)\n"
              "for name in ('read', 'readline', 'readlines', '__iter__', 'flush', '__enter__'):\n"
              "    try: getattr(sys.stdin, name)()\n    except ValueError as e: print(name, e)",
    "print after close": "import sys\nsys.stdout.close()\nprint(1)",
    "closed quietly": "import sys\nprint(1)\nsys.stdout.close()",
    "stdout closed": "import sys\nout, say = sys.stdout, sys.stderr.write\nout.close()\nout.close()\n"
                     "for call in ('print(1)', 'print()', 'print(end=\"\")', 'print(1, 2)', 'print(flush=True)', 'out.write(\"a\")',\n"
                     "             'out.write(1)', 'out.writelines([\"a\"])', 'out.flush()', 'out.isatty()', 'out.writable()',\n"
                     "             'out.fileno()', 'out.closed', 'out.__enter__()', 'input(\"p\")'):\n"
                     "    try: say(f'{call} {eval(call)}\\n')\n    except (ValueError, TypeError) as e: say(f'{call} {e}\\n')",
    "stdout in with": "import sys\nwith sys.stdout as out: print('in')\nsys.stderr.write(str(out.closed))\nprint('out')",
    "print forms": "import sys\nclass F:\n    def write(self, s): parts.append(s)\n    def flush(self): parts.append('FLUSH')\nparts = []\n"
                   "print(1, 2, sep='-', end='!', file=F(), flush=True)\nprint(file=F())\nprint('a', file=F(), flush=0)\n"
                   "print('a', 'b', sep=None, end=None, file=None, flush=None)\nprint(flush=[])\nprint(parts)\n"
                   "for call in ('print(1, sep=5)', 'print(1, end=b\"\")', 'print(1, file=5)', 'print(1, nothing=2)',\n"
                   "             'print(1, file=F, flush=True)'):\n"
                   "    try: eval(call)\n    except (TypeError, AttributeError) as e: print(e)",
    "print to nothing": "import sys\nkeep, sys.stdout = sys.stdout, None\nprint('lost', flush=True)\nsys.stdout = keep\nprint('kept')",
    "print to a removed stdout": "import sys\ndel sys.stdout\nprint(1)",
    "stream with no flush": "import sys\nclass F:\n    def write(self, s): keep.write(s.upper())\n"
                            "keep = sys.stdout\nsys.stdout = F()\nprint('a')\n"
                            "try: print('b', flush=True)\nexcept AttributeError as e: sys.stdout = keep; print(e)",
    "stdout bytes": "import sys\nprint('a')\nprint(sys.stdout.buffer.write(b'b\\xc3\\xa9\\n'))\nsys.stdout.flush()\n"
                    "sys.stdout.buffer.writelines([b'c', bytearray(b'd')])\nsys.stdout.buffer.flush()\n"
                    "try: sys.stdout.buffer.write('e')\nexcept TypeError as e: print(e)\nsys.stdout.buffer.write(memoryview(b'f'))",
    "main": "import __main__, sys\nx = 5\nprint(__main__.x, vars(__main__) is globals(), sys.modules['__main__'] is __main__)\n"
            "__main__.y = 6\nprint(y, __main__.__name__)",
}
TEXT = "first\nse\u00e9cond\n\n  fourth  \nlast"


@pytest.mark.parametrize("name", PROGRAMS)
def test_input_of_the_process(name, tmp_path):
    path = tmp_path / "prog.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    same(path, input=TEXT.encode(), env={"PYTHONIOENCODING": "utf-8"})


def lines_of(text):
    left = text.splitlines()
    return lambda: left.pop(0) if left else None


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "bytes" in name or "input" in name or name.startswith(("end", "stdin"))])
@pytest.mark.parametrize("form", [str, io.StringIO, lines_of, lambda text: iter(text.splitlines()).__next__])
def test_input_of_the_host(name, form):
    # A function gives lines without their newlines: the last one has one too.
    text = TEXT if form in (str, io.StringIO) else TEXT + "\n"
    out, _, _ = theirs("-c", PROGRAMS[name], input=text.encode(), env={"PYTHONIOENCODING": "utf-8"})
    result = kr.Runtime(stdin=form(TEXT)).run(PROGRAMS[name])
    assert result.stdout == out.decode()


def test_each_run_reads_the_text_from_its_beginning():
    runtime = kr.Runtime(stdin="a\r\nb")
    assert [runtime.run("input(), input()").value for _ in range(2)] == [("a", "b")] * 2
    shared = kr.Runtime(stdin=io.StringIO("a\nb\n"))
    assert [shared.run("input()").value for _ in range(2)] == ["a", "b"]


def test_bytes_of_the_output():
    result = kr.run("import sys\nfor n in 'g\xe9\u6c49'.encode(): sys.stdout.buffer.write(bytes([n]))\nprint('!')")
    assert result.stdout == "g\xe9\u6c49!\n"
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    kr.Runtime(stdout=out).run("import sys\nprint('a')\nsys.stdout.buffer.write(b'\\xff')\nprint('b')", check=True)
    out.flush()
    assert out.buffer.getvalue() == b"a\n\xffb\n"


def test_input_without_a_source():
    assert kr.run("input()").error.type == "EOFError"
    assert kr.run("import sys; sys.stdin.read(), list(sys.stdin), sys.stdin.buffer.read()").value == ("", [], b"")


def test_failing_source():
    def fail():
        raise OSError("unplugged")

    assert kr.Runtime(stdin=fail).run("input()").error.message == "unplugged"
    assert kr.Runtime(stdin=lambda: 5).run("input()").error.type == "TypeError"
    result = kr.Runtime(stdin=fail).run("try:\n    input()\nexcept OSError:\n    1")
    assert result.ok


def test_host_object_is_out_of_reach():
    result = kr.Runtime(stdin=io.StringIO("a")).run("import sys; [n for n in dir(sys.stdin) if 'source' in n or n in ('more', 'getvalue')]")
    assert result.value == []


def test_stream_of_the_host_stays_open():
    out = io.StringIO()
    kr.Runtime(stdout=out).run("import sys; print(1); sys.stdout.close()", check=True)
    assert not out.closed and out.getvalue() == "1\n"
    assert kr.run("import sys; print(1); sys.stdout.close()").stdout == "1\n"


@pytest.mark.parametrize("call", ["open('a')", "open('a', 'w')", "open(file='/etc/passwd')", "open(5)"])
def test_no_files(call):
    error = kr.run(call).error
    assert error.type == "PermissionError" and "open: files are not available to this guest" in error.message
    caught = kr.run(f"try:\n    {call}\nexcept OSError as e:\n    caught = e.errno, e.filename\ncaught").value
    assert caught[0] == 13 and caught[1] in ("a", "/etc/passwd", 5)


def test_no_debugger():
    error = kr.run("def f():\n    breakpoint()\nf()").error
    assert (error.type, error.line) == ("RuntimeError", 2) and "no debugger" in error.message
    source = "import sys\nsys.breakpointhook = lambda *a, **k: (a, k)\nbreakpoint(1, b=2)"
    assert kr.run(source).value == ((1,), {"b": 2})
    assert kr.run("import sys\ndel sys.breakpointhook\nbreakpoint()").error.message == "lost sys.breakpointhook"


def test_prompt_shows_before_the_answer():
    with subprocess.Popen(
        [sys.executable, "-m", "kimi_runtime", "-c", "print(input('who? '))"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout.read(5) == b"who? "
        out, _ = process.communicate(b"me\n", timeout=30)
        assert out == b"me\n"


# ---- what the host's function does -------------------------------------------------------------------------
class OfTheHost(ValueError):
    """Raised by a function that gives lines."""


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_failing_input(isolation):
    kinds = iter([OfTheHost("no line"), OSError(5, "gone"), KeyboardInterrupt("of the host")])

    def fail():
        raise next(kinds)

    source = "try: input()\nexcept Exception as e: r = type(e).__name__, isinstance(e, ValueError), str(e), e.__traceback__.tb_next, e.__cause__\nr"
    with kr.Runtime(stdin=fail, isolation=isolation) as rt:
        assert rt.run(source).value == ("OfTheHost", True, "no line", None, None)
        assert rt.run(source).value == ("OSError", False, "[Errno 5] gone", None, None)
        with pytest.raises(KeyboardInterrupt, match="of the host"):
            rt.run("try: input()\nexcept BaseException: pass")


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_waiting_is_no_time_of_the_guest(isolation):
    def slow():
        time.sleep(1.2)
        return "line"

    with kr.Runtime(stdin=slow, isolation=isolation) as rt:
        assert rt.run("input()", limits=kr.Limits(seconds=1)).value == "line"
        assert rt.run("while True: input()", limits=kr.Limits(host_seconds=0.5, host_calls=None)).error.limit == "host_seconds"
