"""The hot tier gives what the interpreter gives, limits hold in its code, and a host learns when its back end is missing."""
from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings

import pytest
import same_results

import kimi_runtime as kr
from kimi_runtime.jit import events, resting, settings

needs_llvm = pytest.mark.skipif(not settings.available(), reason="llvmlite is not installed")

#: Each runs once in the interpreter and once with everything compiled.
PROGRAMS = {
    "ints": """
def work(n):
    total = 0
    for i in range(n):
        total = (total * 3 + i) % 1000003
        if i % 7 == 3:
            total -= i // 3
    return total
print(work(500), work(3))
""",
    "overflow": """
def powers(n):
    x = 1
    seen = []
    while n:
        x = x * 3 - 1
        n -= 1
        if n % 10 == 0:
            seen.append(x)
    return seen
print(powers(120))
print([i << 5 for i in range(2 ** 57, 2 ** 57 + 20)], [-(2 ** 62) * i for i in range(-3, 4)])
""",
    "floats": """
def walk(n):
    x, y = 0.5, -0.0
    for i in range(1, n):
        x = x * 1.25 - i / 3
        y = y % 7.5 + x // 2.5
        if x > 1e6: x = float('nan')
        if x != x: x = 0.25
    return x, y
print(walk(300))
inf = float('inf')
t = 1.0
for i in range(2000):
    t *= 2.0
    if t == inf: print(i); break
""",
    "kinds change": """
def add(a, n):
    for i in range(n):
        a = a + i
        if i == 40: a = float(a)
        if i == 80: a = int(a)
        if i == 90: a = a * 10 ** 20
        if i == 100: a = a // 10 ** 20
    return a
print(add(0, 120), add(1.5, 20), add(True, 20))
""",
    "lists": """
def sieve(n):
    flags = [1] * n
    for i in range(2, n):
        if flags[i]:
            for j in range(i * i, n, i):
                flags[j] = 0
    return [i for i in range(2, n) if flags[i]]
print(sieve(300))
rows = [[i * j for j in range(6)] for i in range(6)]
total = 0
for row in rows:
    for item in row:
        total += item
print(total, rows[-1][-1])
""",
    "error in a loop": """
def last(items, n):
    total = 0
    for i in range(n):
        total += items[i]
    return total
try:
    last([1, 2, 3], 5)
except IndexError as error:
    print(error)
def divide(n):
    while True:
        n -= 1
        x = 100 // n
divide(30)
""",
    "calls": """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def deep(n):
    return deep(n + 1)
print(fib(15), fib(2.5), fib(True))
try:
    deep(0)
except RecursionError as error:
    print(error)
fib('x')
""",
    "recursion with an error": """
def down(n):
    if n == 0:
        return 1 // n
    return down(n - 1) + 1
down(20)
""",
    "names change": """
def one(x): return x + 1
def many(n):
    global one
    total = 0
    for i in range(n):
        total += one(i)
        if i == 50:
            one = lambda x: x * 2
    return total
print(many(100))
""",
    "objects": """
class Account:
    def __init__(self, n): self.n = n
    def add(self, k):
        self.n += k
        return self
    def __del__(self): print('gone', self.n)
def work(n):
    a = Account(0)
    for i in range(n):
        a = a.add(i) if i % 20 else Account(i)
    return a.n
print(work(70))
def gen(n):
    for i in range(n):
        yield i * i
print(sum(gen(50)), {k: v for k, v in zip('abc', gen(3))})
counts = {}
for c in 'hello world' * 10:
    counts[c] = counts.get(c, 0) + 1
print(counts)
""",
    "handlers": """
def work(n):
    caught = 0
    for i in range(n):
        try:
            if i % 3 == 0: raise ValueError(i)
            caught += 10 // (i % 5)
        except ZeroDivisionError:
            caught += 100
        except ValueError as e:
            caught += e.args[0]
        finally:
            caught += 1
    return caught
print(work(80))
""",
    "frames": """
import sys
class Noisy:
    def __del__(self):
        f = sys._getframe(1)
        print(f.f_code.co_name, f.f_locals.get('i'))
def work(n):
    x = None
    for i in range(n):
        if i % 8 == 2: x = Noisy()
        else: x = i
    return x
print(work(20))
""",
    "numbers only": """
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
def tak(x, y, z):
    if y >= x: return z
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
def power(x, n):
    if n == 0: return 1
    half = power(x, n // 2)
    return half * half if n % 2 == 0 else half * half * x
def half(x):
    if x < 0.001: return x
    return half(x / 2) + 1.0
def nothing(n):
    if n > 0: nothing(n - 1)
def either(n):
    if n < 0: return None
    if n == 0: return 1.5
    if n == 3: return False
    return either(n - 1)
def squares(n):
    t = 0
    for i in range(n):
        if i % 3 == 1: continue
        t += i * i
    return t
def work(n):
    t = 0
    for i in range(1, n):
        t += gcd(i * 12, 18) + squares(i % 9)
        half(float(i))
    return t
print(work(300), tak(8, 4, 2), power(3, 30), power(3, 200), power(2.5, 40), half(900.0), nothing(50))
print([either(i) for i in range(-2, 6)], gcd(10 ** 30, 15 ** 20), gcd(7.5, 2), gcd(True, 5), squares(4000), squares(-1))
""",
    "too deep": """
def sink(n):
    return sink(n + 1) + 1
def count(n):
    return 0 if n == 0 else count(n - 1) + 1
print(count(700))
for i in range(3):
    try:
        sink(i)
    except RecursionError as error:
        print(error)
print(count(900))
count(100000)
""",
    "an error far below": """
def down(n, k):
    if n == 0:
        return 7 % k
    return down(n - 1, k) * 2
def work():
    for i in range(60):
        down(i, 60 - i)
    for k in (3, 2, 1, 0):
        down(30, k)
work()
""",
    "names of numbers only": """
def twice(n):
    if n < 1: return 0
    return 2 + twice(n - 1)
def run(n):
    return [twice(i % 12) for i in range(n)]
old = twice
print(sum(run(200)))
def twice(n):
    return n * 100
print(sum(run(20)), old(5))
twice = old
print(sum(run(50)))
range = lambda n: iter([5, 6, 7])
print(run(3))
del range
old.__code__ = (lambda n: n - 1).__code__
print(run(4))
del twice
run(3)
""",
    "callers of all kinds": """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def gen(n):
    for i in range(n):
        yield fib(i)
class A:
    def __init__(self, n): self.n = fib(n)
    def __lt__(self, other): return fib(self.n % 9) < fib(other.n % 9)
print(list(gen(18)), sorted(range(12), key=fib), list(map(fib, range(14))), max([A(i) for i in range(12)]).n)
print({fib(i): fib(i + 1) for i in range(10)}, f'{fib(16)}', fib(n=15), fib(*[14]))
""",
    "cells, bools, lists that grow": """
def make():
    n, x, flag, box = 0, 0.5, False, None
    def step(k):
        nonlocal n, x, flag, box
        for i in range(k):
            n += i
            x = x * 1.5 if x < 1e9 else 0.5
            flag = not flag
            if i == 33: box = [i]
            if i == 44: n = n * 10 ** 18
            if i == 55: n = 0
        return n, x, flag, box
    return step
step = make()
print(step(30), step(30), step(80))
def unbound():
    def get(k):
        t = 0
        for i in range(k):
            t += later
        return t
    try: get(3)
    except NameError as error: print(error)
    later = 2
    print(get(40))
    later = 2.5
    print(get(40))
    del later
    get(2)
flags = [True] * 90
for i in range(2, 90):
    if flags[i]:
        for j in range(i * 2, 90, i): flags[j] = False
print(sum(flags), [f for f in flags if f is True][:3], [i * 2.0 for i in range(40)][-1], [i * i for i in range(50) if i & 1][-1])
big = []
for i in range(60): big.append(i * 2 ** 58)
t = 0
for b in big: t ^= b
print(t, sum(big))
unbound()
""",
    "closures": """
def make(k):
    total = 0
    def add(i):
        nonlocal total
        total += i * k
        return total
    return add
add = make(3)
for i in range(60):
    add(i)
print(add(0))
""",
}


@needs_llvm
@pytest.mark.parametrize("name", PROGRAMS)
def test_everything_compiled_gives_the_same(name):
    assert same_results.difference(PROGRAMS[name]) == ""


@needs_llvm
def test_a_loop_is_compiled_and_its_code_entered():
    jit = kr.JIT.eager()
    runtime = kr.Runtime(jit=jit)
    result = runtime.run("t = 0\nfor i in range(5000):\n    t += i * i\nt")
    assert result.value == sum(i * i for i in range(5000))
    stats = runtime.jit_stats()
    assert stats["available"] and stats["compiled"] >= 1 and stats["code_bytes"] > 0
    assert any(event["event"] == "compiled" and event["bytes"] for event in jit.log.events)


@needs_llvm
def test_a_function_of_numbers_calls_itself_without_frames():
    jit = kr.JIT.eager()
    result = kr.Runtime(jit=jit).run("def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(20)")
    assert result.value == 6765
    assert any(event["event"] == "compiled" and event["function"] == "fib" and event["plain"] for event in jit.log.events)


@needs_llvm
def test_frames_are_there_when_a_limit_ends_calls_without_them():
    source = "def f(n):\n    return 0 if n < 1 else f(n - 1) + f(n - 2)\ndef main(): return f(90)\nmain()"
    result = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=0.2)).run(source)
    assert result.error.type == "LimitExceeded"
    names = [frame.name for frame in result.error.frames]
    assert names[:2] == ["<module>", "main"] and len(names) > 20 and set(names[2:]) == {"f"}


@needs_llvm
def test_what_does_not_pay_is_not_compiled():
    jit = kr.JIT(background=False, loop_threshold=2000, call_threshold=500)
    runtime = kr.Runtime(jit=jit)
    runtime.run("d = {}\ndef work(n):\n    for i in range(n): d[str(i & 7)] = [i]\nwork(20000)", check=True)
    assert runtime.jit_stats()["compiled"] == 0 and runtime.jit_stats()["given_up"] >= 1


@needs_llvm
@pytest.mark.parametrize("source", [
    "while True: pass",
    "x = 0\nwhile True: x = (x + 1) % 1000",
    "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nf(60)",
    "def f(x):\n    while x: x += 0.5\nf(1.0)",
])
def test_time_limits_hold_in_compiled_code(source):
    runtime = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=0.3))
    began = time.monotonic()
    result = runtime.run(source)
    assert result.error is not None and result.error.type == "LimitExceeded", result.error
    assert time.monotonic() - began < 5


@needs_llvm
def test_what_a_limit_on_memory_stops_is_stopped_in_compiled_code():
    runtime = kr.Runtime(jit=kr.JIT.eager(), limits=kr.Limits(seconds=20, memory="16MB"))
    result = runtime.run("a = []\ni = 0\nwhile True:\n    i += 1\n    a.append(i * 1000)")
    assert result.error is not None and result.error.type == "LimitExceeded", result.error


@needs_llvm
def test_code_that_is_compiled_in_the_background_is_used():
    jit = kr.JIT(loop_threshold=1000, call_threshold=1000)
    runtime = kr.Runtime(jit=jit)
    until = time.monotonic() + 20
    with runtime.session() as session:
        session.run("def work(n):\n    t = 0\n    for i in range(n): t += i & 3\n    return t")
        while not runtime.jit_stats()["compiled"] and time.monotonic() < until:
            assert session.run("work(20000)").unwrap() == 30000
            time.sleep(0.02)
        assert session.run("work(20000)").unwrap() == 30000
    assert runtime.jit_stats()["compiled"] >= 1, jit.log.events


def test_without_the_back_end_everything_is_interpreted_and_the_host_is_told(monkeypatch):
    monkeypatch.setattr(settings, "available", lambda: False)
    with pytest.warns(RuntimeWarning, match=r"needs llvmlite; pip install 'kimi-runtime\[jit\]'"):
        runtime = kr.Runtime(jit=kr.JIT())
    assert runtime.run("sum(i for i in range(1000))").value == 499500
    stats = runtime.jit_stats()
    assert stats["available"] is False and stats["compiled"] == 0


def test_it_is_off_by_default_and_needs_settings_of_its_own():
    runtime = kr.Runtime()
    assert runtime.jit_stats() == {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kr.Runtime(jit=kr.JIT(enabled=False)).run("1 + 1").value == 2
    with pytest.raises(TypeError, match="jit must be a kimi_runtime.JIT or None, not bool"):
        kr.Runtime(jit=True)
    with pytest.raises(ValueError, match="loop_threshold must be a positive int, not 0"):
        kr.JIT(loop_threshold=0)
    with pytest.raises(ValueError, match="jit cannot be used with isolation='process'"):
        kr.Runtime(jit=kr.JIT(enabled=False), isolation="process")


@needs_llvm
def test_an_environment_variable_turns_it_on_for_all_runtimes():
    program = ("import kimi_runtime as kr; from kimi_runtime import _core\n"
               "print(kr.run('t = 0\\nfor i in range(3000): t += i\\nt').value, _core.hot_failures)")
    done = subprocess.run([sys.executable, "-c", program], env={"KIMI_JIT": "eager", "PYTHONPATH": ":".join(sys.path)},
                          capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "4498500 []\n"


@needs_llvm
@pytest.mark.parametrize(("value", "on"), [("1", True), ("on", True), ("eager", True), ("0", False), ("off", False)])
def test_the_environment_variable_has_a_word_for_each_way(value, on):
    program = ("import kimi_runtime as kr\n"
               "print(kr.Runtime().run('t = 0\\nfor i in range(4_000_000): t += i & 7\\nt').value)\n"
               "import sys; print('kimi_runtime.jit.queue' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", program], env={"KIMI_JIT": value, "PYTHONPATH": ":".join(sys.path)},
                          capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"14000000\n{on}\n"


def test_another_word_in_the_environment_variable_is_an_error():
    done = subprocess.run([sys.executable, "-c", "import kimi_runtime"], env={"KIMI_JIT": "quick", "PYTHONPATH": ":".join(sys.path)},
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "KIMI_JIT must be" in done.stderr and "'quick'" in done.stderr


def cli(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kimi_runtime", *arguments], env={"PYTHONPATH": ":".join(sys.path), **(env or {})},
                          capture_output=True, text=True, timeout=120, check=False)


@needs_llvm
def test_the_command_line_runs_programs_with_it_and_tells_of_compilations(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import sys\ndef f(n):\n    t = 0\n    for i in range(n): t += i & 3\n    return t\n"
                    "print(sum(f(1000) for _ in range(40)))\nsys.exit(3)\n")
    done = cli("run", "--print-compilation=json", str(path), env={"KIMI_JIT": "eager"})
    assert (done.stdout, done.returncode) == ("60000\n", 3)
    assert cli("run", "--jit", str(path)).stdout == "60000\n"
    assert cli("run", "--jit=3", str(path)).returncode == 2
    shown = cli("dis", "--jit", str(path))
    assert shown.returncode == 0 and "compiled  f @" in shown.stdout and "slice_is_over" in shown.stdout
    listed = json.loads(cli("dis", "--jit", "--json", str(path)).stdout)
    assert any(event["event"] == "compiled" and event["function"] == "f" and event["form"] for event in listed)


@needs_llvm
def test_events_have_a_line_for_people_and_one_of_json():
    event = {"at": 1.5, "event": "compiled", "function": "f", "instruction": 3, "reason": "hot", "spliced": ["a", "b"], "plain": False,
             "bytes": 100, "milliseconds": 2.25}
    assert events.as_line(event) == "   1500.0 ms  compiled  f @3  reason=hot  spliced=a,b  bytes=100  milliseconds=2.2"
    assert json.loads(events.as_json(event)) == event


@needs_llvm
@pytest.mark.parametrize("window, count", [(1000, 1), (0, 0)])
def test_in_the_first_part_of_a_session_less_is_enough(window, count):
    jit = kr.JIT(loop_threshold=4000, warmup_window=window, background=False)
    source = f"def f(t):\n    for i in range(2500): t += i & 3\n    return t\nf({window})"
    assert kr.Runtime(jit=jit).run(source).value == window + sum(i & 3 for i in range(2500))
    assert jit.log.functions == count


@needs_llvm
def test_memory_for_code_is_bounded():
    jit = kr.JIT.eager(max_code_bytes=1)
    kr.Runtime(jit=jit).run("def f(n):\n    for i in range(n): n ^= i\n    return n\ndef g(n):\n    while n > 3: n -= 3\n    return n\n"
                            "for k in range(50): f(k); g(k)", check=True)
    assert jit.log.functions == 1
    assert any(event["event"] == "given up" and event["reason"] == "the memory for code is used up" for event in jit.log.events)


@needs_llvm
def test_thresholds_are_lower_where_code_is_loaded(tmp_path):
    usual, kept = kr.JIT(), kr.JIT(folder=tmp_path)
    assert (usual.call_threshold, usual.loop_threshold) == (250_000, 1_000_000)
    assert (kept.call_threshold, kept.loop_threshold) == (5_000, 20_000)
    assert kr.JIT(folder=tmp_path, loop_threshold=7).loop_threshold == 7


@needs_llvm
def test_the_compiler_lets_others_run(monkeypatch):
    """Its thread gives the interpreter lock away again and again; a thread that compiles by itself does not."""
    rests = []
    monkeypatch.setattr(resting, "LONGEST", 0)
    monkeypatch.setattr(resting.time, "sleep", rests.append)
    source = "def f(n):\n    t = 0\n    for i in range(n):\n        if i & 1: t += i\n        else: t -= 1\n    return t\nf(99)\n"
    monkeypatch.setattr(resting, "_thread", 0)
    kr.Runtime(jit=kr.JIT.eager()).run(source, check=True)
    assert rests == []
    resting.begin()
    kr.Runtime(jit=kr.JIT.eager()).run(source + "# once more", check=True)
    assert len(rests) > 10
