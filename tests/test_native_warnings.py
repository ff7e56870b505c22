"""Warnings that C code raises obey the filters of whoever called it: the guest's for a guest, the host's for the host."""

from __future__ import annotations

import sys
import warnings

import kimi_runtime as kr
import pytest

AS_BOOL = "bool(NotImplemented)"
WORDS = "NotImplemented should not be used in a boolean context"
pytestmark = pytest.mark.skipif(sys.version_info >= (3, 14), reason="a TypeError from 3.14 on")


def shown(program: str) -> str:
    return kr.run(program, check=True).stderr


def test_by_default_once_for_each_line_on_the_guests_stderr():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        text = shown(f"for i in range(3): {AS_BOOL}\n{AS_BOOL}")
    lines = [f"<guest>:{n}: DeprecationWarning: {WORDS}" for n in (1, 2)]
    assert [line for line in text.splitlines() if line.startswith("<guest>")] == lines
    assert seen == []


def test_the_guests_filters_decide():
    assert shown(f"import warnings\nwarnings.simplefilter('ignore')\n{AS_BOOL}") == ""
    result = kr.run(f"import warnings\nwarnings.simplefilter('error')\n{AS_BOOL}")
    assert (result.error.type, result.error.message) == ("DeprecationWarning", WORDS)
    found = kr.run(f"""
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    {AS_BOOL}
    int(type("I", (), {{"__int__": lambda self: True}})())
[(w.category.__name__, w.lineno) for w in seen], str(seen[0].message)
""").unwrap()
    assert found == ([("DeprecationWarning", 5), ("DeprecationWarning", 6)], WORDS)


def test_the_hosts_filters_are_the_hosts():
    kr.run("import warnings\nwarnings.simplefilter('ignore')")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        bool(NotImplemented)
        kr.run(AS_BOOL)
        bool(NotImplemented)
    assert [w.category for w in seen] == [DeprecationWarning] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kr.run(AS_BOOL).ok
        with pytest.raises(DeprecationWarning, match=WORDS):
            bool(NotImplemented)


def test_the_list_of_filters_is_the_one_that_was_there():
    kept = warnings.filters
    assert kept is warnings.__dict__["filters"]
    with warnings.catch_warnings():
        warnings.resetwarnings()
        assert warnings.filters == [] and warnings.filters is not kept
    assert warnings.filters is kept
    assert isinstance(warnings, type(sys)) and repr(warnings).startswith("<module 'warnings' from")


def test_no_registry_of_a_guest_is_the_hosts():
    kr.run(AS_BOOL)
    for name, module in list(sys.modules.items()):
        if name.startswith("kimi_runtime"):
            assert set(vars(module).get("__warningregistry__", ())) <= {"version"}, name
