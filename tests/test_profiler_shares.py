"""Programs whose true shares are known, because they measure their parts themselves: the profile must say the same, within 5 points."""
import time

import pytest

import kimi_runtime as kr

pytestmark = pytest.mark.unsteady

POINTS = 0.05
INTERVAL = 0.0005
SECONDS = 0.8           # of the processor

#: Each program ends in a dictionary: what it is about -> seconds by its own clock. Lines that are measured end in `# <name>`.
PROGRAMS = {
    "functions in turns": """
import time
now = time.perf_counter
spent = {"small": 0.0, "middle": 0.0, "large": 0.0}
def small(n):
    x = 1
    for i in range(n): x = (x * 3 + i) % 1009 # small
    return x
def middle(n):
    x = 1
    for i in range(n): x = (x * 3 + i) % 1009 # middle
    return x
def large(n):
    x = 1
    for i in range(n): x = (x * 3 + i) % 1009 # large
    return x
for turn in range(40):
    for function, n in ((small, 10_000), (middle, 30_000), (large, 60_000)):
        begun = now()
        function(n)
        spent[function.__name__] += now() - begun
spent
""",
    "native code between instructions": """
import time
now = time.perf_counter
rows = list(range(60_000, 0, -1))
spent = {"ordering": 0.0, "joining": 0.0, "counting": 0.0}
def ordering():
    return sorted(rows) # ordering
def joining():
    return ",".join(map(str, rows)) # joining
def counting():
    n = 0
    for row in rows: n += row & 3 # counting
    return n
for turn in range(50):
    for function in (ordering, joining, counting):
        begun = now()
        function()
        spent[function.__name__] += now() - begun
spent
""",
    "generators and comprehensions": """
import time
now = time.perf_counter
spent = {"produce": 0.0, "squares": 0.0, "listed": 0.0}
def produce(n):
    x = 0
    for i in range(n):
        begun = now()
        for k in range(400): x = (x + k) & 65535 # produce
        spent["produce"] += now() - begun
        yield x
def squares(n):
    total = 0
    for each in produce(n):
        begun = now()
        for k in range(800): total = (total + each) & 65535 # squares
        spent["squares"] += now() - begun
    return total
def listed(n):
    begun = now()
    for k in range(n): made = [i * i for i in range(400)] # listed
    spent["listed"] += now() - begun
for turn in range(40):
    squares(80)
    listed(60)
spent
""",
    "methods and recursion": """
import time
now = time.perf_counter
spent = {"Tree.walk": 0.0, "Counter.step": 0.0}
class Tree:
    def __init__(self, depth):
        self.left = Tree(depth - 1) if depth else None
        self.right = Tree(depth - 1) if depth else None
    def walk(self):
        return 1 + (self.left.walk() + self.right.walk() if self.left else 0) # Tree.walk
class Counter:
    def __init__(self):
        self.value = 0
    def step(self, n):
        while self.value < n: self.value += 1 # Counter.step
        self.value = 0
tree, counter = Tree(9), Counter()
for turn in range(300):
    begun = now()
    tree.walk()
    middle = now()
    counter.step(12_000)
    spent["Tree.walk"] += middle - begun
    spent["Counter.step"] += now() - middle
spent
""",
    "the host": """
import time
now = time.perf_counter
spent = {"asks": 0.0, "works": 0.0}
def asks():
    wait() # asks
def works():
    x = 0
    for i in range(20_000): x ^= i # works
for turn in range(50):
    begun = now()
    asks()
    middle = now()
    works()
    spent["asks"] += middle - begun
    spent["works"] += now() - middle
spent
""",
}

#: Parts that are, all but a few instructions, nodes of one kind.
KINDS = """
import time
now = time.perf_counter
spent = {"BinOp": 0.0, "Compare": 0.0, "Subscript": 0.0, "Call": 0.0, "Attribute": 0.0}
big = 3 ** 60_000
rows, same = list(range(40_000)), list(range(40_000))
class Point: x = 1
def operators(n, a, b):
    for i in range(n):
        c = a * b; c = a - b; c = a ^ b; c = a | b; c = a * b; c = a - b; c = a ^ b; c = a | b; c = a * b; c = a - b; c = a ^ b; c = a | b
        c = a * b; c = a - b; c = a ^ b; c = a | b; c = a * b; c = a - b; c = a ^ b; c = a | b; c = a * b; c = a - b; c = a ^ b; c = a | b
def lookups(n, p):
    for i in range(n):
        p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x
        p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x; p.x
for turn in range(40):
    a = now()
    operators(4_000, turn + 7, 5)
    b = now()
    for i in range(6): rows == same
    c = now()
    for i in range(20): rows[1:]
    d = now()
    for i in range(4): sorted(rows)
    e = now()
    lookups(1_500, Point())
    f = now()
    spent["BinOp"] += b - a; spent["Compare"] += c - b; spent["Subscript"] += d - c; spent["Call"] += e - d; spent["Attribute"] += f - e
spent
"""


def wait():
    """A function of the host."""
    time.sleep(0.002)


def measure(source):
    """A profile of as many runs as make enough samples, and what the programs say of all of them."""
    rt = kr.Runtime(functions={"wait": wait}, limits=None)
    rt.run("import time", check=True)
    spent = {}
    begun = time.process_time(), time.perf_counter()
    with rt.profile(interval=INTERVAL) as p:
        while time.process_time() - begun[0] < SECONDS and time.perf_counter() - begun[1] < 4 * SECONDS:
            result = rt.run(source)
            assert result.ok, result.error
            for name, seconds in result.value.items():
                spent[name] = spent.get(name, 0.0) + seconds
    print(f"\n{len(p.data['samples'])} samples, {p.seconds:.3f} s, {sum(spent.values()):.3f} s measured")
    assert sum(spent.values()) > p.seconds * 0.9, "the parts are the program"
    return p, spent


def compare(true, found):
    """True and reported amounts: their shares within 5 points."""
    for name, seconds in true.items():
        print(f"{name:>16} {seconds / sum(true.values()):7.1%} {found[name] / sum(found.values()):7.1%}")
    for name, seconds in true.items():
        assert found[name] / sum(found.values()) == pytest.approx(seconds / sum(true.values()), abs=POINTS), name


@pytest.mark.parametrize("name", PROGRAMS)
def test_shares_by_function_and_line(name):
    source = PROGRAMS[name]
    p, spent = measure(source)
    data = p.data
    numbers = {text.rpartition("# ")[2]: number for number, text in enumerate(source.split("\n"), 1) if "# " in text}
    # Native and host functions count for the guest's function that calls them.
    by_function = dict.fromkeys(spent, 0.0)
    for sample in data["samples"]:
        stack = sample["stack"]
        while stack > 0:
            function = data["functions"][data["frames"][data["stacks"][stack]["frame"]]["function"]]["name"]
            if function in by_function:
                by_function[function] += sample["seconds"]
                break
            stack = data["stacks"][stack]["parent"]
    compare(spent, by_function)
    compare(spent, {part: p.line(numbers[part])["seconds"] for part in spent})


def test_shares_by_kind_of_node():
    p, spent = measure(KINDS)
    rows = {row["kind"]: row["seconds"] for row in p.data["by_node_kind"]}
    compare(spent, {kind: rows[kind] for kind in spent})
    assert sum(rows[kind] for kind in spent) / p.seconds > 0.9
