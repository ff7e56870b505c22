"""Kills the process of generated programs at random calls of the host, and goes on from the last snapshot in a new one.

    python tests/crash_and_resume.py [--programs N] [--start SEED] [--each K]

Each program is one of ``property/seeded_programs.py`` whose ``print`` is a function of the host. A child runs one after the other, saves
the run at its calls in a file, and kills itself (SIGKILL) at random ones, before or after it has saved. The next child goes on from
the file. Most children are forks of a process that has loaded the library and run nothing, every eighth is a new interpreter. What the host was told, and how the program ended, must be what a run without interruption gives. The exit status is the
number of programs for which it is not.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "property"), str(HERE), str(HERE.parent)]

import kimi_runtime as kr  # noqa: E402
from kimi_runtime.library.loader import load_all  # noqa: E402
from seeded_programs import make_program  # noqa: E402
from test_suspension import PROGRAMS  # noqa: E402

ADDRESS = re.compile(r"0x[0-9a-f]+")
NAMES = frozenset({"note", "ask"})


#: Programs of test_suspension, whose calls give values; one prints a set of strings, whose order each process has for itself.
OTHERS = [source for name, source in PROGRAMS.items() if name != "loops"]


def source_of(number):
    """The program of a number; those below zero are the others."""
    if number < 0:
        return OTHERS[-1 - number]
    return re.sub(r"\bprint\(", "note(", make_program(number))


def answer(name, args, kwargs):
    """What the host says."""
    if name == "note":
        return None
    value = args[0] if args else 0
    if value == "fail":
        raise ValueError("the host fails")
    return value * kwargs.get("times", 2)


def go_on(step):
    """The next step, and what the host was told."""
    told = f"{step.name} {ADDRESS.sub('', repr(step.args))} {step.kwargs}"
    try:
        value = answer(step.name, step.args, step.kwargs)
    except ValueError as error:
        return step.throw(error), told
    return step.resume(value), told


def start(number):
    return kr.Runtime().session().start(source_of(number), suspend_on=NAMES)


def outcome(step):
    error = step.result.error
    return [step.result.stdout, error and error.type]


def in_one_go(number):
    """What the host is told without interruption, and how the program ends. None when native code that cannot be left takes part:
    what it does then is another thing when there is a call of the host in it."""
    told = []
    step = start(number)
    saved = False
    while isinstance(step, kr.Suspended):
        if not saved:
            try:
                step.dump()
                saved = True
            except kr.SnapshotError:
                pass
        step, text = go_on(step)
        told.append(text)
    error = step.result.error
    if any("cannot suspend" in each for each in (*told, step.result.stderr, error.message if error is not None else "")):
        return None
    return [told, *outcome(step)] if saved and len(told) > 2 else None


# ---- the child -------------------------------------------------------------------------------------------------
def child(folder, numbers, seed, mean):
    """Runs the programs that have no result yet; kills itself after about so many calls."""
    rng = random.Random(seed)
    left = 1 + int(rng.expovariate(1 / mean))
    for number in numbers:
        done = folder / f"{number}.done"
        state = folder / f"{number}.state"
        if done.exists():
            continue
        told = []
        if state.exists():
            head, _, data = state.read_bytes().partition(b"\n")
            told = json.loads(head)
            step = kr.load(data)
        else:
            step = start(number)
        while isinstance(step, kr.Suspended):
            left -= 1
            if left == 0 and rng.random() < 0.5:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                data = step.dump()
            except kr.SnapshotError as error:
                if "cannot be saved" not in str(error):
                    raise
            else:
                fresh = folder / f"{number}.new"
                fresh.write_bytes(json.dumps(told).encode() + b"\n" + data)
                fresh.replace(state)
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            step, text = go_on(step)
            told.append(text)
        fresh = folder / f"{number}.new"
        fresh.write_text(json.dumps([told, *outcome(step)]))
        fresh.replace(done)


# ---- the parent ------------------------------------------------------------------------------------------------
#: Sets of strings have the order that their hashes give.
ENVIRONMENT = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])}


def expected_of(numbers):
    """What ``in_one_go`` gives for each number in another process, by their texts."""
    found = subprocess.run([sys.executable, __file__, "--expected", *map(str, numbers)], capture_output=True, text=True, env=ENVIRONMENT,
                           timeout=300, check=True)
    return json.loads(found.stdout)


def in_fork(folder, numbers, seed, mean):
    """Runs a child as a fork of this process. Returns its status, and what it has written to stderr."""
    log = folder / "log"
    pid = os.fork()
    if not pid:
        status = 1
        try:
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
            child(folder, numbers, seed, mean)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), log.read_text() if log.exists() else ""


def in_new_interpreter(folder, numbers, seed, mean):
    """The same in a new interpreter."""
    found = subprocess.run([sys.executable, __file__, "--child", str(folder), str(seed), str(mean), *map(str, numbers)],
                           capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
    return found.returncode, found.stderr


def run(numbers, mean, seed=0, forks=False):
    """Runs programs in children that kill themselves, until all are done. Returns failures and how many were killed."""
    kills = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        while True:
            seed += 1
            status, text = (in_fork if forks and seed % 8 else in_new_interpreter)(folder, numbers, seed, mean)
            if status == 0:
                break
            if status != -signal.SIGKILL:
                return [f"a child ended with {status}: {text[-3000:]}"], kills
            kills += 1
        failures = []
        wanted = expected_of(numbers)
        for number in numbers:
            expected = wanted[str(number)]
            found = json.loads((folder / f"{number}.done").read_text())
            if found != expected:
                failures.append(f"program {number}: {found!r:.1500}\n  instead of {expected!r:.1500}")
        return failures, kills


def main():
    if sys.argv[1:2] == ["--child"]:
        child(pathlib.Path(sys.argv[2]), [int(each) for each in sys.argv[5:]], int(sys.argv[3]), float(sys.argv[4]))
        return 0
    if sys.argv[1:2] == ["--expected"]:
        print(json.dumps({each: in_one_go(int(each)) for each in sys.argv[2:]}))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--each", type=int, default=10, help="programs of one chain of children")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":     # which forks of this process have too
        os.execve(sys.executable, [sys.executable, *sys.argv], ENVIRONMENT)
    begun = time.monotonic()
    load_all()
    numbers, skipped, at = [], 0, -len(OTHERS)
    while len(numbers) < given.programs:
        batch = [each if each < 0 else given.start + each for each in range(at, at + 40)]
        at += 40
        fit = [int(each) for each, found in expected_of(batch).items() if found is not None]
        skipped += len(batch) - len(fit)
        numbers += fit[:given.programs - len(numbers)]
    failures, kills = [], 0
    for i in range(0, len(numbers), given.each):
        found, more = run(numbers[i:i + given.each], 12, seed=1000 * i, forks=True)
        failures += found
        kills += more
        print(f"{min(i + given.each, len(numbers))} programs, {kills} kills, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    for each in failures:
        print(each)
    print(f"{len(numbers)} programs ({skipped} others call the host in native code), {kills} times killed, {len(failures)} failures, "
          f"{time.monotonic() - begun:.0f} s")
    return min(len(failures), 100)


if __name__ == "__main__":
    sys.exit(main())
