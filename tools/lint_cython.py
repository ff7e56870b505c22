"""Runs cython-lint on the Cython sources:  python tools/lint_cython.py

It looks at one file at a time, so what it says about unused names is dropped when the name is used in a part that the file
includes or in its own ``.pxd``. The instruction fragments and the loop made of them are no complete Cython files.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNUSED = re.compile(r"^(.+?):\d+:\d+: '(\w+)' (?:imported|defined) but unused")
INCLUDE = re.compile(r'^include "([^"]+)"', re.MULTILINE)


def sources():
    """The files to look at."""
    found = sorted(path for path in (ROOT / "kimi_runtime").rglob("*.p[yx]*") if path.suffix in (".pyx", ".pxd", ".pxi"))
    return [path for path in found if path.parent.name != "instructions" and path.name not in ("loop.pxi", "step.pxi")]


def parts(path):
    """The text of what belongs to a module besides its own file."""
    texts = []
    for name in INCLUDE.findall(path.read_text()):
        part = path.parent / name
        if part.exists():
            texts += [part.read_text(), *parts(part)]
    header = path.with_suffix(".pxd")
    if header != path and header.exists():
        texts.append(header.read_text())
    return texts


def excused(line):
    """Whether a finding is about a name that another part of the module uses."""
    found = UNUSED.match(line)
    return bool(found) and any(re.search(rf"\b{found[2]}\b", text) for text in parts(pathlib.Path(found[1])))


def main():
    tool = pathlib.Path(sys.executable).with_name("cython-lint")
    done = subprocess.run(
        [tool, *sources()], cwd=ROOT, capture_output=True, text=True,
        env={"PATH": str(tool.parent), "HOME": str(ROOT)},
    )
    findings = [line for line in done.stdout.splitlines() if not excused(line)]
    print("\n".join(findings) or "no findings in the Cython sources")
    if done.stderr:
        sys.exit(done.stderr)
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
