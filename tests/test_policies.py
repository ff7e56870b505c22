"""What the host says of clocks, randomness and environment, and that a run can be repeated to the byte."""

from __future__ import annotations

import datetime
import os
import pathlib
import subprocess
import sys
import time
import zoneinfo

import pytest

import kimi_runtime as kr

ROOT = pathlib.Path(__file__).resolve().parent.parent
UTC = datetime.UTC


def value(source, isolation="inline", **settings):
    with kr.Runtime(policy=kr.Policy(**settings), isolation=isolation) as rt:
        return rt.run(source, check=True).value


ISOLATIONS = pytest.mark.parametrize("isolation", ["inline", "process"])


# ---- clocks ------------------------------------------------------------------------------------------------
@ISOLATIONS
def test_frozen_clock(isolation):
    when = datetime.datetime(2024, 2, 29, 12, 30, 15, 250, UTC)
    source = """
import time, datetime
(time.time_ns(), time.time_ns(), time.gmtime()[:6], datetime.datetime.now(datetime.timezone.utc), datetime.date.today(),
 datetime.datetime.utcnow(), time.monotonic() == time.monotonic() == time.perf_counter() == time.process_time())
"""
    assert value(source, isolation, clock=when, moves=False, timezone="UTC") == (
        int(when.timestamp() * 1e6) * 1000, int(when.timestamp() * 1e6) * 1000, (2024, 2, 29, 12, 30, 15), when, when.date(),
        when.replace(tzinfo=None), True)


def test_offset_clock_goes_on():
    began, first, second = value("import time\na = time.time()\nend = time.monotonic() + 0.02\nwhile time.monotonic() < end: pass\n1e9, a, time.time()", clock=1e9)
    assert began <= first < second < began + 100 and second - first >= 0.02


def test_clock_of_the_host():
    times = iter([5.5, 7.25, 1e9])
    rt = kr.Runtime(policy=kr.Policy(clock=lambda: next(times), timezone="UTC"))
    assert rt.run("import time, datetime\ntime.time(), time.time_ns(), datetime.datetime.now()", check=True).value == (
        5.5, 7_250_000_000, datetime.datetime(2001, 9, 9, 1, 46, 40))
    failing = kr.Runtime(policy=kr.Policy(clock=lambda: 1 / 0))
    assert failing.run("import time\ntry: time.time()\nexcept ZeroDivisionError as e: print(e)", check=True).stdout == "division by zero\n"


@ISOLATIONS
@pytest.mark.parametrize("name", ["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"])
def test_time_zone_is_as_in_a_process_with_that_zone(name, isolation):
    source = r"""
import time, datetime
moments = [0, 1720094400, 1730611800, 1730615400, 951782400, -86400 * 365 * 20]
found = []
for t in moments:
    local = time.localtime(t)
    naive = datetime.datetime.fromtimestamp(t)
    found.append((tuple(local), local.tm_zone, local.tm_gmtoff, time.mktime(local), time.ctime(t), time.strftime('%c %Z %z', local),
                  str(naive), naive.timestamp(), str(naive.astimezone()), naive.astimezone().tzname(),
                  str(naive.astimezone(datetime.timezone.utc)), str(datetime.date.fromtimestamp(t)),
                  str(datetime.datetime(2024, 3, 10, 2, 30).astimezone()), str(datetime.datetime.fromtimestamp(t, datetime.timezone.utc))))
found.append(time.mktime((2024, 14, 35, 25, 61, 61, 0, 0, -1)))
"""
    expected = subprocess.run([sys.executable, "-c", source + "print(ascii(found))"], env={**os.environ, "TZ": name}, capture_output=True,
                              text=True, check=True).stdout
    with kr.Runtime(policy=kr.Policy(timezone=name), isolation=isolation) as rt:
        assert rt.run(source + "print(ascii(found))", check=True).stdout == expected


def test_subclasses_of_datetime():
    source = """
import datetime
class D(datetime.datetime):
    def __new__(cls, *args, **keywords):
        made.append(cls.__name__)
        return super().__new__(cls, *args, **keywords)
    @classmethod
    def today(cls): return "mine"
class E(datetime.date):
    pass
made = []
type(D.now()).__name__, D.today(), type(E.today()).__name__, bool(made), D.now().year, getattr(datetime.datetime, "now")().year
"""
    assert value(source, clock=datetime.datetime(1999, 1, 1), moves=False, timezone="UTC") == ("D", "mine", "E", True, 1999, 1999)


def test_a_program_that_ran_before_follows_the_policy():
    source = "import datetime\ndatetime.datetime.now().year"
    assert kr.run(source).value == time.localtime().tm_year
    assert value(source, clock=datetime.datetime(1987, 6, 5), moves=False) == 1987
    assert kr.run(source).value == time.localtime().tm_year


def test_attributes_of_the_same_names_are_the_guests():
    source = """
class Order:
    now = 1
    timestamp = 2
    @staticmethod
    def today(): return 3
    def astimezone(self): return 4
(Order.now, Order().timestamp, Order.today(), Order().astimezone())
"""
    assert value(source, clock=0, timezone="UTC") == (1, 2, 3, 4)


def test_step_lets_a_wait_end():
    assert value("import time\nn = 0\nend = time.time() + 1\nwhile time.time() < end: n += 1\nn", clock=0, moves=False, step=0.01) in range(90, 101)


# ---- sleep -------------------------------------------------------------------------------------------------
SLEEPS = """
import time, asyncio, threading
a = time.time(); time.sleep(1000); first = time.time() - a
order = []
async def wait(n):
    await asyncio.sleep(n)
    order.append(n)
async def main():
    await asyncio.gather(wait(300), wait(100), wait(200))
    try:
        await asyncio.wait_for(asyncio.sleep(10_000), 50)
    except TimeoutError:
        order.append("late")
asyncio.run(main())
def thread(n):
    time.sleep(n)
    order.append(n)
threads = [threading.Thread(target=thread, args=(n,)) for n in (30, 10, 20)]
for each in threads: each.start()
for each in threads: each.join()
round(first), order, round(time.time() - a)
"""


@ISOLATIONS
@pytest.mark.parametrize("moves", [True, False])
def test_skipped_sleep(moves, isolation):
    first, order, whole = value(SLEEPS, isolation, sleep="skip", moves=moves)
    assert 1000 <= first < 1010 and order == [100, 200, 300, "late", 10, 20, 30]
    assert 1380 <= whole < 1400


def test_capped_sleep():
    began = time.monotonic()
    first, order, whole = value(SLEEPS, sleep=0.01)
    assert 1000 <= first < 1010 and order == [100, 200, 300, "late", 10, 20, 30]
    assert 1380 <= whole < 1400 and time.monotonic() - began < 60


def test_sleep_of_the_host():
    slept = []
    first, order, whole = value(SLEEPS, sleep=slept.append)
    assert order == [100, 200, 300, "late", 10, 20, 30] and 1380 <= whole < 1400
    assert slept[0] == 1000 and all(each > 0 for each in slept)
    with pytest.raises(kr.GuestException, match="must be non-negative"):
        value("import time\ntime.sleep(-1)", sleep="skip")


def test_threads_of_the_host_are_waited_for():
    def slow():
        time.sleep(0.05)
        return "done"

    source = """
import asyncio
async def main():
    return await asyncio.gather(asyncio.wait_for(asyncio.to_thread(slow), 1000), asyncio.sleep(500, "slept"))
asyncio.run(main())
"""
    rt = kr.Runtime(policy=kr.Policy(sleep="skip"), functions={"slow": slow})
    assert rt.run(source, check=True).value == ["done", "slept"]


# ---- randomness and environment ----------------------------------------------------------------------------
RANDOM = """
import random, secrets, uuid, os
(random.random(), random.Random().random(), random.Random(5).random(), random.SystemRandom().random(), secrets.token_hex(8),
 str(uuid.uuid4()), os.urandom(8), random.sample(range(100), 5))
"""


@ISOLATIONS
def test_seed(isolation):
    first = value(RANDOM, isolation, seed=1)
    assert value(RANDOM, isolation, seed=1) == first
    other = value(RANDOM, isolation, seed=2)
    assert all(a != b for a, b in zip(first[:2] + first[3:], other[:2] + other[3:]))
    assert first[2] == other[2] == kr.run("import random\nrandom.Random(5).random()").value
    assert value(RANDOM) != value(RANDOM)


def test_guests_have_their_own_numbers():
    rt = kr.Runtime(policy=kr.Policy(seed=1))
    with rt.session() as a, rt.session() as b:
        a.run("import random\nrandom.random()")
        assert a.run("random.random()").value == b.run("import random\nrandom.random()\nrandom.random()").value
        a.reset()
        b.reset()
        assert a.run(RANDOM).value == b.run(RANDOM).value


@ISOLATIONS
def test_environment(isolation):
    source = "import os\nos.environ['NEW'] = 'x'\nos.environ['HOME'], os.getenv('PATH'), sorted(os.environ)"
    assert value(source, isolation, environment={"HOME": "/home/é"}) == ("/home/é", None, ["HOME", "NEW"])
    assert value("import os\nlen(os.environ)", isolation) == 0


# ---- replay ------------------------------------------------------------------------------------------------
EVERYTHING = """
import asyncio, datetime, random, threading, time, uuid, logging, os
logging.basicConfig(format="%(asctime)s %(message)s", level=0)
logging.info("begins")
class Order:
    def __init__(self): self.id, self.at = uuid.uuid4(), datetime.datetime.now()
print([(str(o.id), str(o.at)) for o in (Order() for _ in range(3))])
async def worker(n):
    for _ in range(3):
        await asyncio.sleep(random.random())
        print(n, round(asyncio.get_running_loop().time(), 3))
async def main(): await asyncio.gather(*map(worker, range(4)))
asyncio.run(main())
print(time.perf_counter(), time.ctime(), random.getstate()[1][:3], uuid.uuid1())
end = time.time() + 0.001
n = 0
while time.time() < end: n += 1
print(n, os.urandom(4), time.thread_time())
print({1.5, 2, 'a'} and sorted({'b', 'c'}))
"""


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_replay_is_the_same_to_the_byte_in_another_process(isolation):
    program = f"""
import sys, kimi_runtime as kr
with kr.Runtime(policy=kr.Policy.replay(), isolation={isolation!r}) as rt:
    result = rt.run(sys.stdin.read(), check=True)
sys.stdout.write(result.stdout + result.stderr)
"""
    outputs = [
        subprocess.run([sys.executable, "-c", program], input=EVERYTHING, capture_output=True, text=True, check=True,
                       env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": zone}).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]
    assert outputs[0] == outputs[1] and "begins" in outputs[0] and outputs[0].count("\n") > 15


def test_sets_of_strings_have_one_order_in_workers():
    with kr.Runtime(isolation="process", fresh=True) as rt:
        found = {tuple(rt.run("list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})", check=True).value) for _ in range(3)}
    assert len(found) == 1


# ---- what the host passes ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("settings", "kind", "words"),
    [
        ({"clock": "now"}, TypeError, "clock must be a datetime, seconds since the epoch, a function or None, not str"),
        ({"clock": 1e15}, ValueError, "clock must be a time of the years 69 to 9891"),
        ({"clock": float("nan")}, ValueError, "clock must be a time"),
        ({"timezone": 5}, TypeError, "timezone must be the name"),
        ({"timezone": "Mars/Olympus"}, ValueError, "there is no zone 'Mars/Olympus'"),
        ({"timezone": "../etc/passwd"}, ValueError, "must be relative|no zone|Absolute|outside|ZoneInfo keys"),
        ({"sleep": "never"}, TypeError, "sleep must be 'real', 'skip', a number"),
        ({"sleep": -1}, ValueError, "sleep must not be negative"),
        ({"step": -1}, ValueError, "step must be between"),
        ({"seed": "x"}, TypeError, "seed must be an int or None"),
        ({"environment": {"A": 1}}, TypeError, "environment: names and values must be str"),
        ({"environment": {"A=": "1"}}, ValueError, "cannot be a variable"),
        ({"environment": ["A"]}, TypeError, "environment must be a mapping"),
    ],
)
def test_policy_that_cannot_be(settings, kind, words):
    with pytest.raises(kind, match=words.replace("'", ".")):
        kr.Policy(**settings)


def test_arguments_of_the_runtime():
    with pytest.raises(TypeError, match="policy must be a kimi_runtime.Policy or None, not str"):
        kr.Runtime(policy="replay")
    with pytest.raises(ValueError, match="sleep is a function of the host"):
        kr.Runtime(policy=kr.Policy(sleep=print), isolation="process")
    assert repr(kr.Policy(seed=1)) == ("Policy(clock=None, moves=True, step=0.0, timezone=None, sleep='real', seed=1, environment={})")
    assert kr.Policy(timezone="Europe/Berlin").zone.utcoffset(datetime.datetime(2024, 7, 1)) == (
        zoneinfo.ZoneInfo("Europe/Berlin").utcoffset(datetime.datetime(2024, 7, 1)))


# The clock's numbers get so large that a moment and the resolution after it are one number; the sum of all sleeps leaves 64 bits.
@pytest.mark.parametrize("seconds", ["10**6", "8.5e8", "1e9 / 3"])
def test_skipped_sleeps_without_end_end_with_the_run(seconds):
    source = f"import asyncio\nasync def main():\n    while True: await asyncio.sleep({seconds})\nasyncio.run(main())"
    rt = kr.Runtime(policy=kr.Policy(clock=datetime.datetime(2024, 1, 1), moves=False, sleep="skip"), limits=kr.Limits(seconds=0.5))
    began = time.thread_time()
    assert rt.run(source).error.limit == "seconds"
    assert time.thread_time() - began < 3
