"""Run guest programs many times in one process and report those after which memory blocks or tracked objects grow.

    python tools/leak_check.py [--runs 50] [PROGRAM ...]

Without names every golden program is checked. Each program first runs a few times to warm caches; then the block count
(`sys.getallocatedblocks`) and the number of objects that the garbage collector tracks are read before and after `--runs`
runs. A few blocks are noise (the measuring itself, caches of the host that fill up). Exit status 1 on growth.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
KNOWN = ROOT / "tests" / "leaks_known.txt"  # programs that leave something behind, with the reason
WARM_RUNS = 4
WINDOWS = 5
NOISE = 24


def measure() -> tuple[int, int]:
    """Return (allocated blocks, tracked objects) after full collections."""
    for _ in range(3):
        gc.collect()
    return sys.getallocatedblocks(), len(gc.get_objects())


def growth(run, runs: int, warm_runs: int = WARM_RUNS) -> tuple[int, int]:
    """Call `run` a few times to warm up, then `runs` times; return how many blocks and objects were added.

    The runs are cut into windows and the smallest growth of a window stands for all: a leak grows in each of them, a
    cache that fills or empties does not.
    """
    for _ in range(warm_runs):
        run()
    windows = min(WINDOWS, runs)
    counts = [measure()]
    for _ in range(windows):
        for _ in range(runs // windows):
            run()
        counts.append(measure())
    return tuple(windows * min(after[i] - before[i] for before, after in zip(counts, counts[1:])) for i in (0, 1))


def check_program(path: pathlib.Path, runs: int, warm_runs: int = WARM_RUNS) -> tuple[int, int]:
    """Return the growth over `runs` runs of one program on kimi_runtime."""
    import kimi_runtime

    source, name = path.read_text(encoding="utf-8"), str(path)

    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kimi_runtime.run(source, filename=name)

    return growth(run, runs, warm_runs)


def leaks(blocks: int, objects: int, runs: int) -> bool:
    """Return whether a growth over `runs` runs is more than noise: a leak of one block a run shows from 50 runs on."""
    return blocks > NOISE + runs // 4 or objects > runs // 4


def leak_of_program(path: pathlib.Path, runs: int) -> tuple[int, int, int] | None:
    """Return (blocks, objects, runs) when a program leaks, else None.

    Growth is confirmed over ten times the runs, after four hundred more: caches of the host (of types, of method names)
    fill for a while and go up and down by some tens of blocks, as they do for the same program under the host's exec.
    """
    if not leaks(*check_program(path, runs), runs):
        return None
    blocks, objects = check_program(path, 10 * runs, 400)
    return (blocks, objects, 10 * runs) if leaks(blocks, objects, 10 * runs) else None


def main() -> int:
    """Check the programs named on the command line, or all, and print those that grow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="paths, or names under tests/programs without .py")
    parser.add_argument("--runs", type=int, default=50)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    paths = [path if (path := pathlib.Path(name)).exists() else PROGRAMS / f"{name}.py" for name in options.programs]
    if not paths:
        known = {line.partition(": ")[0] for line in KNOWN.read_text(encoding="utf-8").splitlines()}
        paths = [path for path in sorted(PROGRAMS.rglob("*.py")) if str(path.relative_to(PROGRAMS).with_suffix("")) not in known]
    growing = 0
    for path in paths:
        leak = leak_of_program(path, options.runs)
        if leak:
            growing += 1
            blocks, objects, runs = leak
            print(f"{path.relative_to(PROGRAMS) if path.is_relative_to(PROGRAMS) else path}: "
                  f"{blocks:+} blocks, {objects:+} objects in {runs} runs", flush=True)
    print(f"{len(paths)} programs, {options.runs} runs each, {growing} growing")
    return 1 if growing else 0


if __name__ == "__main__":
    sys.exit(main())
