"""Processors and memory nodes: parsing, choosing, binding, and what happens where the system does not allow it."""
import os
import subprocess
import sys
import threading

import pytest

import kimi_runtime as kr
from kimi_runtime import processors
from kimi_runtime.containers import usable_processors


@pytest.fixture
def machine(tmp_path):
    """Two nodes, the processors that this process may use alternate between them; a third has none."""
    usable = usable_processors()
    for node, each in enumerate((usable[::2], usable[1::2], ())):
        folder = tmp_path / f"node{node}"
        folder.mkdir()
        (folder / "cpulist").write_text(",".join(map(str, each)) + "\n")
    (tmp_path / "possible").write_text("0-2\n")
    return str(tmp_path)


def test_lists_of_the_kernel():
    assert processors.parse_list("0-3,8,10-11\n") == (0, 1, 2, 3, 8, 10, 11)
    assert processors.parse_list("\n") == ()
    with pytest.raises(ValueError):
        processors.parse_list("a-b")


def test_nodes(machine, tmp_path):
    usable = usable_processors()
    assert processors.nodes(machine) == {0: usable[::2], 1: usable[1::2], 2: ()}
    assert processors.nodes(str(tmp_path / "nowhere")) == {0: usable}


def test_choosing(machine):
    usable = usable_processors()
    assert processors.chosen(None, None) == usable
    assert processors.chosen([usable[0]], None) == (usable[0],)
    assert processors.chosen(None, 0, machine) == usable[::2]
    for cpus, node, error in [((), None, TypeError), ((99_999,), None, ValueError), ((-1,), None, TypeError), (None, 7, ValueError),
                              (None, 2, ValueError), ((usable[0],), 0, ValueError), (None, True, TypeError)]:
        with pytest.raises(error):
            processors.chosen(cpus, node, machine)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_workers_are_bound():
    usable = usable_processors()
    with kr.Pool(cpus=usable[:1], max_workers=2) as pool:
        assert pool.submit(os.sched_getaffinity, 0).result() == {usable[0]}
        assert pool.submit("1 + 1").result().value == 2
    with kr.Pool(spread=True, min_workers=len(usable), max_workers=len(usable)) as pool:
        barrier = threading.Barrier(len(usable))

        def where():
            barrier.wait()
            return os.sched_getaffinity(0)

        found = [job.result(20) for job in [pool.submit(where) for _ in usable]]
        assert sorted(map(sorted, found)) == [[each] for each in usable]
    with kr.Pool(numa_node=0, max_workers=1) as pool:
        assert pool.submit("1 + 1").result().value == 2
    assert os.sched_getaffinity(0) == set(usable)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_worker_processes_are_bound():
    usable = usable_processors()
    gate, count = threading.Event(), len(usable)
    arrived = threading.Semaphore(0)

    def hold():
        arrived.release()
        return gate.wait(20)

    with kr.Pool("process", spread=True, min_workers=count, max_workers=count, functions={"hold": hold}) as pool:
        jobs = [pool.submit("hold()") for _ in usable]
        for _ in usable:
            assert arrived.acquire(timeout=20)
        bound = [affinity(worker.process._handle) for worker in pool._runtime._pool._busy]
        gate.set()
        assert [job.result(20).value for job in jobs] == [True] * count
        assert sorted(map(sorted, bound)) == [[each] for each in usable]
    with kr.Pool("process", cpus=usable[:1], max_workers=1) as pool, pool.session() as session:
        for _ in range(3):
            assert session.submit("1 + 1").result(20).value == 2
        assert affinity(session.session._worker.process._handle) == {usable[0]}


def affinity(handle):
    """Of the process that a descriptor stands for."""
    with open(f"/proc/self/fdinfo/{handle}") as file:
        return os.sched_getaffinity(next(int(line.split()[1]) for line in file if line.startswith("Pid:")))


def test_where_binding_is_not_allowed(monkeypatch):
    def refuse(*args):
        raise PermissionError("not allowed")

    monkeypatch.setattr(os, "sched_setaffinity", refuse, raising=False)
    assert processors.bind([0]) is False
    for kind in ("thread", "process"):
        with kr.Pool(kind, spread=True, max_workers=2) as pool:
            assert pool.submit("1 + 1").result().value == 2


def test_doctor():
    done = subprocess.run([sys.executable, "-m", "kimi_runtime", "doctor", "--numa"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "local  memory of node" in done.stdout and "GB/s" in done.stdout, done.stderr
    assert ("one node only" in done.stdout) == (len(processors.nodes()) == 1)
