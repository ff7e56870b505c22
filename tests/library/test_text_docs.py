"""docs/library.md lists what the catalog has, and says what is missing in each module."""

from __future__ import annotations

import importlib
import re
import sys
import types
import warnings

import kimi_runtime as kr
import pytest
from conftest import TESTS

from kimi_runtime.library.catalog import ENTRIES, SAFE

TEXT = (TESTS.parent / "docs" / "library.md").read_text(encoding="utf-8")
LISTED, LEFT_OUT = TEXT.split("## Left out")
ROWS = {match[1]: match[2] for match in re.finditer(r"^\| `([\w.]+)` \| (.*) \|$", LISTED, re.M)}


def public_names(module: types.ModuleType) -> set[str]:
    """What a program may use of a module of the host: what it exports, and what it defines without an underscore."""
    names = set(getattr(module, "__all__", ())) or {name for name in vars(module) if not name.startswith("_")}
    names |= {name for name, value in vars(module).items()
              if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__}
    return {name for name in names if not isinstance(getattr(module, name, module), types.ModuleType)}


def test_table_has_the_public_modules():
    assert sorted(ROWS) == sorted(SAFE)


@pytest.mark.parametrize("name", sorted(SAFE))
def test_missing_names_are_written_down(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            importlib.import_module(name)
        except ImportError:
            pytest.skip("this host does not have it")
        # Some names are made by the module's __getattr__ when they are first asked for, and the host's may have been.
        result = kr.run(f"import sys, {name}\nmodule = sys.modules[{name!r}]\n"
                        "dir(module) + [each for each in names if hasattr(module, each)]",
                        inputs={"names": sorted(public_names(sys.modules[name]))})
    if not result.ok and result.error.type in ("ModuleNotFoundError", "ImportError"):
        pytest.skip(result.error.message)
    missing = public_names(sys.modules[name]) - set(result.unwrap())
    said = set(re.findall(r"`(\w+)`", ROWS[name]))
    assert sorted(missing - said) == []


def test_what_is_left_out_is_not_in_the_catalog():
    for row in LEFT_OUT.splitlines():
        for name in re.findall(r"`([\w.]+)`", row.split("|")[1]) if row.startswith("| `") else ():
            assert name not in SAFE, name


def test_notes_on_how():
    for name, row in ROWS.items():
        kind = type(ENTRIES[name]).__name__
        assert row.startswith({"Source": "guest code", "Own": "own", "Made": "own", "Native": "C"}[kind]), name
