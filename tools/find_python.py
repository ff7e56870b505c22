"""Lists the Python interpreters that the project can be built with, one path per line, oldest version first.

    python tools/find_python.py [--debug]

One interpreter per minor version, from PATH and from pyenv. ``--debug`` lists debug builds instead. An interpreter
counts when it is in the supported range, can make virtual environments and has its C headers.
"""
import glob
import os
import pathlib
import subprocess
import sys

SUPPORTED = [(3, 11), (3, 12), (3, 13)]
PROBE = """
import importlib.util, os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
usable = os.path.exists(header) and importlib.util.find_spec("venv") is not None
print(*sys.version_info[:2], int(hasattr(sys, "gettotalrefcount")), int(usable))
"""


def probe(path):
    """((major, minor), is a debug build) of an interpreter, or None when it cannot be used."""
    try:
        out = subprocess.run([path, "-I", "-c", PROBE], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    fields = out.stdout.split()
    if out.returncode or len(fields) != 4 or fields[3] != "1":
        return None
    return (int(fields[0]), int(fields[1])), fields[2] == "1"


def candidates(debug):
    """Paths worth probing, the ones found on PATH first."""
    names = [f"python{major}.{minor}{'-dbg' if debug else ''}" for major, minor in SUPPORTED]
    names += [] if debug else ["python3"]
    folders = os.environ.get("PATH", "").split(os.pathsep)
    home = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    for name in names:
        for folder in [*folders, *sorted(glob.glob(str(home / "versions/*/bin")))]:
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK):
                yield path


def find(debug=False):
    """{(major, minor): path}, the first usable interpreter of each supported version."""
    found = {}
    for path in candidates(debug):
        answer = probe(path)
        if answer and answer[1] == debug and answer[0] in SUPPORTED:
            found.setdefault(answer[0], path)
    return dict(sorted(found.items()))


def main():
    for version, path in find("--debug" in sys.argv).items():
        print("%d.%d" % version, path)


if __name__ == "__main__":
    main()
