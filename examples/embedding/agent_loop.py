"""An agent whose model answers with Python: each answer is checked, then run in one session, with tools of the host.

    python examples/embedding/agent_loop.py

The tools are async: the program gathers them, and the host's loop runs them side by side. `Model` stands for a language model; it
makes a mistake first, and mends it when it is told.
"""
import asyncio

import kimi_runtime as kr

WEATHER = {"Oslo": 3, "Rome": 17, "Cairo": 24}


async def weather(city: str) -> int:
    """Degrees Celsius in a city, now."""
    await asyncio.sleep(0.01)           # where an HTTP client would wait
    return WEATHER[city]


class Model:
    """Writes the next program from what was said so far."""

    PROGRAMS = [
        "temps = await_all(weather, ['Oslo', 'Rome', 'Cairo'])",                # no such function: the check says so
        "import asyncio\n"
        "cities = ['Oslo', 'Rome', 'Cairo']\n"
        "async def ask():\n"
        "    return dict(zip(cities, await asyncio.gather(*map(weather, cities))))\n"
        "temps = asyncio.run(ask())\n"
        "temps",
        "warmest = max(temps, key=temps.get)\n"
        "done = True\n"
        "answer(f'{warmest}, {temps[warmest]} degrees')",
    ]

    def __init__(self):
        self.messages = []

    def next_program(self):
        return self.PROGRAMS[len(self.messages)]

    def tell(self, text):
        self.messages.append(text)


async def solve(model: Model, task: str) -> str:
    """Lets the model write programs until one of them gives the answer."""
    answers = []
    runtime = kr.Runtime(
        functions={"weather": weather, "answer": lambda text: answers.append(text)},
        modules={"asyncio", "json", "math", "re", "statistics"},
        limits=kr.Limits(seconds=5, memory="64MB", output=20_000, host_calls=100),
    )
    with runtime.session({"task": task}) as session:
        for _ in range(10):
            program = model.next_program()
            findings = [str(each) for each in session.check(program) if each.severity == "error"]
            if findings:
                print("not run:", *findings)
                model.tell("\n".join(findings))
                continue
            result = await session.run_async(program)
            print("ran:", result.value if result.ok else result.error)
            if answers:
                return answers[-1]
            model.tell(repr(result.value) if result.ok else result.error.traceback)
    raise RuntimeError("no answer in ten steps")


print("answer:", asyncio.run(solve(Model(), "Where is it warmest?")))
