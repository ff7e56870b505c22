"""Build script: cythonizes every ``.pyx`` module of the package.

Environment switches:
  KIMI_DEV=1     quick builds for development (``-O1``)
  KIMI_ASSERT=1  keep C asserts (the debug build of ``make test-debug``)
"""
import os
import pathlib

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = pathlib.Path(__file__).parent
DEV = bool(os.environ.get("KIMI_DEV"))
ASSERT = bool(os.environ.get("KIMI_ASSERT"))

CFLAGS = [
    "-O1" if DEV else "-O2",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-Wno-unused-function",
    "-Wno-unused-variable",
    "-Wno-unreachable-code",
    "-Wno-cpp",
]
if ASSERT:
    CFLAGS += ["-UNDEBUG", "-g"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "always_allow_keywords": True,
    "embedsignature": False,
    "binding": True,
}


def extensions():
    """One extension per ``.pyx`` file; the module name follows the path."""
    found = []
    for path in sorted(ROOT.glob("kimi_runtime/**/*.pyx")):
        relative = path.relative_to(ROOT)
        name = ".".join(relative.with_suffix("").parts)
        includes = sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("kimi_runtime/**/*.h"))
        found.append(
            Extension(
                name,
                [str(relative)],
                include_dirs=["kimi_runtime/vm"],
                depends=includes,
                extra_compile_args=CFLAGS,
            )
        )
    return found


setup(ext_modules=cythonize(extensions(), compiler_directives=DIRECTIVES, nthreads=0, quiet=True))
