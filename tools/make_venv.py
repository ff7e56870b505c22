"""Makes a virtual environment with pip in it:  python tools/make_venv.py FOLDER

Some systems ship Python without ``ensurepip``; the pip of the system then fills the environment.
"""
import importlib.util
import subprocess
import sys
import venv

SUPPORTED = ((3, 11), (3, 12), (3, 13))


def main(folder):
    if sys.version_info[:2] not in SUPPORTED:
        found = "%s.%s" % sys.version_info[:2]
        sys.exit(f"kimi_runtime needs Python 3.11, 3.12 or 3.13, and {sys.executable} is {found}: "
                 "install one of those, and say which by `make PYTHON=python3.12 ...`")
    if importlib.util.find_spec("ensurepip") is not None:
        venv.create(folder, with_pip=True, clear=True)
        return
    if importlib.util.find_spec("pip") is None:
        sys.exit(f"{sys.executable} has neither ensurepip nor pip: install the package python3-venv or python3-pip")
    venv.create(folder, with_pip=False, clear=True)
    pip = [sys.executable, "-m", "pip", "--python", f"{folder}/bin/python"]
    subprocess.run([*pip, "install", "-q", "pip"], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
