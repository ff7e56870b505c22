"""Processes that are killed at calls of the host: the short form of crash_and_resume.py (there 200 programs)."""
import pytest

import crash_and_resume


@pytest.mark.timeout(300)
def test_programs_go_on_in_new_processes():
    failures, kills = crash_and_resume.run([-1, -2, -3, -4, -5, 8], mean=25, seed=5)
    assert not failures and kills >= 3
