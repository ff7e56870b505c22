"""Run guest programs many times in one process and report those after which memory blocks or tracked objects grow.

    python tools/leak_check.py [--runs 50] [PROGRAM ...]

Without names every golden program is checked. Each program first runs a few times to warm caches; then the block count
(`sys.getallocatedblocks`) and the number of objects that the garbage collector tracks are read before and after `--runs`
runs. Growth of less than a block every other run is noise (caches of the host that fill once). Exit status 1 on growth.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
WARM_RUNS = 4


def measure() -> tuple[int, int]:
    """Return (allocated blocks, tracked objects) after full collections."""
    for _ in range(3):
        gc.collect()
    return sys.getallocatedblocks(), len(gc.get_objects())


def growth(run, runs: int) -> tuple[int, int]:
    """Call `run` a few times to warm up, then `runs` times; return how many blocks and objects were added.

    The count is taken in two halves and the smaller growth, doubled, is returned: what grows once is no leak.
    """
    for _ in range(WARM_RUNS):
        run()
    first = measure()
    for _ in range(runs // 2):
        run()
    middle = measure()
    for _ in range(runs - runs // 2):
        run()
    last = measure()
    return tuple(2 * min(middle[i] - first[i], last[i] - middle[i]) for i in (0, 1))


def check_program(path: pathlib.Path, runs: int) -> tuple[int, int]:
    """Return the growth over `runs` runs of one program on kimi_runtime."""
    import kimi_runtime

    source, name = path.read_text(encoding="utf-8"), str(path)

    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kimi_runtime.run(source, filename=name)

    return growth(run, runs)


def leaks(blocks: int, objects: int, runs: int) -> bool:
    """Return whether a growth over `runs` runs is more than noise."""
    return blocks > runs // 2 or objects > runs // 4


def main() -> int:
    """Check the programs named on the command line, or all, and print those that grow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="paths, or names under tests/programs without .py")
    parser.add_argument("--runs", type=int, default=50)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    paths = [path if (path := pathlib.Path(name)).exists() else PROGRAMS / f"{name}.py" for name in options.programs]
    paths = paths or sorted(PROGRAMS.rglob("*.py"))
    growing = 0
    for path in paths:
        blocks, objects = check_program(path, options.runs)
        if leaks(blocks, objects, options.runs):
            growing += 1
            print(f"{path.relative_to(PROGRAMS) if path.is_relative_to(PROGRAMS) else path}: "
                  f"{blocks:+} blocks, {objects:+} objects in {options.runs} runs", flush=True)
    print(f"{len(paths)} programs, {options.runs} runs each, {growing} growing")
    return 1 if growing else 0


if __name__ == "__main__":
    sys.exit(main())
