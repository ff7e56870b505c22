"""Threads that import one module at the same time: one runs it, the others wait. What CPython prints is what is expected."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import kimi_runtime as kr
import pytest

HEAD = """
import sys, threading, time
def threads(*work):
    made = [threading.Thread(target=w, name=str(i)) for i, w in enumerate(work)]
    for t in made:
        t.start()
        time.sleep(0.02)
    for t in made: t.join()
out = []
"""
# name: (program, modules)
PROGRAMS = {
    "both see the whole": ("""
def work():
    import slow
    out.append((slow.first, slow.last))
threads(work, work, work)
print(out)
""", {"slow": "import time\nfirst = 1\ntime.sleep(0.1)\nlast = 2"}),
    "names out of it": ("""
def work():
    from slow import last
    out.append(last)
threads(work, work)
print(out)
""", {"slow": "import time\ntime.sleep(0.1)\nlast = 2"}),
    "a package and its parts": ("""
def work():
    import pack.part
    out.append((pack.whole, pack.part.last))
def other():
    from pack import part
    out.append((sys.modules['pack'].whole, part.last))
threads(work, other, work)
print(out)
""", {"pack": "import time\ntime.sleep(0.05)\nwhole = 1", "pack.part": "import time\ntime.sleep(0.05)\nlast = 2"}),
    "one that fails is tried again": ("""
def work():
    try:
        import fails
        out.append(fails.last)
    except ValueError as error: out.append(str(error))
tries = sys.modules['tries'] = []
threads(work, work, work)
print(out, len(tries))
""", {"fails": "import sys, time\nsys.modules['tries'].append(1)\ntime.sleep(0.1)\n"
                "if len(sys.modules['tries']) < 2: raise ValueError('at first')\nlast = 2"}),
    "two that need each other": ("""
def one():
    import a
    out.append((a.done, a.b.done))
def two():
    import b
    out.append((b.done, b.a.done))
threads(one, two)
print(sorted(out))
""", {"a": "import time\ntime.sleep(0.1)\nimport b\ndone = 'a'", "b": "import time\ntime.sleep(0.1)\nimport a\ndone = 'b'"}),
    "three in a ring": ("""
def at(name):
    def work():
        __import__(name)
        out.append(name)
    return work
threads(at('a'), at('b'), at('c'))
print(sorted(out), [sys.modules[n].done for n in 'abc'])
""", {"a": "import time\ntime.sleep(0.1)\nimport b\ndone = 'a'", "b": "import time\ntime.sleep(0.1)\nimport c\ndone = 'b'",
      "c": "import time\ntime.sleep(0.1)\nimport a\ndone = 'c'"}),
    "a circle in one thread": ("""
def work():
    import a
    out.append((a.seen, a.b.seen))
threads(work, work)
print(out)
""", {"a": "import time\ntime.sleep(0.05)\nimport b\nseen = hasattr(b, 'a')", "b": "import a\nseen = hasattr(a, 'seen')"}),
    "a thread that the module begins": ("""
import starts
print(starts.last)
starts.thread.join()
print(out)
""", {"starts": "import sys, threading, time\nout = sys.modules['__main__'].out\ndef work():\n    import starts\n    out.append(starts.last)\n"
                 "thread = threading.Thread(target=work)\nthread.start()\ntime.sleep(0.1)\nlast = 2"}),
}


def by_cpython(folder, program: str, modules: dict[str, str]) -> str:
    for name, text in modules.items():
        parts = name.split(".")
        is_package = any(other.startswith(name + ".") for other in modules)
        path = folder.joinpath(*parts, "__init__.py") if is_package else folder.joinpath(*parts[:-1], parts[-1] + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "main.py").write_text(program)
    return subprocess.run([sys.executable, str(folder / "main.py")], capture_output=True, text=True, check=True, timeout=20,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}).stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_threads_import_at_the_same_time(name, tmp_path):
    body, modules = PROGRAMS[name]
    result = kr.Runtime(modules_source=modules).run(HEAD + body)
    assert result.error is None, result.error.traceback
    assert result.stdout == by_cpython(tmp_path, HEAD + body, modules)


def test_modules_of_the_library_that_each_guest_runs():
    """What two threads find in a module of the library while one of them runs it."""
    program = HEAD + """
import slow
def work():
    import logging.handlers
    out.append(hasattr(logging.handlers, 'QueueListener') and hasattr(logging, 'warning'))
threads(*[work] * 4)
print(out)
"""
    assert kr.Runtime(modules_source={"slow": ""}).run(program, check=True).stdout == "[True, True, True, True]\n"


def test_a_wait_for_a_module_ends_with_the_run():
    modules = {"slow": "while True: pass", "waits": "import time\ntime.sleep(100)"}
    for module in modules:
        program = HEAD + f"def work(): import {module}\nthreads(work, work)"
        began = time.monotonic()
        result = kr.Runtime(modules_source=modules, limits=kr.Limits(seconds=0.3)).run(program)
        assert result.error is not None and result.error.limit == "seconds"
        assert time.monotonic() - began < 3


def test_a_module_whose_thread_waits_for_its_importer():
    """CPython hangs there for good: here it is an error of the main thread, as whenever all threads wait for each other."""
    module = ("import threading\ndef work():\n    import joins\n    print('later', joins.last)\nthread = threading.Thread(target=work)\n"
              "thread.start()\nthread.join()\nlast = 2")
    result = kr.Runtime(modules_source={"joins": module}).run("import joins")
    assert (result.error.type, "wait for each other" in result.error.message) == ("RuntimeError", True)
