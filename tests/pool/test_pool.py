"""Pools: an executor as others are, back-pressure, priorities, cancelling, sessions, asyncio, and what reports say of pools elsewhere."""
import asyncio
import concurrent.futures
import contextvars
import gc
import os
import threading
import time
import weakref

import pytest

import kimi_runtime as kr
from kimi_runtime.pool.metrics import Histogram


def wait_for(condition, seconds=20.0):
    """Waits until a condition holds, which it does soon."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)


@pytest.fixture(params=["thread", "process"])
def pool(request):
    gate = threading.Event()
    with kr.Pool(request.param, max_workers=3, functions={"nap": time.sleep, "hold": gate.wait}) as made:
        made.gate = gate
        yield made
        gate.set()


# ---- an executor ------------------------------------------------------------------------------------------------
def test_programs_and_callables(pool):
    assert pool.submit("sum(range(n))", {"n": 10}).result().value == 45
    assert pool.submit(pow, 2, 10).result() == 1024
    assert pool.submit(dict, a=1).result() == {"a": 1}
    failed = pool.submit("1/0").result()
    assert failed.error.type == "ZeroDivisionError"
    with pytest.raises(kr.GuestException):
        pool.submit("1/0", check=True).result()
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 / 0).result()
    assert pool.submit("while True: pass", limits=kr.Limits(seconds=0.1)).result().error.limit == "seconds"
    assert pool.submit("'x' * 100", limits=kr.Limits(source_size=3)).result().error.limit == "source_size"


def test_map(pool):
    assert list(pool.map(lambda a, b: a + b, [1, 2], [10, 20])) == [11, 22]
    assert [each.value for each in pool.map("n * n", [{"n": n} for n in range(5)])] == [0, 1, 4, 9, 16]
    begun = pool.map(time.sleep, [0.0, 0.6], timeout=0.05)
    assert next(begun) is None
    with pytest.raises(concurrent.futures.TimeoutError):
        next(begun)


def test_futures_work_with_the_standard_library(pool):
    jobs = [pool.submit(str, n) for n in range(20)]
    assert {job.result() for job in concurrent.futures.as_completed(jobs)} == {str(n) for n in range(20)}
    assert isinstance(pool, concurrent.futures.Executor)


def test_wrong_arguments():
    for wrong, error in [({"kind": "fibre"}, ValueError), ({"when_full": "wait"}, ValueError), ({"queue": 0}, ValueError),
                         ({"max_workers": 0}, ValueError), ({"min_workers": 5, "max_workers": 2}, ValueError),
                         ({"min_workers": True}, TypeError), ({"settings": 3}, TypeError), ({"max_memroy": 1}, TypeError),
                         ({"grow_by": 0}, ValueError), ({"runtime": kr.Runtime(), "modules": ()}, TypeError),
                         ({"kind": "process", "runtime": kr.Runtime()}, ValueError)]:
        with pytest.raises(error):
            kr.Pool(**wrong)

    async def later():
        pass

    with pytest.raises(ValueError, match="async"):
        kr.Pool(functions={"later": later})
    with kr.Pool() as pool:
        with pytest.raises(TypeError, match="callable"):
            pool.submit(3)
        with pytest.raises(TypeError, match="priority"):
            pool.submit("1", priority="high")
        with pytest.raises(ValueError, match="name"):
            pool.submit("1", {"not a name": 1})


def test_shutdown():
    pool = kr.Pool(max_workers=1)
    gate = threading.Event()
    first, second = pool.submit(gate.wait), pool.submit("1 + 1")
    pool.shutdown(wait=False)
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit("1")
    gate.set()
    pool.shutdown()
    assert first.result() is True and second.result().value == 2
    assert pool.size == 0


def test_a_pool_that_was_shut_down_keeps_up_no_minimum():
    before = set(threading.enumerate())
    pool = kr.Pool(min_workers=2, max_workers=8, sample_seconds=0.01)
    gate = threading.Event()
    jobs = [pool.submit(gate.wait) for _ in range(40)]
    wait_for(lambda: pool.size > 2)
    gate.set()
    pool.shutdown()
    assert all(job.result() for job in jobs)
    changes = len(pool.metrics().changes)
    wait_for(lambda: not set(threading.enumerate()) - before)
    assert (pool.size, len(pool.metrics().changes)) == (0, changes)


def test_shutdown_cancels_and_stops():
    pool = kr.Pool(max_workers=1)
    first, second = pool.submit("while True: pass"), pool.submit("1 + 1")
    wait_for(first.running)
    pool.shutdown(cancel_futures=True, stop_running=True)
    assert first.result().error.limit == "cancelled" and second.cancelled()
    assert concurrent.futures.wait([second], 1).done == {second}


def test_a_pool_that_nobody_holds_ends():
    pool = kr.Pool(max_workers=2)
    job = pool.submit("1 + 1")
    crew = weakref.ref(pool._crew)
    assert job.result().value == 2
    del pool, job
    gc.collect()
    wait_for(lambda: crew() is None or not crew().workers)


def test_a_forked_child_has_a_pool_of_its_own():
    with kr.Pool(max_workers=2) as pool:
        assert pool.submit("1").result().value == 1
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(write, b"%d" % pool.submit("40 + 2").result(20).value)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert os.read(read, 10) == b"42"
        os.close(read), os.close(write)


# ---- back-pressure ----------------------------------------------------------------------------------------------
@pytest.fixture
def full():
    """A pool whose only worker is busy, with two jobs in a queue for two; and what lets it go on."""
    gate = threading.Event()
    pool = kr.Pool(max_workers=1, queue=2)
    jobs = [pool.submit(gate.wait), pool.submit(str, 1), pool.submit(str, 2)]
    yield pool, gate, jobs
    gate.set()
    pool.shutdown()


def test_reject(full):
    pool, gate, _ = full
    with pytest.raises(kr.PoolFull, match=r"2 jobs wait for 1 workers \(queue=2"):
        pool.at(when_full="reject").submit(str)
    with pytest.raises(kr.PoolFull, match="was full for 0.05 seconds"):
        pool.at(timeout=0.05).submit(str)
    assert pool.metrics().rejected == 2


def test_block(full):
    pool, gate, _ = full
    taken = []
    thread = threading.Thread(target=lambda: taken.append(pool.submit(str, 3).result()))
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    gate.set()
    thread.join(20)
    assert taken == ["3"]


def test_shed(full):
    pool, gate, jobs = full
    later = pool.submit_program("1", when_full="shed")
    with pytest.raises(kr.PoolFull, match="gave its place"):
        jobs[1].result(5)
    urgent = pool.submit_program("2", when_full="shed", priority=1)
    with pytest.raises(kr.PoolFull):
        jobs[2].result(5)
    with pytest.raises(kr.PoolFull, match="2 jobs wait"):
        pool.submit_program("3", when_full="shed", priority=-1)
    gate.set()
    assert later.result().value == 1 and urgent.result().value == 2
    assert (pool.metrics().shed, pool.metrics().rejected) == (2, 1)


def test_a_cancelled_job_makes_room(full):
    pool, gate, jobs = full
    assert jobs[1].cancel()
    taken = pool.at(when_full="reject").submit(str, 3)
    gate.set()
    assert taken.result() == "3"


def test_a_job_of_the_pool_gets_its_jobs_in():
    with kr.Pool(max_workers=1, queue=1) as pool:
        def outer():
            return [pool.submit(str, n) for n in range(5)]
        assert [job.result(20) for job in pool.submit(outer).result(20)] == list("01234")


def test_priorities():
    gate, order = threading.Event(), []
    with kr.Pool(max_workers=1, stall_seconds=100) as pool:
        pool.submit(gate.wait)
        for priority in (0, 5, -1, 5):
            pool.at(priority=priority).submit(order.append, priority)
        gate.set()
    assert order == [5, 5, 0, -1]


def test_nothing_waits_for_ever():
    """With no seconds for a level of priority the order is that of arrival."""
    gate, order = threading.Event(), []
    with kr.Pool(max_workers=1, priority_seconds=0) as pool:
        pool.submit(gate.wait)
        for priority in (0, 5, -1):
            pool.at(priority=priority).submit(order.append, priority)
        gate.set()
    assert order == [0, 5, -1]


# ---- cancelling -------------------------------------------------------------------------------------------------
def test_cancel_stops_a_running_guest(pool):
    job = pool.submit("while True: pass")
    wait_for(job.running)
    assert job.cancel() is False
    assert job.result(20).error.limit == "cancelled"
    assert job.cancel() is False


def test_asyncio(pool):
    variable = contextvars.ContextVar("variable")

    async def main():
        variable.set("mine")
        assert (await pool.run("a + 1", {"a": 1})).value == 2
        assert await pool.run(pow, 2, 3) == 8
        assert await pool.run(variable.get) == "mine"
        assert await asyncio.get_running_loop().run_in_executor(pool, str, 5) == "5"
        results = await asyncio.gather(*(pool.at(priority=n % 3).run("nap(0.001); n", {"n": n}) for n in range(30)))
        assert [each.value for each in results] == list(range(30))
        task = asyncio.ensure_future(pool.run("while True: pass"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    asyncio.run(main())
    wait_for(lambda: not pool.metrics().busy)


def test_asyncio_waits_for_room(full):
    pool, gate, _ = full

    async def main():
        waiting = [asyncio.ensure_future(pool.run(str, n)) for n in range(6)]
        await asyncio.sleep(0.05)
        assert not any(each.done() for each in waiting)
        waiting.pop(0).cancel()
        with pytest.raises(kr.PoolFull):
            await pool.run("1", when_full="reject")
        gate.set()
        assert await asyncio.wait_for(asyncio.gather(*waiting), 20) == ["1", "2", "3", "4", "5"]
    asyncio.run(main())


# ---- sessions ---------------------------------------------------------------------------------------------------
def test_overlapping_runs_of_a_session_are_done_in_order(pool):
    """C141 of the reported troubles: no run fails because another one is under way."""
    with pool.session({"start": 1}) as session:
        jobs = [session.submit("x = start")] + [session.submit("x += 1") for _ in range(20)]
        assert all(job.result(20).ok for job in jobs)
        assert session.submit("1 / 0").result(20).error.type == "ZeroDivisionError"
        assert session.submit("x").result(20).value == 21

        async def main():
            found = await asyncio.gather(*(session.run("x += 1; x") for _ in range(5)))
            return [each.value for each in found]
        assert asyncio.run(main()) == [22, 23, 24, 25, 26]


def test_a_cancelled_program_of_a_session_is_over():
    async def main():
        with kr.Pool(max_workers=2) as pool, pool.session() as session:
            first, second = (asyncio.create_task(session.run("while True: pass")) for _ in range(2))
            await asyncio.sleep(0.05)
            for task in (second, first):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert session.session.run("1").value == 1      # refused while another one runs

    asyncio.run(main())


def test_waiting_runs_of_a_session_can_be_cancelled(pool):
    session = pool.session()
    first = session.submit("while True: pass")
    second, third = session.submit("y = 1"), session.submit("y")
    wait_for(first.running)
    assert second.cancel()
    first.cancel()
    assert first.result(20).error.limit == "cancelled"
    assert third.result(20).error.type == "NameError"
    last = session.submit("while True: pass")
    waiting = session.submit("1")
    wait_for(last.running)
    session.close()
    assert last.result(20).error.limit == "cancelled" and waiting.cancelled()


# ---- the size ---------------------------------------------------------------------------------------------------
def test_grows_when_all_workers_wait(pool):
    """C177: all workers wait in functions of the host; a quick job is not kept by them."""
    pool.resize(2, 16)
    waiting = [pool.submit("hold()") for _ in range(6)]
    wait_for(lambda: sum(job.running() for job in waiting) == 6)
    assert pool.submit("5").result(20).value == 5
    assert pool.metrics().grown["waiting"] + pool.metrics().grown["stalled"] >= 4
    pool.gate.set()
    assert [job.result(20).value for job in waiting] == [True] * 6


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_workers_that_wait_are_replaced_between_samples(kind):
    gate = threading.Event()
    with kr.Pool(kind, min_workers=2, max_workers=8, runnable=2, sample_seconds=600, functions={"hold": gate.wait}) as pool:
        held = [pool.submit("hold()") for _ in range(4)]      # two of them find all workers waiting
        try:
            assert pool.submit("1 + 1").result(20).value == 2
            wait_for(lambda: sum(job.running() for job in held) == 4)
            assert pool.metrics().grown["waiting"] >= 3
        finally:
            gate.set()
        assert [job.result(20).value for job in held] == [True] * 4


def test_tasks_that_wait_for_each_other():
    """C179: an idle worker is claimed when a job is submitted."""
    with kr.Pool(min_workers=0, max_workers=4) as pool:
        pool.submit(str).result()
        barrier = threading.Barrier(4)
        jobs = [pool.submit(barrier.wait) for _ in range(4)]
        assert sorted(job.result(20) for job in jobs) == [0, 1, 2, 3]


def test_idle_workers_are_claimed_once():
    with kr.Pool(min_workers=4, max_workers=4) as pool:
        wait_for(lambda: pool.metrics().idle == 4)
        barrier = threading.Barrier(4)
        jobs = [pool.submit(barrier.wait) for _ in range(4)]
        assert sorted(job.result(20) for job in jobs) == [0, 1, 2, 3]
        assert pool.size == 4


def test_a_sleeping_worker_is_no_capacity():
    """C181: one worker that sleeps for long does not take a processor's place."""
    gate = threading.Event()
    with kr.Pool(max_workers=8, runnable=2) as pool:
        pool.submit(gate.wait)
        jobs = [pool.submit("n = 0\nwhile n < 40_000: n += 1") for _ in range(300)]
        wait_for(lambda: pool.size >= 3 or all(job.done() for job in jobs))
        assert all(job.result(60).ok for job in jobs)
        gate.set()


def test_idle_seconds():
    """C183: a configured delay has its effect."""
    with kr.Pool(min_workers=2, max_workers=12, idle_seconds=0.3, shrink_samples=1000) as pool:
        gate = threading.Event()
        jobs = [pool.submit(gate.wait) for _ in range(12)]
        wait_for(lambda: pool.size == 12)
        gate.set()
        concurrent.futures.wait(jobs)
        wait_for(lambda: pool.size == 2)
        assert pool.settings.idle_seconds == 0.3
        assert pool.metrics().shrunk["idle"] == 10


def test_shrinks_to_nothing_and_wakes_up_again():
    with kr.Pool(max_workers=4, sample_seconds=0.01, idle_seconds=0.02) as pool:
        for n in range(15):
            assert pool.submit("n", {"n": n}).result(20).value == n
            if n % 5 == 0:
                wait_for(lambda: pool.size == 0)


def test_idle_workers_cost_nothing():
    with kr.Pool(min_workers=4, max_workers=4) as pool:
        wait_for(lambda: pool.metrics().idle == 4)
        time.sleep(0.1)
        used = [worker.cpu_seconds() for worker in pool._crew.workers]
        time.sleep(0.3)
        assert sum(worker.cpu_seconds() for worker in pool._crew.workers) - sum(used) < 0.002
        assert pool._crew.watcher is None or pool._crew.watcher_waits


def test_resize_while_jobs_run():
    with kr.Pool(max_workers=8) as pool:
        jobs = [pool.submit("n = 0\nwhile n < 20_000: n += 1") for _ in range(100)]
        for least, most in ((4, 8), (0, 1), (2, 6), (0, 2)):
            pool.resize(least, most)
            time.sleep(0.01)
        assert all(job.result(60).ok for job in jobs)
        wait_for(lambda: pool.size <= 2)


def test_a_worker_process_that_ends_is_replaced():
    with kr.Pool("process", max_workers=2) as pool:
        job = pool.submit("while True: pass")
        wait_for(job.running)
        wait_for(lambda: job._task is None or job._task.run.worker is not None)
        job._task.run.worker.process.signal(9)
        assert job.result(20).error.crashed
        assert pool.submit("1 + 1").result(20).value == 2
        for worker in list(pool._runtime._pool._idle):
            worker.process.signal(9)
            wait_for(lambda: not worker.process.channel.is_quiet())
        assert [each.value for each in pool.map("n", [{"n": n} for n in range(9)])] == list(range(9))


def test_a_worker_thread_that_ends_is_replaced(monkeypatch):
    class End(BaseException):
        pass

    def end(job):
        raise End

    with kr.Pool(max_workers=1) as pool:
        gate = threading.Event()
        first = pool.submit(gate.wait)
        first.add_done_callback(end)
        jobs = [pool.submit(str, n) for n in range(5)]
        monkeypatch.setattr(threading, "excepthook", lambda args: None)
        thread = next(iter(pool._crew.workers)).thread
        gate.set()
        assert [job.result(20) for job in jobs] == list("01234")
        thread.join(20)
        assert pool.metrics().shrunk["lost"] == 1


# ---- figures ----------------------------------------------------------------------------------------------------
def test_metrics(pool):
    list(pool.map("n", [{"n": n} for n in range(10)]))
    pool.submit("1/0").result()
    found = pool.metrics()
    assert (found.submitted, found.completed, found.failed, found.queued) == (11, 11, 1, 0)
    assert found.run.count == found.wait.count == 11 and 0 < found.run.mean <= found.run.longest
    assert sum(found.grown.values()) - sum(found.shrunk.values()) == found.size
    assert found.changes[-1].size == found.size
    plain = found.to_dict()
    assert plain["run"]["count"] == 11 and plain["grown"] == dict(found.grown)


def test_histogram():
    times = Histogram()
    assert times.mean == times.percentile(0.99) == 0
    for n in range(1, 1001):
        times.add(n / 1000)
    assert 0.5 <= times.percentile(0.5) <= 0.6 and 0.99 <= times.percentile(0.99) <= 1.0
    assert times.percentile(1.0) == times.longest == 1.0
    assert abs(times.mean - 0.5005) < 1e-9
    times.add(1e9)
    assert times.percentile(1.0) == 1e9
