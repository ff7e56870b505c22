"""Objects whose parts share parts: 2**100 paths in a hundred lists. C code that visits each path is not begun, or is stopped."""
import subprocess
import sys

import pytest

import kimi_runtime as kr

DEEP = 100
TUPLE = f"x = ()\nfor _ in range({DEEP}): x = (x, x)\n"
LIST = f"x = []\nfor _ in range({DEEP}): x = [x, x]\n"
DICT = f"x = {{}}\nfor _ in range({DEEP}): x = {{1: x, 2: x}}\n"
CLASSES = f"x = (str,)\nfor _ in range({DEEP}): x = (x, x)\n"
GROUP = f"x = ValueError()\nfor _ in range({DEEP}): x = ExceptionGroup('a', [x, x])\n"
TWO_LISTS = LIST + LIST.replace("x", "y")
PROGRAMS = {
    "isinstance": CLASSES + "isinstance(1, x)",
    "issubclass": CLASSES + "issubclass(int, x)",
    "isinstance by map": CLASSES + "import functools\nlist(map(functools.partial(isinstance, 1), [x]))",
    "json of lists": "import json\n" + LIST + "json.dumps(x)",
    "json of tuples": "import json\n" + TUPLE + "json.dumps(x)",
    "json of None": "import json\n" + LIST.replace("[]", "[None]") + "json.dumps(x)",
    "json without markers": "import json\n" + LIST + "json.dumps(x, check_circular=False)",
    "json of dicts": "import json\n" + DICT + "json.dumps(x)",
    "json to a file": "import json, io\n" + LIST + "json.dump(x, io.StringIO())",
    "split": GROUP + "x.split(OSError)",
    "subgroup": GROUP + "x.subgroup(lambda e: False)",
    "except*": GROUP + "try: raise x\nexcept* OSError: pass",
    "hash": TUPLE + "hash(x)",
    "equal": TWO_LISTS + "x == y",
    "less": TWO_LISTS + "x < y",
    "in": TWO_LISTS + "y in [x]",
    "repr": TUPLE + "repr(x)",
    "repr of dicts": DICT + "repr(x)",
    "repr of deques": "import collections\n" + LIST.replace("[x, x]", "collections.deque([x, x])") + "repr(x)",
    "slices": f"x = y = slice(1)\nfor _ in range({DEEP}): x = slice(x, x); y = slice(y, y)\nx == y",
    "generic": f"x = list[int]\nfor _ in range({DEEP}): x = dict[x, x]\nrepr(x)",
    "key of a dict": TUPLE + "{x: 1}",
    "the result": LIST + "x",
}
PROGRAM = """
import sys
import kimi_runtime as kr
error = kr.run(sys.stdin.read(), limits=kr.Limits(seconds=0.3, memory="40MB")).error
print(error.limit or error.type)
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_ends(name):
    # In a process that can be killed: what fails here does not end.
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=PROGRAMS[name], capture_output=True, text=True, timeout=30)
    assert done.stdout.strip() in ("seconds", "memory", "result_size", "MemoryError", "RecursionError"), done.stderr


def test_what_shares_little_is_done():
    source = ("import json\nx = [1, None, (True, {'a': []}), {}]\nfor _ in range(8): x = [x, x, {'k': x}]\n"
              "y = (int, (str, (bytes, (list,))))\nz = (y, y, y)\n"
              "g = ExceptionGroup('a', [ValueError(), ExceptionGroup('b', [OSError(), KeyError()])])\n"
              "print(len(json.dumps(x)), isinstance('', z), issubclass(dict, z), g.split(OSError)[0].exceptions, g.subgroup(TypeError))")
    host = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert kr.run(source, limits=kr.Limits(seconds=5), check=True).stdout == host.stdout


@pytest.mark.parametrize("circular", (True, False))
def test_cycles_are_the_encoder_s_to_tell(circular):
    source = f"import json\nx = [[]]\nx.append({{'a': x}})\ntry: json.dumps(x, check_circular={circular})\nexcept Exception as e: print(type(e).__name__)"
    host = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert kr.run(source, check=True).stdout == host.stdout
