"""Run hostile programs with random limits in one long-lived process, and check what a stop promises after each.

    python tests/security/fuzz_limits.py [--seconds S] [--start SEED] [--count N] [--cases FILE ...] [--show SEED] [--late S]

After each run: a stop names a limit that was used up; nothing of the guest ran after it; the overrun is small; partial output and
names are readable and the session goes on; the process's state is as before. At the end: no leak. A watchdog ends the process
when a run hangs; the process that started it tells which seed it was, and goes on behind it. The exit status is the number of
failures, at most 100.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import ctypes
import decimal
import faulthandler
import gc
import mmap
import os
import pathlib
import random
import re
import resource
import signal
import struct
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]

from hostile_programs import Hostile, corpus, make_program  # noqa: E402

import kimi_runtime as kr  # noqa: E402
from kimi_runtime import engine  # noqa: E402
from kimi_runtime.library import loader  # noqa: E402
from kimi_runtime.memory import heap  # noqa: E402

HANG_SECONDS = 60.0         # a run that takes so much longer than it may is a hang
LATE_SECONDS = 0.15         # of processor time beyond the limit; promised are 0.05 or a tenth of the limit, on a quiet machine
MEMORY_SLACK = 16_000_000   # what the resident size may grow beyond a run's limit of memory
LEAK_BYTES = 1_000_000
WARM_RUNS = 2000            # before that, what grows is what modules of the library are loaded for the first time
SMALL_MEMORY = 16_000_000   # with less, what surrounds a program may itself be refused memory
BIG_ARITHMETIC = re.compile(r"\*\*|<<|factorial|comb|perm|pow|\*=|(\w+) \* \1|int\(")
KINDS_OF_STOP = ("seconds", "cpu_seconds", "instructions", "output", "memory", "cancelled", "recursion", "result_size", "host_calls", "source_size")


def resident() -> int:
    """Return the bytes of memory that the process has in use."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE


class Peak:
    """The largest resident size since `reset`, where the kernel tells it."""

    def __init__(self) -> None:
        self.works = True
        self.reset()

    def reset(self) -> None:
        """Begin to watch."""
        try:
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            self.works = False

    def read(self) -> int:
        """Return the largest size."""
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
        return 0


class Canceller:
    """One thread that cancels sessions at given times."""

    def __init__(self) -> None:
        self.wanted: list[tuple[float, kr.Session]] = []
        self.changed = threading.Condition()
        self.cancelled = False
        threading.Thread(target=self.work, daemon=True).start()

    def after(self, seconds: float, session: kr.Session) -> None:
        """Cancel the session's run after a time."""
        with self.changed:
            self.cancelled = False
            self.wanted = [(time.monotonic() + seconds, session)]
            self.changed.notify()

    def forget(self) -> bool:
        """Cancel nothing any more; return whether the run was cancelled."""
        with self.changed:
            self.wanted = []
            return self.cancelled

    def work(self) -> None:
        """Wait, cancel, again."""
        with self.changed:
            while True:
                if not self.wanted:
                    self.changed.wait()
                    continue
                at, session = self.wanted[0]
                left = at - time.monotonic()
                if left > 0:
                    del session
                    self.changed.wait(left)
                    continue
                if session.cancel():
                    self.cancelled = True
                    self.wanted = []
                else:
                    self.changed.wait(0.0005)
                del session     # else the last one would live on, and what its guest has made


class Fuzzer:
    """Runs programs one after the other.

    Args:
        cases: programs of others to be changed.
        report: called with a seed and a text for each failure.
        late_seconds: of processor time beyond the limit and a tenth of it that are no failure.
    """

    def __init__(self, cases: tuple[str, ...], report, late_seconds: float = LATE_SECONDS) -> None:
        self.cases, self.report, self.late_seconds = cases, report, late_seconds
        self.peak, self.canceller = Peak(), Canceller()
        self.stops: collections.Counter[str] = collections.Counter()
        self.late: list[tuple[float, int]] = []
        self.runs = 0
        loader.load_all()       # what the process loads once is no time of a run
        probe = kr.run("x = bytearray(60_000_000)", limits=kr.Limits(memory="8MB")).error
        self.memory_is_limited = probe is not None
        self.threads = threading.active_count()
        self.steady = self.state()

    def state(self) -> tuple:
        """Return what a guest must not change in the process."""
        return (sys.getrecursionlimit(), sys.stdout, sys.stderr, sys.stdin, gc.isenabled(), gc.get_threshold(), os.getcwd(), sys.getswitchinterval(), sys.excepthook, sys.unraisablehook,
                signal.getsignal(signal.SIGINT), decimal.getcontext().prec, random.getstate()[1][:3], sys.displayhook, sys.getrecursionlimit(), threading.excepthook, sys.get_asyncgen_hooks(), len(os.environ))

    def limits(self, rng: random.Random) -> tuple[kr.Limits, float | None]:
        """Return random limits, at least one of which ends any program, and after how many seconds to cancel."""
        given: dict = {"seconds": rng.choice((0.001, 0.003, 0.01, 0.03, 0.1, 0.3)) if rng.random() < 0.8 else 0.5}
        if rng.random() < 0.3:
            given["instructions"] = int(10 ** rng.uniform(0, 6))
        if rng.random() < 0.5:
            given["recursion"] = rng.choice((10, 30, 100, 300, 1000))
        if rng.random() < 0.4:
            given["output"] = rng.choice((1, 10, 100, 1000, 10_000, 100_000, 1_000_000))
        given["memory"] = rng.choice((1, 2, 4, 8, 16, 32, 64)) * 1_000_000
        if rng.random() < 0.1:
            given["cpu_seconds"] = rng.choice((0.001, 0.01, 0.1))
        if rng.random() < 0.1:
            given["result_size"] = rng.choice((1, 1000, 100_000))
        return kr.Limits(**given), rng.choice((0.0, 0.001, 0.01, 0.05)) if rng.random() < 0.2 else None

    def one(self, seed: int) -> None:
        """Run the program of a seed and check everything."""
        rng = random.Random(seed ^ 0x5EED)
        hostile = make_program(seed, self.cases)
        limits, cancel = self.limits(rng)
        self.current, self.current_limits = hostile, limits
        problems: list[str] = []
        before = resident()
        self.peak.reset()
        session = kr.Runtime().session()
        try:
            if cancel is not None:
                self.canceller.after(cancel, session)
            started, used, of_all = time.monotonic(), time.thread_time(), time.process_time()
            try:
                result = session.run(hostile.source, limits=limits)
            finally:
                used, took = time.thread_time() - used, time.monotonic() - started
                self.used_by_all = time.process_time() - of_all
                cancelled = self.canceller.forget()
            self.check_end(hostile, limits, result, used, took, cancelled, seed, problems)
            self.check_session(session, result, problems)
        finally:
            grown = self.peak.read() - before
            session.close()
        written = len(result.stdout) + len(result.stderr)       # the host keeps it, in pieces and as a text
        if self.memory_is_limited and self.peak.works and grown > limits.memory + MEMORY_SLACK + 2 * written:
            problems.append(f"the resident size grew by {grown:,} bytes with a memory limit of {limits.memory:,}")
        self.check_process(problems)
        self.runs += 1
        if problems:
            self.report(seed, "; ".join(problems) + f" [{hostile.kind}, {limits!r}, error {result.error!r}]")

    def check_end(self, hostile: Hostile, limits: kr.Limits, result: kr.Result, used: float, took: float, cancelled: bool, seed: int, problems: list[str]) -> None:
        """Check how a run ended."""
        error, stats = result.error, result.stats
        limit = None if error is None else error.limit
        self.stops[limit or (error.type if error is not None else "none")] += 1
        compiling = stats.parse_seconds + stats.compile_seconds
        written = len(result.stdout.encode("utf-8", "surrogatepass")) + len(result.stderr.encode("utf-8", "surrogatepass"))
        if limit is not None and limit not in KINDS_OF_STOP:
            problems.append(f"no such limit: {limit}")
        # Arithmetic on big integers is refused beforehand when it would take longer than what is left.
        if limit == "seconds" and took < limits.seconds and not BIG_ARITHMETIC.search(hostile.source):
            problems.append(f"stopped for time after {took:.4f} seconds")
        if limit == "cpu_seconds" and (limits.cpu_seconds is None or (
                self.used_by_all < limits.cpu_seconds * 0.9 and not BIG_ARITHMETIC.search(hostile.source))):
            problems.append(f"stopped for processor time after {self.used_by_all:.4f} seconds")
        if limit == "instructions" and (limits.instructions is None or stats.instructions <= limits.instructions and "thread" not in hostile.source):
            problems.append(f"stopped for instructions after {stats.instructions}")
        if limit == "output" and written < limits.output:
            problems.append(f"stopped for output after {written} bytes")
        if limit == "cancelled" and not cancelled:
            problems.append("stopped by a cancellation that nobody wanted")
        if limits.output is not None and written > limits.output + 100:
            problems.append(f"wrote {written} bytes")
        if (error is None) != result.ok or (limit is not None and error.type not in ("LimitExceeded", "MemoryError", "RecursionError")):
            problems.append("the parts of the result do not agree")
        if error is not None and error.type in ("SystemError", "Stopped", "InternalError") and "SystemError" not in hostile.source:
            problems.append(f"an internal error: {error.type}: {error.message}")
        if limit is not None and (not error.message or limit not in error.message and limit != "cancelled"):
            problems.append(f"the message does not name the limit: {error.message}")
        if limit is None and hostile.canaries and error is not None and error.type == "LimitExceeded":
            problems.append("a stop without a limit")
        late = used - compiling - limits.seconds - 0.1 * limits.seconds
        if late > 0.05:
            self.late.append((late, seed))
        if late > self.late_seconds:
            problems.append(f"used {late:.3f} seconds of processor time more than it may")
        if took > limits.seconds + compiling + 20:
            problems.append(f"took {took:.1f} seconds")
        if limits.instructions is not None and stats.instructions > limits.instructions + 200_000:
            problems.append(f"executed {stats.instructions} instructions")

    def check_session(self, session: kr.Session, result: kr.Result, problems: list[str]) -> None:
        """Check that what the run left can be read, and that the session goes on."""
        names = session.names()
        stopped = result.error is not None and result.error.limit is not None
        if stopped and "BURNING" in names and "CANARY" in names and "ENDED" not in names and result.error.limit != "memory":
            if self.strict(result, session):
                problems.append("guest code ran after the stop: a canary was reached")
        if "FIRST" in names and session["FIRST"] != "first":
            problems.append("a name has another value")
        again = session.run("1 + 1", limits=kr.Limits(seconds=30))
        if again.error is not None or again.value != 2:
            # The guest may have replaced what it likes, but not the sum of constants.
            problems.append(f"the session does not go on: {again!r}")

    def strict(self, result: kr.Result, session: kr.Session) -> bool:
        """Whether the canaries of this run could not be reached for a good reason."""
        return self.current.canaries and (self.current_limits.recursion or 1000) >= 300 and self.current_limits.memory >= SMALL_MEMORY

    def check_process(self, problems: list[str]) -> None:
        """Check that the process is as it was."""
        now = self.state()
        if now != self.steady:
            changed = [index for index, (a, b) in enumerate(zip(now, self.steady, strict=True)) if a != b]
            problems.append(f"the process's state has changed: {changed}")
            self.steady = now
        if threading.active_count() > self.threads:
            deadline = time.monotonic() + 5
            while threading.active_count() > self.threads and time.monotonic() < deadline:
                time.sleep(0.01)
            if threading.active_count() > self.threads:
                problems.append(f"{threading.active_count() - self.threads} threads are left")
                self.threads = threading.active_count()

    # ---- a campaign -------------------------------------------------------------------------------------
    def sample(self) -> tuple[int, int, int]:
        """Return resident size, allocated blocks and tracked objects, with caches of compiled programs emptied."""
        engine.default_cache().clear()
        for _ in range(3):
            gc.collect()
        heap.trim()             # what is kept for the next run, up to 4 MB, is no growth
        malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if malloc_trim is not None:
            malloc_trim(0)      # the C library keeps up to twice the largest block that was ever freed: no leak
        return resident(), sys.getallocatedblocks(), len(gc.get_objects())


def campaign(seeds, seconds: float, cases: tuple[str, ...] = (), memory: int = 4 << 30, current=None, say=print, late_seconds: float = LATE_SECONDS) -> tuple[list[tuple[int, str]], Fuzzer, list[tuple]]:
    """Run programs in this process.

    Args:
        seeds: an iterable of seeds.
        seconds: when to stop.
        cases: programs of others to be changed.
        memory: of address space that the process may have.
        current: called with the seed before each run.
        say: called with a line of news now and then.

    Returns:
        The failures as (seed, text); the fuzzer; samples of memory as (seconds, runs, resident, blocks, objects).
    """
    failures: list[tuple[int, str]] = []
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def report(seed: int, text: str) -> None:
        failures.append((seed, text))
        say(f"seed {seed}: {text}")

    # What CPython says of exceptions in finalizers; a text in memory would keep pages of the guests' memory with it.
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        fuzzer = Fuzzer(cases, report, late_seconds)
        started = sampled = time.monotonic()
        samples = []
        for seed in seeds:
            if current is not None:
                current(seed)
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True, file=sys.__stderr__)
            fuzzer.one(seed)
            faulthandler.cancel_dump_traceback_later()
            now = time.monotonic()
            if now - sampled > seconds / 20:
                sampled = now
                samples.append((round(now - started), fuzzer.runs, *fuzzer.sample()))
                say(f"... {samples[-1]}, {len(failures)} failures, stops {dict(fuzzer.stops)}")
            if now - started > seconds:
                break
    return failures, fuzzer, samples


def leak(samples: list[tuple]) -> int:
    """Return by how many bytes the resident size grows from after the warm-up to the end; noise is less than that of a single sample."""
    if len(samples) < 8 or samples[-1][1] < WARM_RUNS:
        return 0
    warm = samples[len(samples) // 2:]
    half = len(warm) // 2
    return min(s[2] for s in warm[half:]) - min(s[2] for s in warm[:half])


def supervise(options: argparse.Namespace) -> int:
    """Run the campaign in a child; go on behind a seed that crashes or hangs it. Returns the number of failures."""
    cases = corpus((HERE, *map(pathlib.Path, options.cases)))
    shared = mmap.mmap(-1, 16)
    failed, start = 0, options.start
    end = time.monotonic() + options.seconds
    last = options.start + options.count
    while start < last and time.monotonic() < end:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 99
            try:
                failures, fuzzer, samples = campaign(range(start, last), end - time.monotonic(), cases, options.memory, current=lambda seed: struct.pack_into("q", shared, 0, seed), say=lambda text: print(text, flush=True), late_seconds=options.late)
                grown = leak(samples)
                print(f"{fuzzer.runs} runs, stops {dict(fuzzer.stops)}, late {sorted(fuzzer.late, reverse=True)[:8]}, grown {grown:,} bytes", flush=True)
                status = 100 + min(len(failures) + (grown > LEAK_BYTES), 100)
            except BaseException as error:
                print(f"host error {type(error).__name__}: {error}", flush=True)
                import traceback

                traceback.print_exc(file=sys.__stderr__)
            finally:
                os._exit(status)
        os.close(writer)
        os.close(reader)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code >= 100:     # it came to its end
            return min(failed + code - 100, 100)
        seed = struct.unpack_from("q", shared, 0)[0]
        print(f"seed {seed}: the process ended with status {code}", flush=True)
        failed, start = failed + 1, seed + 1
    return min(failed, 100)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", nargs="*", default=(), help="files or folders of cases, beside those here")
    parser.add_argument("--memory", type=int, default=4 << 30, help="address space of the process")
    parser.add_argument("--late", type=float, default=LATE_SECONDS, help="seconds of processor time that a stop may come late")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed")
    options = parser.parse_args()
    if options.show is not None:
        print(make_program(options.show, corpus((HERE, *map(pathlib.Path, options.cases)))).source)
        return 0
    return supervise(options)


if __name__ == "__main__":
    sys.exit(main())
