"""``on_stdout`` and ``on_stderr``: what the host's functions get, when, and what becomes of their exceptions."""
import asyncio
import contextvars
import io
import threading
import time

import pytest

import kimi_runtime as kr


class Sent(list):
    """What a callback got."""

    def __call__(self, text):
        self.append(text)


WHEN = [
    ("print('a'); print('b')", ["a\n", "b\n"]),
    ("print('a\\nb\\nc')", ["a\nb\nc\n"]),
    ("print('a', end=''); print('b')", ["ab\n"]),
    ("print('a\\nb', end=''); print('c')", ["a\n", "bc\n"]),
    ("print('a', end='', flush=True); print('b')", ["a", "b\n"]),
    ("import sys; sys.stdout.write('a'); sys.stdout.flush(); sys.stdout.flush(); sys.stdout.write('b')", ["a", "b"]),
    ("print('tail', end='')", ["tail"]),
    ("print(end='')", []),
    ("print('half', end=''); 1 / 0", ["half"]),
    ("print('x' * 3, 'é', '\\U0001f600')", ["xxx é \U0001f600\n"]),
    ("import sys; sys.stdout.buffer.write(b'raw\\n')", ["raw\n"]),
    ("import sys; sys.stdout.writelines(['1\\n', '2', '3\\n'])", ["1\n", "23\n"]),
    ("import atexit; atexit.register(print, 'bye'); print('hi')", ["hi\n", "bye\n"]),
    ("import threading\nfor n in range(3):\n    t = threading.Thread(target=print, args=(n,)); t.start(); t.join()", ["0\n", "1\n", "2\n"]),
]


@pytest.mark.parametrize("source, expected", WHEN)
def test_when(rt, source, expected):
    sent = Sent()
    result = rt.run(source, on_stdout=sent)
    assert (sent, result.stdout) == (expected, "")


def test_streams_are_told_apart(rt):
    out, err = Sent(), Sent()
    rt.run("import sys; print(1); print(2, file=sys.stderr); print(3)", on_stdout=out, on_stderr=err)
    assert (out, err) == (["1\n", "3\n"], ["2\n"])
    result = rt.run("import sys; print(1); print(2, file=sys.stderr)", on_stderr=err)
    assert result.stdout == "1\n"


def test_long_line_comes_in_parts(rt):
    sent = Sent()
    rt.run("for _ in range(5000): print('0123456789', end='')", on_stdout=sent)
    assert "".join(sent) == "0123456789" * 5000
    assert 2 <= len(sent) <= 10


def test_it_comes_while_the_guest_runs(rt):
    """A guest that goes on for ever is stopped by what the host sees."""
    session = rt.session()

    def look(text):
        if text == "9\n":
            session.cancel()

    result = session.run("n = 0\nwhile True:\n    print(n)\n    n += 1", on_stdout=look)
    assert result.error.limit == "cancelled"
    assert session.run("n > 9").value is True


def test_before_a_host_call():
    events = []

    class Object:
        @property
        def name(self):
            events.append("read")
            return "n"

    def function():
        events.append("called")

    rt = kr.Runtime(functions={"function": function}, on_stdout=events.append, stdin=lambda: events.append("asked") or "line")
    rt.run("print('a', end=''); function(); print('b', end=''); o.name; input('c? ')", {"o": kr.expose(Object(), attrs=["name"])},
           check=True)
    assert events == ["a", "called", "b", "read", "c? ", "asked"]


def test_limit(rt):
    sent = Sent()
    result = rt.run("while True: print('é' * 20)", on_stdout=sent, limits=kr.Limits(output=1000))
    text = "".join(sent)
    cut, _, marker = text.partition("\n[")
    assert result.error.limit == "output"
    assert marker == "output stopped at the limit of 1,000 bytes]\n"
    assert 990 < len(cut.encode()) <= 1000


def test_text_is_the_hosts_own(rt):
    """The memory of a run is given back although the host keeps what was printed."""
    kept = Sent()
    source = "x = 'y' * 1_000_000\nfor n in range(3): print(x)"
    for _ in range(3):
        rt.run(source, on_stdout=kept, limits=kr.Limits(memory="20MB"), check=True)
    assert sum(map(len, kept)) == 9 * 1_000_001


class Refused(Exception):
    """Of a callback."""


@pytest.mark.parametrize("source", [
    "print(1)\nwhile True: pass",
    "try:\n    print(1)\nexcept BaseException:\n    pass\nfinally:\n    print(2)\nwhile True: pass",
    "for n in range(100):\n    try: print(n)\n    except: pass",
    "class A:\n    def __del__(self): print('del')\na = A()\nprint(1)",
    "print(1, end='')",
    "import threading\nt = threading.Thread(target=print, args=(1,)); t.start(); t.join()\nwhile True: pass",
])
@pytest.mark.parametrize("kind", [Refused, KeyboardInterrupt, SystemExit])
def test_exception_ends_the_run(rt, source, kind):
    calls = []

    def refuse(text):
        calls.append(text)
        raise kind("no more")

    session = rt.session()
    with pytest.raises(kind, match="no more"):
        session.run(source, on_stdout=refuse)
    assert len(calls) == 1
    sent = Sent()
    assert session.run("print('again'); 6 * 7", on_stdout=sent).value == 42
    assert sent[-1] == "again\n"
    session.close()
    with pytest.raises(kind, match="no more"):
        rt.run(source, on_stdout=refuse)
    assert rt.run("6 * 7").value == 42


def test_stream_that_fails():
    class Full(io.StringIO):
        def write(self, text):
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        kr.Runtime(stdout=Full()).run("try: print(1)\nexcept OSError: pass")


def test_time_is_the_hosts(rt):
    result = rt.run("for n in range(15): print(n)", on_stdout=lambda text: time.sleep(0.1), limits=kr.Limits(seconds=1))
    assert result.error is None
    result = rt.run("for n in range(1000): print(n)", on_stdout=lambda text: time.sleep(0.02), limits=kr.Limits(host_seconds=0.1))
    assert result.error.limit == "host_seconds"


def test_memory_is_the_hosts():
    """What a callback keeps does not count for the guest."""
    kept = []
    result = kr.run("for n in range(1000): print(n)", on_stdout=lambda text: kept.append(bytearray(10**5)),
                    limits=kr.Limits(memory="8MB"))
    assert result.error is None
    assert len(kept) == 1000


def test_callback_that_runs_guests(rt):
    """A callback may run other guests, and call back into the one that prints: texts keep their order."""
    sent = []

    def nest(text):
        sent.append(text)
        if len(text) < 5:
            sent.append(kr.run("print('in'); 7", on_stdout=sent.append).value)

    rt.run("print(1); print(2)", on_stdout=nest)
    assert sent == ["1\n", "in\n", 7, "2\n", "in\n", 7]


def test_context_variables(rt):
    variable = contextvars.ContextVar("variable", default="none")
    seen = []
    variable.set("of the caller")
    rt.run("print(1)\nprint(2, end='')", on_stdout=lambda text: seen.append(variable.get()))
    assert seen == ["of the caller"] * 2


def test_session_and_run(rt):
    usual, own = Sent(), Sent()
    with rt.session(on_stdout=usual) as session:
        session.run("print(1)")
        session.run("print(2)", on_stdout=own)
        session.run("print(3)")
        session.reset()
        session.run("import atexit; atexit.register(print, 'end'); print(4)")
    assert (usual, own) == (["1\n", "3\n", "4\n", "end\n"], ["2\n"])


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_of_the_runtime(isolation):
    usual, own = Sent(), Sent()
    with kr.Runtime(on_stdout=usual, isolation=isolation) as rt:
        rt.run("print(1)")
        rt.run("print(2)", on_stdout=own)
        rt.run("print(3)", limits=None)
    assert (usual, own) == (["1\n", "3\n"], ["2\n"])


def test_under_a_loop(rt):
    async def main():
        queue = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def tell(text):
            loop.call_soon_threadsafe(queue.put_nowait, text)

        running = asyncio.create_task(rt.run_async("for n in range(3): print(n)", on_stdout=tell))
        texts = [await queue.get() for _ in range(3)]
        await running
        return texts

    assert asyncio.run(main()) == ["0\n", "1\n", "2\n"]


def test_threads_do_not_mix(rt):
    """Runs in several threads, each with a function of its own."""
    sent = [Sent() for _ in range(4)]

    def work(n):
        for _ in range(5):
            rt.run("for _ in range(20): print(n)", {"n": n}, on_stdout=sent[n])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sent == [[f"{n}\n"] * 100 for n in range(4)]


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_arguments(isolation):
    with pytest.raises(TypeError, match="on_stdout must be a callable"):
        kr.Runtime(on_stdout="x", isolation=isolation)
    with pytest.raises(ValueError, match="stdout and on_stdout are given both"):
        kr.Runtime(on_stdout=print, stdout=io.StringIO(), isolation=isolation)

    async def tell(text):
        pass

    with kr.Runtime(isolation=isolation) as rt:
        with pytest.raises(TypeError, match="on_stderr is an async function"):
            rt.run("1", on_stderr=tell)
        with pytest.raises(TypeError, match="on_stdout must be a callable"):
            rt.session().run("1", on_stdout=3)


# ---- collected output ------------------------------------------------------------------------------------
def test_small_pieces_are_joined():
    """Output that the result keeps takes about the memory of its text, not that of an object for each write."""
    source = "for n in range(200_000): print(n % 7 + 1000)\nprint('é')"
    figures = kr.run(source, limits=kr.Limits(memory="8MB"))
    assert figures.error is None
    lines = figures.stdout.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (200_001, "1000", "é")


def test_wide_and_lone_characters_survive():
    source = "for n in range(5000): print('a', '\\udc80' if n % 100 == 0 else 'é')"
    text = kr.run(source).stdout
    assert text == "".join(f"a {chr(0xdc80) if n % 100 == 0 else 'é'}\n" for n in range(5000))


def test_binary_output_counts():
    """What goes to the host's binary buffer counts for the limit."""
    class Target(io.StringIO):
        buffer = io.BytesIO()

    target = Target()
    result = kr.Runtime(stdout=target, limits=kr.Limits(output=1000)).run("import sys\nwhile True: sys.stdout.buffer.write(b'x' * 100)")
    assert result.error.limit == "output"
    assert len(Target.buffer.getvalue()) <= 1000
