"""The controller of pools, a pure function: its rules one by one, and whole pools in a simulation without a clock."""
import dataclasses
import heapq

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimi_runtime.pool.controller import Sample, Settings, State, decide, replacements

SETTINGS = Settings()


def change(state=None, settings=SETTINGS, **values):
    sample = Sample(**{"size": 4, "least": 0, "most": 16, "runnable": 2, "capacity": 100, **values})
    decision = decide(settings, state or State(), sample)
    return decision.change, decision.reason


def test_grows_by_two_under_load():
    full = {"busy": 4, "queued": 81, "utilisation": 0.91, "begun": 9}
    assert change(**full) == (2, "load")
    assert change(**{**full, "queued": 80}) == (0, "")
    assert change(**{**full, "utilisation": 0.9}) == (0, "")
    assert change(**full, most=5) == (1, "load")
    assert change(**full, most=4) == (0, "")


def test_shrinks_by_one_after_three_quiet_samples():
    quiet = Sample(size=4, least=0, most=16, busy=1, utilisation=0.29, capacity=100)
    state, changes = State(), []
    for _ in range(4):
        decision = decide(SETTINGS, state, quiet)
        state = decision.state
        changes.append(decision.change)
    assert changes == [0, 0, -1, -1]
    # one sample that is not quiet, and counting begins anew
    for busy in ({"utilisation": 0.3}, {"queued": 1, "busy": 4}):
        state = decide(SETTINGS, State(2), dataclasses.replace(quiet, **busy)).state
        assert state == State(0)


def test_does_not_shrink_where_it_would_grow_again():
    assert change(State(2), size=2, busy=1, occupied=0.8) == (-1, "quiet")
    assert change(State(2), size=2, busy=1, occupied=0.9) == (0, "")
    assert change(State(2), Settings(shrink_occupied=1.0), size=2, busy=1, occupied=0.9) == (-1, "quiet")


def test_blocked_workers_are_replaced():
    assert change(busy=4, waiting=4, queued=1) == (1, "waiting")
    assert change(busy=4, waiting=4, queued=9) == (4, "waiting")
    assert change(busy=4, waiting=3, queued=9) == (4, "waiting")
    assert change(size=6, busy=6, waiting=4, queued=9, runnable=3) == (3, "waiting")
    assert change(busy=4, waiting=2, queued=9) == (0, "")
    assert change(busy=4, waiting=4, queued=0) == (0, "")


def test_stalled_queue():
    assert change(busy=4, queued=1, oldest=0.21) == (1, "stalled")
    assert change(busy=4, queued=1, oldest=0.21, begun=1) == (0, "")
    assert change(busy=4, queued=1, oldest=0.19) == (0, "")


def test_bounds_win():
    assert change(size=1, least=3) == (2, "minimum")
    assert change(size=9, most=4, busy=9) == (0, "maximum")
    assert change(size=9, most=4, busy=6) == (-3, "maximum")
    assert change(size=0, queued=5) == (2, "empty")


def test_idle_workers_leave_at_once():
    assert change(size=9, least=2, expired=9) == (-7, "idle")
    assert change(size=9, least=2, busy=5, expired=4, utilisation=0.1) == (-4, "idle")
    assert change(size=9, least=9, expired=9) == (0, "")


@pytest.mark.parametrize("name, value, error", [
    ("grow_load", 1.1, "between 0 and 1"), ("grow_by", 0, "1 or more"), ("shrink_samples", 1.5, "1 or more"),
    ("sample_seconds", 0, "positive"), ("stall_seconds", -1, "positive"), ("idle_seconds", 0, "positive"),
    ("shrink_load", 0.8, "oscillate"), ("runnable", 0, "1 or more"),
])
def test_settings_are_checked(name, value, error):
    with pytest.raises(ValueError, match=error):
        Settings(**{name: value})


samples = st.builds(
    Sample, size=st.integers(0, 50), least=st.integers(0, 8), most=st.integers(8, 40), busy=st.integers(0, 50),
    waiting=st.integers(0, 50), queued=st.integers(0, 200), capacity=st.one_of(st.none(), st.integers(1, 200)),
    oldest=st.floats(0, 10), begun=st.integers(0, 5), utilisation=st.floats(0, 1), expired=st.integers(0, 50),
    runnable=st.integers(1, 8))


@given(samples, st.integers(0, 5))
def test_never_out_of_bounds_nor_a_worker_that_is_busy(sample, quiet):
    busy = min(sample.busy, sample.size)
    sample = dataclasses.replace(sample, busy=busy, waiting=min(sample.waiting, busy))
    decision = decide(SETTINGS, State(quiet), sample)
    after = sample.size + decision.change
    if sample.size <= sample.most:
        assert after <= sample.most
    if sample.size >= sample.least:
        assert after >= sample.least
    assert -decision.change <= sample.size - busy
    assert not (decision.change < 0 and sample.queued and sample.size <= sample.most)
    assert decide(SETTINGS, State(quiet), sample) == decision


@given(samples)
def test_waiting_workers_are_replaced_as_far_as_somebody_should_compute(sample):
    busy = min(sample.busy, sample.size)
    sample = dataclasses.replace(sample, busy=busy, waiting=min(sample.waiting, busy))
    more = replacements(sample)
    assert 0 <= more <= sample.queued
    assert not more or sample.size + more <= sample.most and busy == sample.size
    computing = busy - sample.waiting + more
    assert not more or computing <= sample.runnable
    room = max(sample.most - sample.size, 0)
    assert busy < sample.size or not sample.size or computing >= min(sample.runnable, sample.queued, room)


# ---- whole pools ------------------------------------------------------------------------------------------------
class Simulation:
    """A pool whose jobs are (arrival, computing, waiting) in milliseconds; `processors` of them compute at a time."""

    def __init__(self, jobs, least=0, most=32, processors=2, capacity=1000, settings=SETTINGS):
        self.jobs = sorted(jobs)
        self.least, self.most, self.processors, self.capacity, self.settings = least, most, processors, capacity, settings
        self.size = least
        self.queue, self.running, self.done, self.sizes, self.reasons = [], [], [], [], []
        self.state = State()

    def run(self, until):
        now, begun, used, occupied = 0, 0, 0.0, 0
        while now < until:
            while self.jobs and self.jobs[0][0] <= now:
                arrived, computing, waiting = heapq.heappop(self.jobs)
                self.queue.append([arrived, computing, waiting])
            while self.queue and len(self.running) < self.size:
                self.running.append(self.queue.pop(0))
                begun += 1
            computing = [job for job in self.running if job[1] > 0]
            for job in computing:
                job[1] -= min(1.0, self.processors / len(computing))
            for job in self.running:
                if job[1] <= 0 and job not in computing:
                    job[2] -= 1
            self.done += [(job[0], now) for job in self.running if job[1] <= 0 and job[2] <= 0]
            self.running = [job for job in self.running if job[1] > 0 or job[2] > 0]
            used += len(computing)
            occupied += len(self.running)
            now += 1
            if now % 100 == 0:
                waiting = sum(job[1] <= 0 for job in self.running)
                decision = decide(self.settings, self.state, Sample(
                    size=self.size, least=self.least, most=self.most, busy=len(self.running), waiting=waiting,
                    queued=len(self.queue), capacity=self.capacity,
                    oldest=(now - self.queue[0][0]) / 1000 if self.queue else 0.0, begun=begun,
                    utilisation=min(1.0, used / (max(self.size, 1) * 100)), runnable=self.processors, occupied=occupied / 100))
                self.state = decision.state
                self.size += decision.change
                if decision.change:
                    self.reasons.append(decision.reason)
                self.sizes.append(self.size)
                begun, used, occupied = 0, 0.0, 0
        return self


def test_a_pool_of_blocked_workers_does_not_stall():
    pool = Simulation([(0, 0, 100_000)] * 4 + [(10, 1, 0)], least=4, most=8).run(1000)
    assert any(arrived == 10 and ended < 400 for arrived, ended in pool.done)


def test_a_storm_grows_step_by_step_and_ends_at_the_minimum():
    pool = Simulation([(0, 5, 50)] * 2000, least=2, most=24).run(40_000)
    sizes = [2, *pool.sizes]
    assert len(pool.done) == 2000
    assert all(b <= 2 * a for a, b in zip(sizes, sizes[1:])) and max(sizes) > 6 and sizes[-1] == 2


def test_a_steady_load_does_not_oscillate():
    """30 jobs a second, 40 ms each of waiting and 5 of computing: after a while the size changes no more than rarely."""
    jobs = [(n * 33, 5, 40) for n in range(900)]
    pool = Simulation(jobs, least=1, most=32).run(30_000)
    late = pool.sizes[150:]
    turns = sum(a != b for a, b in zip(late, late[1:]))
    assert len(pool.done) >= 895
    assert turns <= len(late) // 10, late


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 40), st.integers(0, 300)), max_size=40),
       st.integers(0, 3), st.integers(3, 20), st.integers(1, 4))
def test_no_job_starves(jobs, least, most, processors):
    pool = Simulation(list(jobs), least=least, most=most, processors=processors, capacity=50).run(12_000)
    assert len(pool.done) == len(jobs)
    assert least <= pool.sizes[-1] <= most and all(size <= most for size in pool.sizes)
    assert pool.sizes[-1] == least
