"""The short form of ``chaos.py``."""
import importlib.util
import pathlib

import pytest

spec = importlib.util.spec_from_file_location("pool_chaos", pathlib.Path(__file__).with_name("chaos.py"))
chaos = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chaos)


@pytest.mark.parametrize("kind, jobs", [("thread", 1500), ("process", 250)])
def test_no_job_is_lost_or_done_twice(kind, jobs):
    ends = chaos.run(jobs, kind)
    assert sum(ends.values()) == jobs and ends["guest"] > 5 and ends["host"] > 2
