"""Shared set-up of the test suite: where the data lies, how known failures are listed, how long a property test runs."""

from __future__ import annotations

import gc
import os
import pathlib
import re
import sys
from typing import Any, NamedTuple

import pytest

TESTS = pathlib.Path(__file__).parent
sys.path.insert(0, str(TESTS))

try:
    from hypothesis import HealthCheck, settings
except ImportError:
    settings = None

if settings is not None:
    examples = int(os.environ.get("KIMI_PROPERTY_EXAMPLES", "100"))
    settings.register_profile("kimi", max_examples=examples, deadline=None, derandomize=examples <= 1000,
                              suppress_health_check=list(HealthCheck), print_blob=True)
    settings.load_profile("kimi")


def read_reasons(path: pathlib.Path) -> dict[str, str]:
    """Read a known-failure list: one `name: reason` a line, `#` starts a comment. After `name (from 3.13)` or
    `name (before 3.13)` the line counts on those hosts only.

    Returns a dict of reason by name. Raises ValueError for a line without a reason, or a name given twice.
    """
    reasons: dict[str, str] = {}
    if not path.exists():
        return reasons
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, separator, reason = line.partition(": ")
        if not separator or not reason.strip() or name in reasons:
            raise ValueError(f"{path}:{number}: expected 'name: reason', each name once")
        hosts = re.fullmatch(r"(.+) \((from|before) 3\.(\d+)\)", name)
        if hosts:
            name = hosts[1]
            if (sys.version_info >= (3, int(hosts[3]))) != (hosts[2] == "from"):
                continue
        reasons[name] = reason.strip()
    return reasons


def parameters(cases: dict, known_failures: dict[str, str]) -> list:
    """Return pytest parameters for `cases` (name to value), strict xfails for the known failures.

    Raises ValueError when the list names a case that does not exist.
    """
    unknown = set(known_failures) - set(cases)
    if unknown:
        raise ValueError(f"known failures that are no cases: {sorted(unknown)}")
    made = []
    for name, value in cases.items():
        marks = []
        if name in known_failures:
            marks.append(pytest.mark.xfail(reason=known_failures[name], strict=True))
        made.append(pytest.param(value, id=name, marks=marks))
    return made


def pytest_collection_modifyitems(items: list) -> None:
    """What judges time or samples is tried again where the machine was busy with something else; what is wrong fails each time."""
    for item in items:
        if item.get_closest_marker("unsteady"):
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=["AssertionError"]))


@pytest.fixture(autouse=True, scope="module")
def collected():
    """What programs leave behind, on CPython too, is collected before other tests run: its finalizers print and raise.

    What is left then, most of it in caches of the test tools, is out of the collector's sight until the module after it has
    ended: hundreds of thousands of objects, which every collection within a test would walk.
    """
    yield
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Runtimes(NamedTuple):
    """One of each isolation."""

    inline: Any
    process: Any


@pytest.fixture(scope="module")
def runtimes():
    """A runtime of each isolation, of which the same is expected."""
    import kimi_runtime as kr

    with kr.Runtime() as inline, kr.Runtime(isolation="process", workers=1) as process:
        yield Runtimes(inline, process)


@pytest.fixture(params=Runtimes._fields)
def rt(request, runtimes):
    """Each of them in turn."""
    return getattr(runtimes, request.param)
