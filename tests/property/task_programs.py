"""Random programs of tasks: they wait for each other, cancel, fail, and share locks, queues and futures.

`program(seed)` gives the text of one. Nothing in it depends on a clock: time-outs are either over at once or never. Every
program ends, because bodies have no endless loops and main cancels what is left after a number of turns.

    python tests/property/task_programs.py FIRST COUNT

runs a range of seeds on both interpreters and prints those that differ.
"""

from __future__ import annotations

import pathlib
import random
import sys

PRELUDE = '''
import asyncio
import contextvars

var = contextvars.ContextVar("var", default=0)
trace = []


def log(*what):
    trace.append(what)
    print(*what)


def handler(loop, context):
    if "never retrieved" in context["message"]:
        return                      # when that is told depends on the collector
    log("handler", context["message"].partition(" at ")[0].partition("<")[0].partition("(")[0], repr(context.get("exception")))


def kind(error):
    if isinstance(error, BaseExceptionGroup):
        return f"{type(error).__name__}[{', '.join(kind(each) for each in error.exceptions)}]"
    return f"{type(error).__name__}{error.args}"


async def items(name, n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            yield i
    except (asyncio.CancelledError, Exception) as error:
        log(name, "generator ends", kind(error))
        await asyncio.sleep(0)
        raise
    finally:
        await asyncio.sleep(0)      # not logged: when one is dropped depends on references


class Manager:
    def __init__(self, name, swallow):
        self.name, self.swallow = name, swallow

    async def __aenter__(self):
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, kind, value, traceback):
        log(self.name, "exit", kind and kind.__name__)
        await asyncio.sleep(0)
        return self.swallow and kind is not asyncio.CancelledError


async def brief(name, turns, error=None):
    for _ in range(turns):
        await asyncio.sleep(0)
    log(name, "brief", turns)
    if error is not None:
        raise error
    return turns


def start(i):
    if tasks[i] is None:
        tasks[i] = asyncio.create_task(BODIES[i](), name=f"t{i}")
    return tasks[i]


def set_future(i, value):
    if not futures[i].done():
        if isinstance(value, Exception):
            futures[i].set_exception(value)
        else:
            futures[i].set_result(value)
'''

MAIN = '''
async def main():
    global tasks, futures, lock, event, queue, semaphore, condition
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(handler)
    tasks = [None] * len(BODIES)
    futures = [loop.create_future() for _ in range(FUTURES)]
    lock, event, queue = asyncio.Lock(), asyncio.Event(), asyncio.Queue(2)
    semaphore, condition = asyncio.Semaphore(2), asyncio.Condition()
    for i in range(min(3, len(BODIES))):
        start(i)
    for turn in range(40):
        await asyncio.sleep(0)
    for _ in range(12):
        for i, task in enumerate(tasks):
            if task is not None and not task.done():
                log("main cancels", i)
                task.cancel("end")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    for i, task in enumerate(tasks):
        if task is None:
            log(i, "never started")
        elif not task.done():
            log(i, "still running", task.cancelling())
        elif task.cancelled():
            log(i, "cancelled", task.cancelling())
        else:
            log(i, task.exception() and kind(task.exception()) or task.result(), task.cancelling())
    for i, future in enumerate(futures):
        if future.done() and not future.cancelled():
            log("future", i, repr(future.exception()) if future.exception() else future.result())
        else:
            log("future", i, future.done(), future.cancelled())
            future.cancel()
    log(lock.locked(), event.is_set(), queue.qsize(), semaphore.locked())


try:
    asyncio.run(main())
except BaseException as error:
    log("run", kind(error))
print(len(trace))
background.clear()
tasks.clear()
futures.clear()
'''


class Writer:
    """Writes the bodies of one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.bodies = self.random.randint(2, 6)
        self.futures = self.random.randint(1, 4)
        self.marks = 0

    def mark(self) -> str:
        self.marks += 1
        return repr(f"m{self.marks}")

    def error(self) -> str:
        return self.random.choice([f"ValueError({self.mark()})", f"KeyError({self.mark()})", "ZeroDivisionError()"])

    def task(self) -> int:
        return self.random.randrange(self.bodies)

    def future(self) -> int:
        return self.random.randrange(self.futures)

    def value(self) -> str:
        return self.error() if self.random.random() < 0.3 else str(self.random.randrange(100))

    def turns(self) -> int:
        return self.random.choice([0, 0, 1, 1, 2, 3, 5])

    def awaitable(self, depth: int = 2) -> str:
        """An expression that can be awaited, and that is made anew each time."""
        name = self.mark()
        choices = [
            "asyncio.sleep(0)", f"brief({name}, {self.turns()})", f"brief({name}, {self.turns()}, {self.error()})",
            f"futures[{self.future()}]", f"asyncio.shield(futures[{self.future()}])", "event.wait()", "queue.get()",
            f"queue.put({self.random.randrange(9)})", f"start({self.task()})", f"asyncio.shield(start({self.task()}))",
        ]
        if depth:
            inner = [self.awaitable(depth - 1) for _ in range(self.random.randint(1, 3))]
            flag = self.random.choice(["", ", return_exceptions=True"])
            when = self.random.choice(["FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"])
            choices += [
                f"asyncio.gather({', '.join(inner)}{flag})", f"asyncio.wait_for({inner[0]}, {self.random.choice([None, 0, 1000])})",
                f"asyncio.shield({inner[0]})",
                f"asyncio.wait([asyncio.ensure_future(each) for each in [{', '.join(inner)}]], return_when=asyncio.{when})",
            ]
        return self.random.choice(choices)

    def shown(self, expression: str) -> str:
        """A statement that awaits and logs what came, without sets and names of tasks."""
        if expression.startswith("asyncio.wait("):
            return f"log({self.mark()}, [len(each) for each in await {expression}])"
        return f"log({self.mark()}, show(await {expression}))"

    def block(self, depth: int, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth: int, indent: str) -> list[str]:
        pick = self.random.random()
        if depth and pick < 0.45:
            return self.compound(depth - 1, indent)
        return [indent + self.random.choice([
            self.shown(self.awaitable()), self.shown(self.awaitable()), self.shown(self.awaitable()),
            "await asyncio.sleep(0)", f"await brief({self.mark()}, {self.turns()})",
            f"start({self.task()})", f"log({self.mark()}, start({self.task()}).cancel({self.mark()}))",
            f"tasks[{self.task()}] and tasks[{self.task()}] and log({self.mark()}, tasks[{self.task()}] is not None)",
            f"set_future({self.future()}, {self.value()})", f"log({self.mark()}, futures[{self.future()}].cancel({self.mark()}))",
            "event.set()", "event.clear()", f"var.set(var.get() + {self.random.randrange(9)})", f"log({self.mark()}, var.get())",
            f"asyncio.get_running_loop().call_soon(log, {self.mark()})",
            f"asyncio.get_running_loop().call_soon(set_future, {self.future()}, {self.value()})",
            f"futures[{self.future()}].add_done_callback(lambda future: log({self.mark()}, future.cancelled(), var.get()))",
            f"start({self.task()}).add_done_callback(lambda task: log({self.mark()}, task.get_name(), task.cancelled()))",
            f"log({self.mark()}, asyncio.current_task().uncancel())", f"log({self.mark()}, asyncio.current_task().cancelling())",
            f"asyncio.current_task().cancel({self.mark()})", f"raise {self.error()}", f"return {self.random.randrange(100)}",
            f"background.append(asyncio.create_task(brief({self.mark()}, {self.turns()})))",
            f"background.append(asyncio.create_task(brief({self.mark()}, {self.turns()}, {self.error()})))",
        ])]

    def compound(self, depth: int, indent: str) -> list[str]:
        more = indent + "    "
        body = self.block(depth, more)
        pick = self.random.randrange(12)
        if pick < 3:
            caught = self.random.choice(["Exception", "asyncio.CancelledError", "BaseException", "TimeoutError", "ValueError"])
            lines = [f"{indent}try:", *body, f"{indent}except {caught} as error:", f"{more}log({self.mark()}, kind(error))"]
            if self.random.random() < 0.4:
                lines += self.block(0, more)
            if self.random.random() < 0.5:
                lines.append(f"{more}raise")
            if self.random.random() < 0.3:
                lines += [f"{indent}finally:", f"{more}log({self.mark()}, 'finally')", *self.block(0, more)]
            return lines
        if pick < 5:
            return [f"{indent}try:", *body, f"{indent}finally:", f"{more}log({self.mark()}, 'finally')", *self.block(0, more)]
        if pick == 5:
            return [f"{indent}async with {self.random.choice(['lock', 'semaphore', 'condition'])}:", f"{more}log({self.mark()}, 'in')", *body]
        if pick == 6:
            return [f"{indent}async with Manager({self.mark()}, {self.random.random() < 0.4}):", *body]
        if pick == 7:
            return [f"{indent}async with asyncio.timeout({self.random.choice([None, 0, 0, 1000])}):", *body]
        if pick == 8:
            lines = [f"{indent}async with asyncio.TaskGroup() as group:"]
            for _ in range(self.random.randint(1, 3)):
                error = self.random.choice(["", "", f", {self.error()}"])
                lines.append(f"{more}group.create_task(brief({self.mark()}, {self.turns()}{error}))")
            return lines + (body if self.random.random() < 0.6 else [])
        if pick == 9:
            return [f"{indent}async for i in items({self.mark()}, {self.random.randrange(4)}):", f"{more}log({self.mark()}, i)", *body]
        if pick == 10:
            # One at a time: the order of several that are made at once is that of a set.
            return [f"{indent}for each in asyncio.as_completed([{self.awaitable(0)}]):", f"{more}log({self.mark()}, show(await each))"]
        return [f"{indent}for i in range({self.random.randint(1, 3)}):", *body]

    def program(self) -> str:
        parts = [PRELUDE, "\ndef show(value):\n    return value if isinstance(value, (int, str, type(None))) else type(value).__name__\n\n\nbackground = []\n"]
        for i in range(self.bodies):
            parts.append("\n".join(["", f"async def body{i}():", f"    log('t{i} starts', var.get())", *self.block(2, "    "),
                                    f"    log('t{i} ends')", f"    return 't{i}'", ""]))
        parts.append(f"\nBODIES = [{', '.join(f'body{i}' for i in range(self.bodies))}]\nFUTURES = {self.futures}\n")
        return "".join(parts) + MAIN


def program(seed: int) -> str:
    """The program of a seed."""
    return Writer(seed).program()


def compare(source: str) -> str:
    """The difference between the two interpreters on a program, empty when they agree.

    Standard error is left out: there CPython tells of tasks of earlier programs that its collector has found. So are
    programs with a RecursionError, where tasks wait for each other in a ring and are cancelled.
    """
    from differential import difference, run_guest, run_reference

    expected, got = run_reference(source), run_guest(source)
    expected.stderr = got.stderr = ""
    return "" if "RecursionError" in expected.stdout else difference(expected, got)


def main() -> int:
    """Runs a range of seeds; the exit status is 1 when one differs."""
    sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent.parent)]
    import faulthandler

    first, count = int(sys.argv[1]), int(sys.argv[2])
    differing = []
    for seed in range(first, first + count):
        faulthandler.dump_traceback_later(30, exit=True)
        source = program(seed)
        diff = compare(source)
        if diff:
            differing.append(seed)
            print(f"seed {seed} differs\n{diff[:2000]}", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print(f"{count} programs from seed {first}, {len(differing)} differ: {differing[:50]}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
