"""Fixtures of the pytest-benchmark files: the two engines, one of each for the whole session."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from engines import Engine, fastest_cpython, host_for


def pytest_addoption(parser):
    parser.addoption("--baseline", default=None, help="interpreter to compare with (default: the fastest found)")


@pytest.fixture(scope="session")
def baseline(request):
    """Path of the CPython to compare with."""
    return request.config.getoption("--baseline") or fastest_cpython()


@pytest.fixture(scope="session")
def base(baseline):
    with Engine("cpython", baseline) as engine:
        yield engine


@pytest.fixture(scope="session")
def kimi(baseline):
    with Engine("kimi", host_for(baseline)) as engine:
        yield engine


@pytest.fixture
def interleaved(benchmark, base, kimi):
    """Function that times a guest program on both engines in turn, checks the result, and adds CPython's best time and
    the ratio to the benchmark's extra information. The times there are the guest's own; pytest-benchmark's also hold
    the way to the worker process, about 0.1 ms."""

    def run(key, source, entry="main", arguments=(), rounds=5, calls=1):
        best = {"cpython": 1e9, "kimi": 1e9}
        expected = []

        def cpython_round():
            seconds, result = base.time(key, source, entry, arguments, calls)
            expected.append(result)
            best["cpython"] = min(best["cpython"], seconds)

        def kimi_round():
            seconds, result = kimi.time(key, source, entry, arguments, calls)
            best["kimi"] = min(best["kimi"], seconds)
            return result

        result = benchmark.pedantic(kimi_round, setup=cpython_round, rounds=rounds)
        assert result == expected[-1]
        benchmark.extra_info.update(
            baseline=base.description,
            cpython_seconds=best["cpython"],
            kimi_seconds=best["kimi"],
            ratio=round(best["cpython"] / best["kimi"], 3),
        )

    return run
