"""The resident size of services: what ended guests have used goes back to the system, whatever the environment says of malloc."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="resident sizes are Linux's")

RESIDENT = """
import gc, json, os, sys, threading
import kimi_runtime as kr
from kimi_runtime import allocator

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""
MANY_SESSIONS = RESIDENT + """
rt = kr.Runtime(limits=kr.Limits(memory=MEMORY))
def session():
    with rt.session() as s:
        s.run("x = [bytes(4096) for _ in range(20_000)]", check=True)
session()
base = resident()
for _ in range(12):
    session()
print(json.dumps([base, resident()]))
"""
#: Requests in threads, as a service has them: malloc's arenas are one for each.
SERVICE = RESIDENT + """
REQUEST = '''
rows = [{"id": n, "name": f"item {n}" * (n % 7 + 1), "data": bytes(n * 31 % 5000)} for n in range(3_000)]
len("".join(row["name"] for row in rows)) + sum(len(row["data"]) for row in rows)
'''
rt = kr.Runtime()
def work():
    for _ in range(12):
        rt.run(REQUEST, check=True)
threads = [threading.Thread(target=work) for _ in range(6)]
for each in threads: each.start()
for each in threads: each.join()
print(json.dumps([allocator.current(), resident()]))
"""
TUNED = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "65536"}


def figures(source, **environment):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("MALLOC_", "PYTHONMALLOC", "KIMI_", "GLIBC_TUNABLES"))}
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, cwd=ROOT,
                          env={**clean, "PYTHONPATH": str(ROOT), **environment})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("memory", ["'1GB'", "None"], ids=["with a limit", "without"])
def test_sessions_give_their_memory_back(memory):
    """C192: 80 MB a session, and nothing of it stays."""
    base, end = figures(MANY_SESSIONS.replace("MEMORY", memory))
    assert end < base * 1.3 and end < 150e6, (base, end)


def test_a_service_needs_no_settings_of_malloc():
    """C194: a clean environment does as well as one that was tuned by hand; and the process says what it allocates by."""
    name, clean = figures(SERVICE)
    _, tuned = figures(SERVICE, **TUNED)
    assert name == "pymalloc" and clean < tuned * 1.2, (clean, tuned)
    named, _ = figures(SERVICE.replace("range(12)", "range(1)"), KIMI_ALLOCATOR="guest")
    assert named == "guest"


def test_guests_with_a_heap_of_their_own_in_a_process_that_uses_guests_heaps():
    """What the host makes lies in the same range then: emptying CPython's lists of free objects went on for ever."""
    source = RESIDENT + """
rt = kr.Runtime()
values = [rt.run("sum(len([[i], (i, i), {i: i}]) for i in range(2_000))", check=True).value for _ in range(3)]
print(json.dumps([values, allocator.current()]))
"""
    assert figures(source, KIMI_ALLOCATOR="guest") == [[6_000] * 3, "guest"]
