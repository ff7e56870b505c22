"""Prints the requirements of pyproject.toml, one per line, for the groups named on the command line.

    python tools/requirements.py build run test

``build`` is what the build backend needs, ``run`` the package's own dependencies, any other name an extra.
"""
import pathlib
import sys

if sys.version_info < (3, 11):
    sys.exit("%s is too old: this needs Python 3.11 or newer" % sys.executable)

import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def requirements(groups):
    """The requirement strings of the groups in order. KeyError when an extra does not exist."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = data["project"]["optional-dependencies"]
    known = {"build": data["build-system"]["requires"], "run": data["project"]["dependencies"], **extras}
    return [line for group in groups for line in known[group]]


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
