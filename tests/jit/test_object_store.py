"""Machine code in a folder: a new process loads what another one has compiled, and nothing that is damaged or of another kind."""
from __future__ import annotations

import itertools
import json
import pathlib
import subprocess
import sys

import pytest

import kimi_runtime as kr
from kimi_runtime.cache.folder import DiskCacheWarning
from kimi_runtime.jit import compiler, loading, settings
from kimi_runtime.jit.store import ObjectStore

pytestmark = pytest.mark.skipif(not settings.available() or not loading.SUPPORTED, reason="no object files of this system")

#: A plain function, a loop with a switch of ways, floats, objects, a spliced method and a generator.
SOURCE = """
import math
class A:
    def __init__(self): self.n = 0
    def add(self, k):
        self.n += k
        return self.n
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def numbers(n):
    for i in range(n): yield i * 3
def work(n):
    a = A()
    x = 0.5
    found = {}
    out = []
    for i in range(n):
        a.add(i)
        x = math.floor(x * 3.7 + math.sin(i)) % 5 + 0.25
        found[i % 7] = found.get(i % 7, 0) + 1
        out.append(f"{i}")
        try:
            if i % 5 == 0: raise ValueError(i)
        except ValueError:
            x += 1
    return a.n, x, found, len(out), sum(numbers(n)), fib(12)
work(300)
"""
CHILD = """
import json, sys
import kimi_runtime as kr
jit = kr.JIT.eager(folder=sys.argv[1])
value = kr.Runtime(jit=jit).run(sys.argv[2], check=True).value
made = jit.log.stats()["compiled"]
print(json.dumps([value, made, "llvmlite" in sys.modules, jit.store().hits, jit.store().writes]))
"""


def in_process(folder: pathlib.Path) -> list:
    done = subprocess.run([sys.executable, "-c", CHILD, str(folder), SOURCE], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": ":".join(sys.path)})
    return json.loads(done.stdout)


def test_the_next_process_loads_what_was_compiled(tmp_path):
    value, made, imported, hits, writes = in_process(tmp_path)
    assert imported and hits == 0 and writes == made >= 3
    again, made_again, imported, hits, writes = in_process(tmp_path)
    assert again == value == json.loads(json.dumps(kr.Runtime(jit=None).run(SOURCE, check=True).value))
    assert made_again == made == hits and writes == 0
    assert not imported                     # the back end is not needed


NUMBERS = itertools.count()


def run(folder, **more) -> kr.JIT:
    jit = kr.JIT.eager(folder=folder, **more)
    other = f"# {next(NUMBERS)}: for the parse cache it is another program\n"
    kr.Runtime(jit=jit).run(other + "t = 0\nfor i in range(50): t += i * i\nt", check=True)
    assert jit.log.stats()["compiled"] == 1
    return jit


@pytest.mark.parametrize("spoil", [lambda data: data[:-7], lambda data: data[:60] + b"\x90\x90" + data[62:], lambda data: b"",
                                   lambda data: b"KIMIO\x01" + bytes(16) + data[22:]],
                         ids=["cut off", "changed", "empty", "of another host"])
def test_what_is_damaged_is_compiled_anew(tmp_path, spoil):
    run(tmp_path)
    path, = tmp_path.rglob("*.kio")
    good = path.read_bytes()
    path.write_bytes(spoil(good))
    with pytest.warns(DiskCacheWarning, match="compiled anew"):
        jit = run(tmp_path)
    assert jit.store().stats()["errors"] == 1 and path.read_bytes() == good
    assert run(tmp_path).store().hits == 1


def test_other_settings_are_other_files(tmp_path):
    run(tmp_path)
    assert run(tmp_path, opt_level=2).store().hits == 0
    assert run(tmp_path).store().hits == 1


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / ObjectStore(tmp_path).path_of("x", 1).split("/")[-2]).write_text("in the way")
    store = ObjectStore(tmp_path)
    with pytest.warns(DiskCacheWarning, match="cannot be written"):
        store.put("x", 1, b"code")
    assert list(tmp_path.rglob("*.kio")) == []


def test_the_folder_is_bounded(tmp_path):
    store = ObjectStore(tmp_path, 4000)
    for i in range(128):
        store.put(str(i), 1, bytes(range(200)))
    assert store.stats()["bytes"] <= 4000


def test_object_files_that_are_not_known():
    with pytest.raises(loading.Unloadable):
        loading.load(b"MZ", "hot_table", [])


def test_the_loader_of_llvm(monkeypatch):
    """Where object files are not read by us, LLVM loads its code itself."""
    monkeypatch.setattr(loading, "SUPPORTED", False)
    monkeypatch.setattr(compiler, "_machines", {})
    jit = kr.JIT.eager()
    source = SOURCE.replace("300", "301")   # not what another test has had compiled
    expected = kr.Runtime(jit=None).run(source.replace("301", " 301"), check=True).value
    assert kr.Runtime(jit=jit).run(source, check=True).value == expected
    assert jit.log.stats()["compiled"] >= 3
