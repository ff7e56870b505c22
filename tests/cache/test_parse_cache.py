"""The parse cache: bounds, hot zone, admission, age, threads, and the level on disk."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kimi_runtime as kr
from kimi_runtime.cache.codes import CodeCache
from kimi_runtime.cache.disk import DiskCache, DiskCacheWarning


class Value:
    """Stands for code; its weight is given."""

    def __init__(self, weight=1):
        self.weight = weight


def weigh(value):
    return value.weight


def make(entries=100, weight=10**9, **settings):
    return CodeCache(entries, weight, weigh, **settings)


# ---- the policy ------------------------------------------------------------------------------------------
def test_hits_and_misses():
    cache = make()
    value = Value()
    assert cache.get("a") is None
    assert cache.get_or_make("a", lambda: value) is value
    assert cache.get_or_make("a", pytest.fail) is value
    stats = cache.stats()
    assert (stats.hits, stats.misses, stats.entries, stats.weight, stats.hit_rate) == (1, 1, 1, 1, 0.5)
    assert "a" in cache and len(cache) == 1


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 20), st.integers(1, 200), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 50)), max_size=300))
def test_it_is_never_over_its_bounds_and_its_books_are_right(entries, weight, requests):
    gone = []
    cache = make(entries, weight, on_evict=lambda key, value, why: gone.append((key, value, why)))
    made = []

    def build(size):
        made.append(Value(size))
        return made[-1]

    for key, size in requests:
        value = cache.get_or_make(key, build, size)
        assert isinstance(value, Value)
        stats = cache.stats()
        assert stats.entries == len(cache) == len(cache.keys()) <= entries
        assert stats.weight == sum(cache.get(key).weight for key in cache.keys()) <= weight
    stats = cache.stats()
    assert len(made) == stats.misses
    assert len(made) == len(cache) + len(gone)
    assert stats.evictions + stats.rejected == len(gone)


def test_a_scan_leaves_the_hot_zone_alone():
    cache = make(100)
    hot = [f"hot{i}" for i in range(60)]
    for _ in range(5):
        for key in hot:
            cache.get_or_make(key, Value)
    for i in range(10_000):
        cache.get_or_make(f"scan{i}", Value)
    kept = [key for key in hot if key in cache]
    assert len(kept) >= 58          # those that were still in the window did not get there
    assert cache.segment_of("hot1") == "protected"
    before = cache.stats()
    for key in kept:
        assert cache.get(key) is not None
    assert cache.stats().hot_hits - before.hot_hits >= 58


def test_what_was_hot_long_ago_goes():
    cache = make(50)
    for _ in range(20):
        for i in range(45):
            cache.get_or_make(("old", i), Value)
    for _ in range(60):
        for i in range(45):
            cache.get_or_make(("new", i), Value)
    assert sum(("new", i) in cache for i in range(45)) > 35


def test_a_heavy_entry_must_be_worth_all_that_goes_for_it():
    cache = make(1000, 1000)
    for _ in range(4):
        for i in range(90):
            cache.get_or_make(i, lambda: Value(10))
    cache.get_or_make("heavy", lambda: Value(500))
    cache.get_or_make("other", lambda: Value(1))
    assert "heavy" not in cache
    assert sum(i in cache for i in range(90)) >= 88
    assert cache.get_or_make("more than all", lambda: Value(2000)).weight == 2000
    assert "more than all" not in cache


def test_age():
    now = [100.0]
    gone = []
    cache = make(ttl=10, clock=lambda: now[0], on_evict=lambda key, value, why: gone.append((key, why)))
    first = cache.get_or_make("a", Value)
    now[0] += 9.9
    assert cache.get("a") is first
    now[0] += 0.2
    assert cache.get_or_make("a", Value) is not first
    assert gone == [("a", "expired")] and cache.stats().expired == 1


def test_evicted_values_are_freed():
    cache = make(10)
    references = []
    for i in range(100):
        value = Value()
        references.append(weakref.ref(value))
        cache.get_or_make(i, lambda kept=value: kept)
        cache.get(i)
    del value
    cache.stats()
    gc.collect()
    assert sum(r() is not None for r in references) <= 11
    cache.clear()
    assert len(cache) == 0 and cache.stats().weight == 0
    gc.collect()
    assert sum(r() is not None for r in references) <= 1


# ---- threads ---------------------------------------------------------------------------------------------
def test_one_compilation_however_many_ask():
    cache = make()
    made = []

    def slow():
        made.append(1)
        time.sleep(0.1)
        return Value()

    found = []
    threads = [threading.Thread(target=lambda: found.append(cache.get_or_make("a", slow))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(set(map(id, found))) == 1 and len(found) == 8
    assert cache.stats().waits == 7


def test_a_failed_compilation_is_nobody_elses():
    cache = make()
    gate = threading.Barrier(4)
    outcomes = []

    def fail():
        time.sleep(0.02)
        raise SyntaxError("no")

    def ask():
        gate.wait()
        try:
            cache.get_or_make("a", fail)
        except SyntaxError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 4 and len(set(map(id, outcomes))) == 4
    assert cache.get_or_make("a", Value).weight == 1


def test_threads_at_random():
    cache = make(50, 400)
    wrong = []

    def work(seed):
        numbers = random.Random(seed)
        for _ in range(2000):
            key = int(numbers.paretovariate(0.7)) % 300
            value = cache.get_or_make(key, lambda key=key: Value(1 + key % 20))
            if value.weight != 1 + key % 20:
                wrong.append(key)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = cache.stats()
    assert wrong == [] and stats.entries <= 50 and stats.weight <= 400
    assert stats.hits + stats.misses == 12000


# ---- as hosts use it -------------------------------------------------------------------------------------
def test_runtimes_share_a_cache():
    gone = []
    cache = kr.ParseCache(max_entries=2, on_evict=lambda source, filename, why: gone.append((source, filename, why)))
    first, second = kr.Runtime(cache=cache), kr.Runtime(cache=cache)
    assert first.run("1 + 1").stats.cached is False
    assert second.run("1 + 1").stats.cached is True
    assert second.run("1 + 1", filename="other.py").stats.cached is False
    assert second.run(b"1 + 1").stats.cached is False           # bytes may have an encoding line
    assert len(cache) <= 2 and gone
    assert all(entry[1] in ("<guest>", "other.py") for entry in gone)
    assert second.run("1 +").error.type == "SyntaxError"
    cache.clear()
    assert len(cache) == 0 and repr(cache) == "<ParseCache: 0 of 2 programs>"


@pytest.mark.parametrize("arguments, text", [
    ({"max_entries": 0}, "max_entries must be positive"), ({"max_entries": "x"}, "max_entries must be an int"),
    ({"max_weight": "1XB"}, "is not a size"), ({"max_weight": None}, "max_weight must be an int or a text"),
    ({"ttl": -1}, "ttl must be positive"), ({"ttl": "1"}, "ttl must be a number"), ({"on_evict": 1}, "on_evict must be callable"),
])
def test_wrong_settings(arguments, text):
    with pytest.raises((TypeError, ValueError), match=text):
        kr.ParseCache(**arguments)


def test_a_runtime_wants_a_cache():
    with pytest.raises(TypeError, match="cache must be a kimi_runtime.ParseCache or None, not dict"):
        kr.Runtime(cache={})


# ---- against a plain LRU ---------------------------------------------------------------------------------
def trace(requests, seed):
    """Keys and weights: most requests for a few programs, and programs that never come again between them."""
    numbers = random.Random(seed)
    for i in range(requests):
        kind = numbers.random()
        if kind < 0.1:
            yield ("scan", i), 20
        elif kind < 0.7:
            yield ("hot", numbers.randrange(120)), 10
        else:
            yield ("cold", int(numbers.paretovariate(0.6)) % 2000), 10


def test_it_beats_a_plain_lru_of_the_same_weight():
    requests = list(trace(30_000, 1))
    cache = make(200, 2000)
    plain, held, plain_hits = OrderedDict(), 0, 0
    for key, weight in requests:
        cache.get_or_make(key, Value, weight)
        if key in plain:
            plain.move_to_end(key)
            plain_hits += 1
            continue
        plain[key] = weight
        held += weight
        while held > 2000:
            held -= plain.popitem(last=False)[1]
    assert cache.stats().hits > plain_hits * 1.1


# ---- on disk ---------------------------------------------------------------------------------------------
SOURCE = "def f(n):\n    return [i * i for i in range(n)]\nprint('hello')\nsum(f(10))\n"


def disk_runtime(folder):
    cache = kr.ParseCache(folder=folder)
    return kr.Runtime(cache=cache), cache


def only_file(folder):
    files = list(folder.rglob("*.kic"))
    assert len(files) == 1
    return files[0]


def test_a_new_process_starts_from_the_folder(tmp_path):
    rt, cache = disk_runtime(tmp_path)
    expected = rt.run(SOURCE)
    assert cache.stats().disk_writes == 1
    rt, cache = disk_runtime(tmp_path)
    found = rt.run(SOURCE)
    assert (found.value, found.stdout, found.stats.cached) == (expected.value, "hello\n", True)
    assert (cache.stats().disk_hits, cache.stats().disk_writes) == (1, 0)
    program = ("import kimi_runtime as kr, sys\ncache = kr.ParseCache(folder=sys.argv[1])\nprint(kr.Runtime(cache=cache).run("
               f"{SOURCE!r}).value, cache.stats().disk_hits)")
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "285 1\n"
    assert rt.run("1 / 0", filename="a.py").error.traceback == kr.run("1 / 0", filename="a.py").error.traceback
    rt, _ = disk_runtime(tmp_path)
    assert rt.run("1 / 0", filename="a.py").error.traceback == kr.run("1 / 0", filename="a.py").error.traceback


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:10], lambda data: data[:-1], lambda data: b"x" + data[1:],
    lambda data: data[:8] + bytes([data[8] ^ 1]) + data[9:], lambda data: data[:60] + bytes([data[60] ^ 255]) + data[61:],
    lambda data: data + b"more",
])
def test_damaged_and_foreign_files_are_compiled_anew(tmp_path, damage):
    rt, _ = disk_runtime(tmp_path)
    rt.run(SOURCE)
    path = only_file(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    rt, cache = disk_runtime(tmp_path)
    with pytest.warns(DiskCacheWarning, match="the source is compiled instead"):
        assert rt.run(SOURCE).value == 285
    assert cache.stats().disk_errors == 1
    assert path.read_bytes() == whole
    rt, cache = disk_runtime(tmp_path)
    assert rt.run(SOURCE).stats.cached is True and cache.stats().disk_errors == 0


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path):
    rt, _ = disk_runtime(tmp_path)
    target = tmp_path / DiskCache(tmp_path).path_of(SOURCE, "<guest>").split("/")[-2]
    target.write_text("a file where the cache wants a folder")
    with pytest.warns(DiskCacheWarning, match="cannot be"):
        assert rt.run(SOURCE).value == 285


def test_several_processes_at_once(tmp_path):
    program = ("import kimi_runtime as kr, sys, warnings\nwarnings.simplefilter('error')\n"
               "for r in range(3):\n    rt = kr.Runtime(cache=kr.ParseCache(folder=sys.argv[1]))\n"
               "    for i in range(60):\n        assert rt.run(f'x = {i}\\nx * 2').value == i * 2\n")
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(list(tmp_path.rglob("*.kic"))) == 60
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".kic"] == []


def test_the_oldest_files_go(tmp_path):
    rt, _ = disk_runtime(tmp_path)
    for i in range(10):
        rt.run(f"x = {i}")
    disk = DiskCache(tmp_path)
    (tmp_path / "mine.txt").write_text("not of the cache")
    before = disk.stats()
    disk.prune(before["bytes"] // 2)
    after = disk.stats()
    assert before["files"] == 10 and 3 <= after["files"] <= 6 and after["bytes"] <= before["bytes"] // 2
    assert disk.clear() == after["files"]
    assert disk.stats()["files"] == 0 and (tmp_path / "mine.txt").exists()


def test_command_line(tmp_path):
    from kimi_runtime.cli.main import main

    program = tmp_path / "program.py"
    program.write_text(SOURCE)
    broken = tmp_path / "broken.py"
    broken.write_text("x = (")
    folder = tmp_path / "cache"

    def run(*arguments):
        done = subprocess.run([sys.executable, "-m", "kimi_runtime", "cache", *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    assert main(["cache", "warm", str(folder), str(program), "--name", "<guest>"]) == 0
    assert run("warm", folder, program, broken) == (1, "1 compiled, 0 there already, 1 failed\n",
                                                    f"{broken}: SyntaxError: '(' was never closed (broken.py, line 1)\n")
    rt, cache = disk_runtime(folder)
    assert rt.run(SOURCE).stats.cached is True
    status, out, _ = run("stats", folder)
    assert status == 0 and out.startswith("2 programs, ")
    assert '"files": 2' in run("stats", folder, "--json")[1]
    assert run("clear", folder) == (0, "2 programs removed\n", "")
    assert run("stats", tmp_path / "nowhere")[0] == 2
