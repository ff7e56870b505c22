"""What a guest leaves in the process is no more than what caches of a bounded size hold, and holds no pages of its memory."""

from __future__ import annotations

import subprocess
import sys

import kimi_runtime as kr
import pytest
from kimi_runtime.library import loader

# Each fills a list of free objects or a cache that outlives the run, among so much else that its heap is not kept for the next one.
FILLS = """
import codecs, gc
import kimi_runtime as kr
from kimi_runtime.memory import heap

kr.run("import re, json, codecs").unwrap()
for name in ("cp437", "koi8_r", "utf_7"):
    codecs.lookup(name)
KEEP = "kept = [str(i) * 3 for i in range(60_000)]\\n"
for number in range(8):
    for program in (
        "fs = [lambda: i for i in range(200)]\\ndel fs",
        "gs = [(x for x in kept) for _ in range(200)]\\nfor g in gs: next(g)\\ndel gs, g",
        "ts = [tuple(kept[:n]) for n in range(1, 20) for _ in range(300)]\\ndel ts",
        "ls = [[[], {}, {'a': 1}, 1.5 * i] for i in range(300)]\\ndel ls",
        f"class C{number}:\\n    a{number} = 1\\n    def m{number}(self): return self.a{number}\\nfor i in range(50): C{number}().m{number}()",
        f"import re\\nfor i in range(20): re.sub('a{number}[b-d]+%d(?P<n>x)?' % i, 'b', 'abc')",
        f"import json\\njson.loads('[1, {number}')",
        "def f(a, /, b): pass\\nfor args in ((), (1,), (1, 2, 3)):\\n    try: f(*args)\\n    except TypeError: pass\\n[].pop()",
        "import codecs\\nfor name in ('cp437', 'koi8_r', 'utf_7'): 'x'.encode(name)",
    ):
        kr.run(KEEP + program)
gc.collect()
heap.trim()
print(len(heap.pages_left()))
"""


def test_pages_are_given_back():
    done = subprocess.run([sys.executable, "-c", FILLS], capture_output=True, text=True, timeout=100, check=True)
    assert int(done.stdout) <= 40, done.stdout      # 80 before the lists were emptied


def test_names_of_encodings_are_forgotten():
    import encodings

    kr.run("for i in range(3000):\n    try: 'x'.encode('none%d' % i)\n    except LookupError: pass").unwrap()
    kr.run("1").unwrap()
    kr.run("1").unwrap()
    assert len(encodings._cache) < 1000
    kr.run("import codecs\nfor i in range(1000):\n    try: codecs.lookup('none%d' % i)\n    except LookupError: pass\ncodecs.lookup('utf----8')").unwrap()
    assert len(vars(loader.import_shared("encodings"))["_cache"]) == 0
    found = vars(loader.import_shared("_codecs"))["_found"]
    assert len(found) <= 500 and max(map(len, found)) < 50


@pytest.mark.parametrize("first", ["codecs.register(print)", "codecs.lookup('utf-8'); codecs.register(print)"])
def test_the_first_guest_may_not_register_a_codec(first):
    code = f"""
import kimi_runtime as kr
print(kr.run({"import codecs; " + first!r}).error.type)
print(kr.run("import codecs; codecs.lookup('utf-8').name").value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "PermissionError\nutf-8\n"


def test_a_compiled_pattern_is_the_same_object_again():
    assert kr.run("import re\nre.compile('same [object]') is re.compile('same [object]')").value is True
    assert kr.run("import re\np = re.compile('same (?P<it>[object])')\n(p.groupindex['it'], p.pattern, p.flags, p.search('x same o')['it'])").value == (1, "same (?P<it>[object])", 32, "o")
    assert kr.run("import re\np = re.compile('same (?P<it>[object])')\n(p.groupindex['it'], p.pattern, p.flags, p.search('x same o')['it'])").value == (1, "same (?P<it>[object])", 32, "o")


def test_a_module_that_is_not_loaded_to_its_end_is_loaded_anew():
    """As where the host interrupts the load."""
    assert kr.run("import codecs; codecs.lookup('utf-8').name").value == "utf-8"
    with loader._lock:
        loader._forget("encodings")
        vars(loader.import_shared("_codecs"))["_found"].clear()
    assert kr.run("import codecs; codecs.lookup('utf-8').name").value == "utf-8"
