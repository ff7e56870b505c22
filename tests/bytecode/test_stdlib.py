"""The host's own library compiles, and the bytecode keeps the rules of the register machine."""
import os
import pathlib
import sysconfig
import warnings

import pytest
from kimi_runtime.bytecode.compiler import compile_source

from kimi_runtime.bytecode.verifier import verify

LIBRARY = pathlib.Path(sysconfig.get_paths()["stdlib"])
# All of it takes a minute; one file in ten unless asked.
STEP = 1 if os.environ.get("KIMI_ALL_TESTS") else 10


def library_files():
    found = sorted(path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts)
    return found[::STEP]


def test_library_compiles_and_verifies():
    compiled = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in library_files():
            data = path.read_bytes()
            try:
                compile(data, str(path), "exec", dont_inherit=True)
            except (SyntaxError, ValueError):
                with pytest.raises((SyntaxError, ValueError)):
                    compile_source(data, str(path))
                continue
            compiled += verify(compile_source(data, str(path)))
    assert compiled > 1000
