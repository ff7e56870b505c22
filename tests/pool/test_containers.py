"""What containers let the process have: cgroups v2 and v1 as trees of files, and what follows from them."""
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import kimi_runtime as kr
from kimi_runtime import containers
from kimi_runtime.cache.parse_cache import ParseCache
from kimi_runtime.memory import heap

GIB = 1 << 30


class Tree(containers.Container):
    """A machine of files."""

    def write(self, files):
        for name, text in files.items():
            path = pathlib.Path(self.root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        self.forget()


V2 = {"proc/self/cgroup": "0::/app/web", "proc/self/mountinfo": "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
      "sys/fs/cgroup/app/web/cgroup.procs": "1", "proc/meminfo": "MemTotal: 471859200 kB\nMemAvailable: 471859200 kB"}
V1 = {"proc/self/cgroup": "9:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc",
      "proc/self/mountinfo": "30 23 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                             "31 23 0:28 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
      "sys/fs/cgroup/memory/cgroup.procs": "1", "sys/fs/cgroup/cpu,cpuacct/cgroup.procs": "1",
      "proc/meminfo": "MemTotal: 471859200 kB\nMemAvailable: 471859200 kB"}


@pytest.fixture
def tree(tmp_path):
    """A machine that the package takes for its own."""
    made = Tree(str(tmp_path))
    before = containers.use(made)
    yield made
    containers.use(before)
    containers.look()


def test_this_machine():
    memory = containers.memory()
    assert 0 <= memory.used <= memory.limit and memory.left > 0
    assert 1 <= containers.processors() <= os.cpu_count()
    assert os.path.exists(memory.source)


def test_memory_of_the_container_not_of_the_host(tree):
    """C197: the host has 450 GiB, the container 116 and 14 of them in use."""
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": 116 * GIB, "sys/fs/cgroup/app/web/memory.current": 14 * GIB})
    assert containers.available_memory() == 102 * GIB
    assert containers.memory() == containers.Memory(116 * GIB, 14 * GIB, 14 * GIB, "/sys/fs/cgroup/app/web/memory.max", True)


def test_the_least_of_all_parents_counts(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": 8 * GIB, "sys/fs/cgroup/app/web/memory.current": GIB,
                "sys/fs/cgroup/app/memory.max": 4 * GIB, "sys/fs/cgroup/app/memory.current": 3 * GIB})
    assert containers.available_memory() == GIB
    assert containers.memory().source == "/sys/fs/cgroup/app/memory.max"


def test_high_is_a_limit_too(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": "max", "sys/fs/cgroup/app/web/memory.high": GIB,
                "sys/fs/cgroup/app/web/memory.current": 1})
    assert containers.memory().limit == GIB and containers.memory().source.endswith("memory.high")


def test_file_pages_that_can_be_dropped_are_not_in_use(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": GIB, "sys/fs/cgroup/app/web/memory.current": GIB - 1000,
                "sys/fs/cgroup/app/web/memory.stat": f"anon 5\ninactive_file {GIB // 2}\nactive_file 7"})
    assert containers.available_memory() == GIB // 2 + 1000


def test_without_a_limit_the_machine_counts(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": "max"})
    assert containers.memory() == containers.Memory(450 * GIB, 0, 0, "/proc/meminfo", False)


def test_version_1(tree):
    tree.write({**V1, "sys/fs/cgroup/memory/memory.limit_in_bytes": 2 * GIB, "sys/fs/cgroup/memory/memory.usage_in_bytes": GIB,
                "sys/fs/cgroup/memory/memory.stat": "total_inactive_file 1000",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": 50_000, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": 100_000})
    assert containers.available_memory() == GIB + 1000
    assert (tree.quota(), containers.processors()) == (0.5, 1)
    tree.write({"sys/fs/cgroup/memory/memory.limit_in_bytes": 9223372036854771712, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": -1})
    assert not containers.memory().is_container and tree.quota() is None


def test_quota_of_processors(tree, monkeypatch):
    """C195: the host has 64 processors, the container one and a half."""
    monkeypatch.setattr(containers, "usable_processors", lambda: tuple(range(64)))
    tree.write({**V2, "sys/fs/cgroup/app/web/cpu.max": "150000 100000", "sys/fs/cgroup/app/web/cpu.weight": "10"})
    assert containers.processors() == 2
    with kr.Pool() as pool, kr.Pool("process", min_workers=0) as processes:
        assert (pool.max_workers, processes.max_workers) == (32, 4)
        assert processes._runtime._pool.most == 4
        tree.write({"sys/fs/cgroup/app/web/cpu.max": "max 100000"})
        assert containers.processors() == 64
        assert containers.look()
        assert (pool.max_workers, processes.max_workers) == (512, 128)
    tree.write({"sys/fs/cgroup/app/cpu.max": "250000 100000"})
    assert containers.processors() == 3


def test_affinity_counts(tree, monkeypatch):
    monkeypatch.setattr(containers, "usable_processors", lambda: (3,))
    tree.write({**V2, "sys/fs/cgroup/app/web/cpu.max": "800000 100000"})
    assert containers.processors() == 1


def test_pressure(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.pressure": "some avg10=12.50 avg60=1.00 total=5\nfull avg10=1.0"})
    assert containers.pressure() == 12.5
    tree.write({"sys/fs/cgroup/app/web/memory.pressure": "nonsense"})
    assert containers.pressure() is None


@pytest.mark.parametrize("files", [
    {}, {"proc/self/cgroup": "nonsense"}, {**V2, "sys/fs/cgroup/app/web/memory.max": "many"},
    {**V2, "proc/self/mountinfo": "x - y"}, {**V2, "proc/self/cgroup": "0::/../../etc"}, {**V2, "proc/meminfo": "MemTotal:"},
])
def test_odd_files(tree, files):
    tree.write(files)
    assert containers.memory().limit > 0 and containers.processors() >= 1
    containers.pressure()


# ---- what follows -----------------------------------------------------------------------------------------------
def test_a_share_of_memory(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": 400_000_000, "sys/fs/cgroup/app/web/memory.current": 5})
    limits = kr.Limits(memory="75%")
    assert limits.memory == 300_000_000 and isinstance(limits, kr.Limits)
    assert "memory=300000000" in repr(limits)
    assert pickle.loads(pickle.dumps(limits)).memory == 300_000_000
    rt = kr.Runtime(limits=kr.Limits(memory="2%"))
    program = "len(bytes(20_000_000))"
    assert rt.run(program).error.type == "MemoryError"
    tree.write({"sys/fs/cgroup/app/web/memory.max": 4_000_000_000})
    assert containers.look()
    assert limits.memory == 3_000_000_000
    assert rt.run(program).value == 20_000_000


@pytest.mark.parametrize("text", ["0%", "101%", "-5%", "%", "x%", "nan%"])
def test_wrong_shares(text):
    with pytest.raises(ValueError, match="share of memory"):
        kr.Limits(memory=text)


def test_shares_are_for_memory():
    with pytest.raises(ValueError, match="not a size"):
        kr.Limits(output="5%")


def test_caches_follow(tree):
    tree.write({**V2, "sys/fs/cgroup/app/web/memory.max": 200_000_000, "sys/fs/cgroup/app/web/memory.current": 5})
    small, share, given = ParseCache(), ParseCache(max_weight="1%"), ParseCache(max_weight="30MB")
    assert [cache._codes.max_weight for cache in (small, share, given)] == [10_000_000, 2_000_000, 30_000_000]
    tree.write({"sys/fs/cgroup/app/web/memory.max": 100_000_000_000})
    containers.look()
    assert [cache._codes.max_weight for cache in (small, share, given)] == [64_000_000, 1_000_000_000, 30_000_000]


def test_a_cache_shrinks():
    cache = ParseCache()
    rt = kr.Runtime(cache=cache)
    for n in range(50):
        rt.run(f"{n} + 1")
    for _ in range(3):
        rt.run("0 + 1")
    weight = cache.stats().weight
    cache.shrink(weight // 10)
    assert 0 < cache.stats().weight <= weight // 10
    assert rt.run("0 + 1").stats.cached
    cache.shrink(0)
    assert cache.stats().weight == 0 and len(cache) == 0
    assert rt.run("0 + 1").value == 1


# ---- the guard --------------------------------------------------------------------------------------------------
class Measured(containers.Container):
    """A container of so many bytes more than the process has now, and what it has measured."""

    def __init__(self, size):
        super().__init__()
        self.base = self.resident() - 50_000_000
        self.size = size

    @staticmethod
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def memory(self):
        used = max(0, self.resident() - self.base)
        return containers.Memory(self.size, used, used, "/sys/fs/cgroup/memory.max", True)


# Written to, unlike bytes(50_000), and some 200 MB a second: a look takes place within milliseconds, not within microseconds.
GROWING = """
kept = []
while True:
    kept.append(b'x' * 50_000)
    for i in range(15_000): pass
"""


def test_the_guest_that_grows_is_stopped_and_the_process_lives():
    container, told = Measured(256_000_000), []
    rt = kr.Runtime(limits=kr.Limits(memory="4GB", seconds=60))
    small = threading.Thread(target=lambda: found.append(rt.run("n = 0\nwhile n < 3_000_000: n += 1\nn")))
    found = []
    with kr.MemoryGuard(container=container, on_event=told.append) as guard:
        small.start()
        result = rt.run(GROWING)
        small.join()
        assert result.error.limit == "memory" and "of its guests this one held most" in result.error.message
        assert "of 256,000,000 bytes were in use (/sys/fs/cgroup/memory.max)" in result.error.message
        assert found[0].value == 3_000_000                  # the other guest was left alone
        assert rt.run("1 + 1").value == 2
        stop = next(event for event in told if event.kind == "stop")
        assert stop in guard.events and stop.text == result.error.message
        assert stop.guests[0] > 100_000_000 and 0.85 * stop.limit <= stop.used < stop.limit
        assert told[0].kind == "shrink"                     # caches first
        assert stop.to_dict()["limit"] == 256_000_000
    heap.trim()
    assert container.memory().used < 200_000_000


def test_one_request_for_all_that_is_left_is_refused():
    container = Measured(256_000_000)
    with kr.MemoryGuard(container=container):
        time.sleep(0.05)
        result = kr.run("len(bytes(250_000_000))", limits=kr.Limits(memory="4GB"))
        assert result.error.type == "MemoryError"
        assert kr.run("len(bytes(50_000_000))", limits=kr.Limits(memory="4GB")).value == 50_000_000
    assert kr.run("len(bytes(250_000_000))", limits=kr.Limits(memory="4GB")).value == 250_000_000


QUICK = {       # each fills gigabytes a second
    "blocks": "x = []\nwhile True: x.append(b'x' * 1_000_000)",
    "one call": "x = list(map(b'x'.__mul__, [3_000_000] * 10**5))",
    "small objects of one call": "x = [('ab ' * 10**7).split() for _ in range(10)]",
    "doubling": "x = bytearray(b'x')\nwhile True: x.extend(x)",
    "zeros, written to later": "x = []\nwhile True: x.append(bytearray(3_000_000)); x[-1][:] = b'x' * 3_000_000",
    "errors that are caught": "x = []\nwhile True:\n    try:\n        while True: x.append(b'x' * 5_000_000)\n    except MemoryError: pass",
    "threads": "import threading\nx = []\ndef f():\n    while True: x.append(b'x' * 1_000_000)\n"
               "t = [threading.Thread(target=f) for _ in range(3)]\nfor one in t: one.start()\nfor one in t: one.join()",
}


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="needs the resident size of Linux")
@pytest.mark.parametrize("limit", ["4GB", None])
@pytest.mark.parametrize("source", QUICK.values(), ids=QUICK)
def test_who_fills_quickly_is_stopped_in_time(source, limit):
    kr.run("import threading")
    heap.trim()
    container = Measured(256_000_000)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")                 # the peak begins anew
    with kr.MemoryGuard(container=container):
        error = kr.run(source, limits=kr.Limits(memory=limit, seconds=60)).error
        assert kr.run("1 + 1").value == 2
    with open("/proc/self/status") as file:
        peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
    assert peak - container.base < 256_000_000
    assert error.limit == "memory"
    assert error.type == "MemoryError" or "the process was about to run out" in error.message or "no memory left" in error.message
    gc.collect()
    assert heap.held()[0] < 60_000_000      # and it is back


def test_many_small_guests_are_stopped_too():
    """None of them holds much, together they hold all."""
    container, told = Measured(128_000_000), []
    source = "x = []\nfor n in range(60): x.append(b'x' * 100_000)\nwait()\nfor n in range(100_000): pass"
    barrier = threading.Event()
    rt = kr.Runtime(functions={"wait": lambda: barrier.wait(20)}, limits=kr.Limits(memory="100MB", seconds=60))
    results = []
    with kr.MemoryGuard(container=container, on_event=told.append):
        threads = [threading.Thread(target=lambda: results.append(rt.run(source))) for _ in range(25)]      # 150 MB
        for thread in threads:
            thread.start()
        end = time.monotonic() + 30
        while not any(event.kind == "stop" for event in told) and time.monotonic() < end:
            time.sleep(0.01)
        barrier.set()
        for thread in threads:
            thread.join()
    assert [event.kind for event in told if event.kind == "stop"]
    assert {result.error.limit for result in results if result.error} == {"memory"}
    assert sum(result.ok for result in results) >= 15


def test_where_no_guest_is_to_blame():
    container, told = Measured(100_000_000), []
    with kr.MemoryGuard(container=container, on_event=told.append):
        kept = bytearray(os.urandom(1)) * 60_000_000
        end = time.monotonic() + 20
        while not any(event.kind == "host" for event in told) and time.monotonic() < end:
            time.sleep(0.01)
        del kept
    assert told[-1].kind == "host" and "no guest holds enough" in told[-1].text


def test_guard_arguments():
    with pytest.raises(ValueError, match="in this order"):
        kr.MemoryGuard(shrink_at=0.9, stop_at=0.8)


def new_group():
    """A group of the kernel's for a test, in the one of KIMI_TEST_CGROUP or of this process; skips where none may be made."""
    given = os.environ.get("KIMI_TEST_CGROUP")
    for parent in [given] if given else ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"]:
        folder = pathlib.Path(parent, f"kimi-test-{os.getpid()}")
        try:
            folder.mkdir()
        except OSError:
            continue
        for name in ("memory.max", "memory.limit_in_bytes"):
            if (folder / name).exists():
                return folder, folder / name
        folder.rmdir()
    pytest.skip("this process may make no group with a limit of memory (KIMI_TEST_CGROUP can name the folder of one where it may)")


def test_in_a_real_group():
    """A group of 256 MB of the kernel's, with a guest in it that grows: the process lives, and the event names the file."""
    folder, limit = new_group()
    program = textwrap.dedent(f"""
        import os
        open({str(folder / "cgroup.procs")!r}, "w").write(str(os.getpid()))
        import kimi_runtime as kr
        assert kr.containers.memory_limit() == {256 << 20}, kr.containers.memory()
        assert kr.Limits(memory="75%").memory == {192 << 20}
        with kr.MemoryGuard() as guard:
            result = kr.run({GROWING!r}, limits=kr.Limits(memory="4GB"))
        print(result.error.limit, guard.events[-1].kind, guard.events[-1].source, kr.run("1 + 1").value)
    """)
    try:
        limit.write_text(str(256 << 20))
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert done.stdout.split() == ["memory", "stop", str(limit), "2"], done.stderr
    finally:
        for _ in range(100):
            try:
                folder.rmdir()
                break
            except OSError:
                time.sleep(0.05)
