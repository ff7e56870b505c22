"""The host's garbage collector works while a guest runs nothing but guest code: from 3.12 on it starts only at safepoints."""
import gc

import pytest

import kimi_runtime as kr

MAKE = """
class Counted:
    made = gone = 0

    def __init__(self):
        self.me = self
        Counted.made += 1

    def __del__(self):
        Counted.gone += 1
"""

LOOPS = {
    "while": "i = 0\nwhile i < 50_000:\n    Counted()\n    i += 1",
    "for": "for i in range(50_000):\n    Counted()",
    "calls": "def f(n):\n    Counted()\n    return n and f(n - 1)\nfor i in range(100):\n    f(500)",
    "generator": "def g():\n    for i in range(50_000):\n        Counted()\n        yield i\nfor i in g():\n    pass",
    "comprehension": "[Counted() and None for i in range(50_000)]",
    "native loop": "list(map(lambda i: Counted() and None, range(50_000)))",
}


@pytest.mark.parametrize("name", LOOPS)
def test_cycles_are_collected_while_a_guest_loops(name):
    assert gc.isenabled()
    result = kr.run(f"{MAKE}\n{LOOPS[name]}\nCounted.made, Counted.gone", check=True)
    made, gone = result.value
    assert made >= 50_000 and gone > 0.8 * made


def test_a_finalizer_may_make_more():
    source = """
class Phoenix:
    left = 3000

    def __init__(self):
        self.me = self

    def __del__(self):
        if Phoenix.left:
            Phoenix.left -= 1
            Phoenix()

for i in range(100):
    Phoenix()
i = 0
while Phoenix.left and i < 300_000:
    i += 1
    [i]
    x = Phoenix() if i % 10 == 0 else None
Phoenix.left
"""
    assert kr.run(source, check=True).value == 0
