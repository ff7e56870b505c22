"""Allocators: chosen by process, thread, runtime, environment and command line; switched while threads work; every block goes home."""
import gc
import os
import pathlib
import subprocess
import sys
import threading

import pytest

import kimi_runtime as kr
from kimi_runtime import allocator
from kimi_runtime.memory import heap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MISSING = {name: reason for name, reason in allocator.available().items() if reason is not None}
HERE = [pytest.param(name, marks=pytest.mark.skipif(name in MISSING, reason=MISSING.get(name, ""))) for name in allocator.NAMES]
FREE = kr.Limits(memory=None)


@pytest.fixture(autouse=True)
def as_before():
    yield
    heap.set_thread_mode(0)
    heap.set_process_mode(1, 1, 0)


def churn(rounds=300):
    """Makes, grows and drops objects of many sizes; the sum says whether their contents were kept."""
    kept, total = [], 0
    for n in range(rounds):
        kept.append([bytes([n % 256]) * (1 << n % 18), list(range(n % 50)), {str(n): n}, b""])
        for each in kept[-20:]:
            each[1].extend(range(5))
            each[3] += b"x" * 37
        if n % 7 == 0:
            del kept[:-1:3]
        total += len(kept[-1][0]) + kept[-1][0][-1] + len(kept[0][1])
    return total


EXPECTED = churn()


@pytest.mark.parametrize("name", HERE)
def test_blocks_go_back_to_the_allocator_they_came_from(name):
    before = heap.mode_figures()[allocator.NAMES.index(name) + 1]
    with allocator.using(name):
        assert allocator.current() == name
        assert churn() == EXPECTED
        kept = [[n, str(n), bytes(n)] for n in range(3000)]
    assert allocator.current() == "pymalloc"
    for each in kept:               # grown where another allocator is in use
        each.extend(range(100))
        each[2] += bytes(600)
    with allocator.using(name):     # and the other way round
        for each in kept:
            each.extend(range(100))
        del each
    assert [each[:2] + [len(each[2])] for each in kept] == [[n, str(n), n + 600] for n in range(3000)]
    del kept
    gc.collect()
    made, back = heap.mode_figures()[allocator.NAMES.index(name) + 1]
    assert made > before[0]
    if name in allocator.LIBRARIES:
        assert (made - before[0]) - (back - before[1]) < 500


@pytest.mark.parametrize("name", HERE)
def test_a_switch_under_load(name):
    """Guests and host code run in three threads while the process's allocator changes a hundred times: no run fails, nothing leaks."""
    rt = kr.Runtime(limits=FREE)
    program = "kept = [[n, str(n), {n: n}] for n in range(60)]\nsum(len(each[1]) for each in kept)"
    failures, done, stop = [], [0] * 3, threading.Event()

    def work(number):
        while not stop.is_set():
            result = rt.run(program)
            if result.value != 110 or churn(8) != expected:
                failures.append(result)
            done[number] += 1

    expected = churn(8)
    allocator.use(name)
    gc.collect()
    blocks = sys.getallocatedblocks()
    before = [made - back for made, back in heap.mode_figures()]
    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0002)
    try:
        for thread in threads:
            thread.start()
        for turn in range(100):
            so_far = sum(done)
            allocator.use("pymalloc" if turn % 2 else name)
            while sum(done) < so_far + 2:
                stop.wait(0.0005)
        stop.set()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures and all(done)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 3000
    if name in allocator.LIBRARIES:
        number = allocator.NAMES.index(name) + 1
        made, back = heap.mode_figures()[number]
        assert made - back - before[number] < 3000


def test_runs_are_moved_by_percent():
    rt = kr.Runtime(limits=FREE, functions={"allocator": allocator.current})
    allocator.migrate("guest", percent=10)
    assert allocator.moving() == ("guest", 10)
    found = [rt.run("allocator()").value for _ in range(200)]
    assert (found.count("guest"), found.count("pymalloc")) == (20, 180)
    assert allocator.current() == "pymalloc"
    allocator.migrate("guest")
    assert allocator.moving() is None and allocator.current() == "guest"
    assert rt.run("allocator()").value == "guest"
    allocator.migrate("pymalloc")
    limited = kr.Runtime(functions={"allocator": allocator.current})
    allocator.migrate("guest", percent=99)
    assert limited.run("[allocator() for _ in range(3)]").value == ["pymalloc"] * 3     # it has a heap of its own
    with allocator.using("system") if "system" not in MISSING else allocator.using("pymalloc"):
        assert rt.run("allocator()").value == allocator.current()       # a thread's own choice goes first


def test_one_thread_only():
    seen = []
    allocator.use("guest", thread=True)
    thread = threading.Thread(target=lambda: seen.append(allocator.current()))
    thread.start()
    thread.join()
    assert (allocator.current(), seen) == ("guest", ["pymalloc"])


@pytest.mark.parametrize("name", HERE)
def test_of_a_runtime(name):
    rt = kr.Runtime(allocator=name, limits=FREE, functions={"allocator": allocator.current})
    inside = "pymalloc" if name == "guest" else name        # a guest's heap is for its own blocks, not the host's
    assert rt.run("allocator()").value == inside
    assert allocator.current() == "pymalloc"
    with rt.session({"a": 1}) as session:
        assert session.run("a += 1; [a, allocator()]").value == [2, inside]
    with kr.Pool(runtime=rt, max_workers=2) as pool:
        assert pool.submit("allocator()").result().value == inside
    import asyncio

    assert asyncio.run(rt.run_async("allocator()")).value == inside


def test_guests_heaps_count_without_a_limit():
    found = kr.Runtime(allocator="guest", limits=FREE).run("kept = [bytes(1000) for _ in range(1000)]; len(kept)")
    assert found.value == 1000 and 1_000_000 < found.stats.peak_memory < 1_300_000
    assert kr.Runtime(allocator="guest").run("kept = bytes(10**9)").error.type == "MemoryError"


def test_a_limit_that_cannot_be_kept_is_refused():
    with pytest.raises(ValueError, match="cannot keep the limit memory=256,000,000"):
        kr.Runtime(allocator="pymalloc")
    rt = kr.Runtime(allocator="pymalloc", limits=FREE)
    for call in (rt.run, rt.session, kr.Pool(runtime=rt).submit_program):
        with pytest.raises(ValueError, match="cannot keep the limit"):
            call(*([] if call == rt.session else ["1"]), limits=kr.Limits(memory="1MB"))
    with pytest.raises(ValueError, match="isolation='process'"):
        kr.Runtime(allocator="guest", isolation="process")
    with pytest.raises(ValueError, match="no allocator 'hoard'; there are pymalloc, system"):
        kr.Runtime(allocator="hoard", limits=FREE)


def test_a_missing_library_is_a_message(monkeypatch):
    monkeypatch.setitem(allocator.LIBRARIES, "mimalloc", (("libkiminone.so.9",), "apt install it"))
    monkeypatch.setitem(allocator.FUNCTIONS, "mimalloc", ("mi_none_such",))
    monkeypatch.setattr(allocator, "_libraries", {})
    for call in (allocator.use, allocator.preloads, allocator.prepare):
        with pytest.raises(allocator.AllocatorError, match="libkiminone.so.9 was not found: apt install it"):
            call("mimalloc")
    assert "not found" in allocator.available()["mimalloc"]
    assert allocator.current() == "pymalloc"


def test_statistics():
    allocator.statistics()
    with allocator.using("guest"):
        kept = [bytes(5000) for _ in range(1000)]
        found = allocator.statistics()["guest"]
    assert found.live > 5_000_000 and found.resident >= found.live and found.made > 1000 and found.rate > 0
    del kept
    after = allocator.statistics()["guest"]
    assert after.live < found.live and after.peak >= found.live
    assert set(allocator.statistics()) >= {"pymalloc", "system", "guest"}


# ---- new processes ----------------------------------------------------------------------------------------------
def run(*command, **environment):
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=60, cwd=ROOT,
                          env={**{k: v for k, v in os.environ.items() if k != "PYTHONMALLOC"}, **environment})
    return done.stdout, done.stderr, done.returncode


def test_of_the_environment():
    program = "import kimi_runtime as kr; print(kr.allocator.current(), kr.run('1 + 1').value)"
    assert run("-c", program, KIMI_ALLOCATOR="guest")[0] == "guest 2\n"
    out, err, status = run("-c", program, KIMI_ALLOCATOR="hoard")
    assert status == 1 and "there is no allocator 'hoard'" in err


def test_with_checks_of_cpython():
    program = "import kimi_runtime as kr; print(kr.allocator.available()['system'])\nwith kr.allocator.using('guest'): print([0] * 3)"
    out, err, status = run("-c", program, PYTHONMALLOC="debug")
    assert "PYTHONMALLOC=debug" in out and out.endswith("[0, 0, 0]\n") and status == 0, err


@pytest.mark.parametrize("name", allocator.NAMES)
def test_of_the_command_line(name, tmp_path):
    try:
        allocator.preloads(name)
        if name == "system" and allocator.available()[name]:
            raise allocator.AllocatorError(allocator.available()[name])     # a debug build of CPython checks its own blocks
    except allocator.AllocatorError as error:
        out, err, status = run("-m", "kimi_runtime", "run", "--allocator", name, "-c", "print(1)")
        assert (out, status) == ("", 2) and str(error) in err
        return
    file = tmp_path / "program.py"
    file.write_text("import sys\nkept = [[n, str(n)] for n in range(20_000)]\nprint(len(kept), sys.argv[1:])\nsys.exit(7)\n")
    assert run("-m", "kimi_runtime", "run", f"--allocator={name}", str(file), "a", "--b") == ("20000 ['a', '--b']\n", "", 7)
    assert run("-m", "kimi_runtime", "run", "--allocator", name, "-c", "print(6)") == ("6\n", "", 0)
    if name == "jemalloc":      # the tests above, in a process that has it
        out, err, status = run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", __file__, "-k",
                               "jemalloc and (go_back or under_load or of_a_runtime)", LD_PRELOAD=allocator.preloads(name))
        assert status == 0 and "skipped" not in out, out + err


def test_wrong_command_lines():
    for arguments, message in [(["--allocator"], "needs a name"), (["--fast", "x.py"], "no such option: --fast"), ([], "missing")]:
        out, err, status = run("-m", "kimi_runtime", "run", *arguments)
        assert status == 2 and message in err
    assert "--allocator NAME" in run("-m", "kimi_runtime", "run", "--help")[0]
