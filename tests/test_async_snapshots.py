"""Snapshots of programs that await calls of the host, and of what they leave in a session."""
import subprocess
import sys

import pytest

import kimi_runtime as kr

PROGRAMS = {
    "gather": """
import asyncio
async def total(user):
    orders = await fetch("orders", user)
    return orders + await fetch("more", user, orders)
async def main():
    print(await asyncio.gather(*(total(user) for user in ("ann", "bob", "cid"))))
asyncio.run(main())
print("end")
""",
    "locks and queues": """
import asyncio
items = []
async def one(n, queue, lock, some):
    async with lock:
        x = await fetch(n)
        items.append((n, x))
    async with some:
        await queue.put(await fetch(x))
    return n
async def main():
    queue, lock, some, event = asyncio.Queue(), asyncio.Lock(), asyncio.Semaphore(2), asyncio.Event()
    async def waiter():
        await event.wait()
        return "waited"
    waiting = asyncio.create_task(waiter(), name="w")
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(i, queue, lock, some)) for i in range(4)]
        for _ in range(4):
            print(await queue.get())
    event.set()
    print([task.result() for task in tasks], await waiting, waiting.get_name(), items)
asyncio.run(main())
""",
    "generators": """
import asyncio
log = []
async def numbers(n):
    try:
        for i in range(n):
            sent = yield await fetch(i)
            if sent:
                log.append(sent)
    finally:
        log.append(await fetch("closed"))
async def main():
    async for x in numbers(2):
        print(x)
    found = numbers(5)
    print(await found.__anext__(), await found.asend(None), await found.asend("sent"))
    await found.aclose()
    left = numbers(3)
    print(await left.asend(None))
    print([x async for x in numbers(2)], log)
asyncio.run(main())
print(log)
""",
    "time and cancellation": """
import asyncio
async def one(n):
    return n * await fetch(n)
async def main():
    async with asyncio.timeout(5):
        print(await fetch("in time"))
    try:
        await asyncio.wait_for(fetch("fail"), 10)
    except ValueError as error:
        print("got", error)
    task = asyncio.create_task(one(9))
    await asyncio.sleep(0)
    print(await fetch("x"))
    task.cancel("enough")
    try:
        await task
    except asyncio.CancelledError as error:
        print("cancelled", error)
    done, pending = await asyncio.wait([asyncio.create_task(one(i)) for i in range(3)])
    print(sorted(each.result() for each in done), len(pending))
    print(await asyncio.shield(one(3)), await asyncio.gather(one(1), fetch("fail"), return_exceptions=True))
    loop = asyncio.get_running_loop()
    future, begun = loop.create_future(), loop.time()
    loop.call_later(0.001, future.set_result, "later")
    handle = loop.call_later(9, print, "never")
    print(await fetch("z"), await future, handle.when() - begun < 10, loop.time() - begun < 60)
    handle.cancel()
asyncio.run(main())
with asyncio.Runner() as runner:
    print(runner.run(one(3)), runner.run(one(4)))
""",
    "context variables": """
import asyncio, contextvars, decimal, weakref
user = contextvars.ContextVar("user", default="nobody")
depth = contextvars.ContextVar("depth")
class Node: pass
async def step(n):
    token = user.set(f"user {n}")
    inner = depth.set(n)
    decimal.getcontext().prec = 3 + n
    await fetch(n)
    print(user.get(), depth.get(), decimal.Decimal(1) / 7, token.old_value)
    nested = user.set("nested")
    await fetch(n)
    user.reset(nested)
    print(user.get())
    user.reset(token)
    depth.reset(inner)
    try:
        depth.get()
    except LookupError:
        print(user.get(), "no depth")
    try:
        user.reset(token)
    except RuntimeError as error:
        print("used")
async def main():
    node = Node()
    seen = weakref.WeakSet([node])
    names = weakref.WeakValueDictionary(a=node)
    context = contextvars.copy_context()
    context.run(user.set, "copied")
    await asyncio.gather(step(1), step(2))
    await asyncio.get_running_loop().create_task(step(3), context=context)
    print(len(seen), list(names), user.get(), context[user], decimal.getcontext().prec)
    ref = weakref.ref(node, lambda ref: print("gone"))
    await fetch(1)
    print(ref() is node)
    del node
    await fetch(2)
    print(ref(), len(seen), list(names))
asyncio.run(main())
""",
    "own classes": """
import asyncio
class MyTask(asyncio.Task):
    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.note = ["made"]
class Promise(asyncio.Future):
    pass
class Awaitable:
    def __init__(self, n):
        self.n = n
    def __await__(self):
        return (yield from fetch(self.n).__await__())
async def work(n):
    return n + await Awaitable(n)
async def main():
    loop = asyncio.get_running_loop()
    loop.set_task_factory(lambda loop, coro, **more: MyTask(coro, loop=loop, **more))
    task = asyncio.create_task(work(1))
    promise = Promise()
    promise.note = "a note"
    promise.add_done_callback(lambda done: print("done with", done.result(), done.note))
    loop.call_soon(promise.set_result, 5)
    print(await task, task.note, type(task).__name__, await promise)
asyncio.run(main())
""",
}


def answer(call):
    if call.args[0] == "fail":
        raise ValueError("the host fails")
    return len(repr(call.args))


def to_the_end(source, again, which=0):
    """Runs a program, from a snapshot at each step where again says so: the result, how often it stopped, sizes of snapshots."""
    step = kr.Runtime().session().start(source, await_on={"fetch"})
    count, sizes = 0, []
    while isinstance(step, kr.Suspended):
        count += 1
        if again:
            data = step.dump()
            sizes.append(len(data))
            step = kr.load(data)
        call = step.pending[which]
        try:
            value = answer(call)
        except ValueError as error:
            step = step.throw(error, id=call.id)
        else:
            step = step.resume(value, id=call.id)
    return step.result, count, sizes


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
def test_a_program_goes_on_from_snapshots_as_without(name, which):
    expected, count, _ = to_the_end(PROGRAMS[name], False, which)
    found, as_often, _ = to_the_end(PROGRAMS[name], True, which)
    expected.unwrap()
    assert found.unwrap() == expected.value
    assert (found.stdout, found.stderr, as_often) == (expected.stdout, expected.stderr, count)


def test_pending_calls_keep_their_numbers_names_and_arguments():
    step = kr.Runtime().session().start(PROGRAMS["gather"], await_on={"fetch"})
    step = step.resume(1, id=2)
    again = kr.load(step.dump())
    assert repr(again.pending) == repr(step.pending)
    assert [call.id for call in again.pending] == [1, 3, 4]
    done = again.resume(1, id=4).resume(2, id=1).resume_all({3: 3, 5: 4}).resume(5)
    assert done.result.stdout == "[6, 2, 8]\nend\n"


def test_a_small_program_that_awaits_takes_little():
    _, _, sizes = to_the_end(PROGRAMS["gather"], True)
    assert max(sizes) < 2500


def test_time_of_the_loop_goes_on_where_it_was():
    step = kr.Runtime().session().start("""
import asyncio
async def main():
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await fetch()
    return 0 <= loop.time() - begun < 1000
asyncio.run(main())
""", await_on={"fetch"})
    assert kr.load(step.dump()).resume().value is True


def test_what_a_session_has_of_asyncio_stays():
    session = kr.Runtime().session()
    session.run("""
import asyncio, contextvars
name = contextvars.ContextVar("name")
token = name.set("set before")
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
future = loop.create_future()
future.set_result([future])
async def numbers():
    yield 1
    yield 2
found = numbers()
first = loop.run_until_complete(found.asend(None))
""").unwrap()
    for again in (kr.load(session.dump()), session.fork()):
        assert again.run("""
assert asyncio.get_event_loop_policy().get_event_loop() is loop and future.result()[0] is future
second = loop.run_until_complete(anext(found))
value = name.get()
name.reset(token)
loop.close()
(first, second, value, name.get("none"))
""").unwrap() == (1, 2, "set before", "none")


def test_nothing_of_a_loaded_program_is_left_at_the_end_of_the_process(tmp_path):
    import subprocess
    import sys

    step = kr.Runtime().session().start(PROGRAMS["generators"], await_on={"fetch"})
    (tmp_path / "data").write_bytes(step.dump())
    found = subprocess.run(
        [sys.executable, "-c",
         f"import kimi_runtime as kr; from pathlib import Path; step = kr.load(Path({str(tmp_path / 'data')!r}).read_bytes())"],
        capture_output=True, text=True, timeout=120)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


# ---- other versions of the library ---------------------------------------------------------------------------
ELSEWHERE = """
import sys
import kimi_runtime as kr
from kimi_runtime.library import loader

old = loader.read_file
def edited(path):
    found = old(path)
    for name, before, after in EDITS:
        if path.endswith(name):
            assert before in found, (path, before)
            found = found.replace(before, after)
    return found
loader.read_file = edited
try:
    step = kr.load(open(sys.argv[1], "rb").read())
except kr.SnapshotError as error:
    print("refused:", error)
else:
    print(step.resume_all({call.id: 5 for call in step.pending}).result.unwrap())
"""


@pytest.mark.parametrize("edits, outcome", [
    ([], "[10, 10]"),
    # Lines above, another body of a function that does not run, one more of the same name.
    ([("asyncio/base_events.py", b"import sys\n", b"import sys\n\n\n\n"), ("asyncio/events.py", b'"""Handles', b'"""\n\nHandles'),
      ("asyncio/runners.py", b"    def get_loop(self):\n", b"    def get_loop(self):\n        1 + 1\n"),
      ("asyncio/tasks.py", b"def _wrap_awaitable", b"def _new(): pass\ndef _wrap_awaitable")], "[10, 10]"),
    # A function that is half run is another one; the callback of gather() takes other arguments; what the program refers to by name is gone.
    ([("asyncio/base_events.py", b"hooks = sys.get_asyncgen_hooks()", b"hooks = 1 and sys.get_asyncgen_hooks()")], "is half run and compiled differently"),
    ([("asyncio/tasks.py", b"def _done_callback(fut):", b"def _done_callback(fut, *more):")], "a function of the library module asyncio.tasks that"),
    ([("asyncio/base_events.py", b"_end_of_main", b"_ended_main")], "refused: "),
], ids=["same", "elsewhere", "half run", "arguments", "gone"])
def test_functions_of_the_library_go_by_name(tmp_path, edits, outcome):
    source = """
import asyncio
async def double(n):
    return 2 * await fetch(n)
async def main():
    return await asyncio.gather(double(1), double(2))
asyncio.run(main())
"""
    step = kr.Runtime().session().start(source, await_on={"fetch"})
    (tmp_path / "data").write_bytes(step.dump())
    done = subprocess.run([sys.executable, "-c", f"EDITS = {edits!r}\n{ELSEWHERE}", str(tmp_path / "data")], capture_output=True, text=True, timeout=60)
    assert outcome in done.stdout, done.stderr[-2000:]
    assert not done.stdout.startswith("refused") or "with the version" in done.stdout
