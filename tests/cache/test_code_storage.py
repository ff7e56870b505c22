"""Code objects as bytes: the same code comes back, and nothing else is read."""

from __future__ import annotations

import random
import re
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kimi_runtime as kr
from kimi_runtime import _core, engine
from kimi_runtime.bytecode import storage
from kimi_runtime.bytecode.disassembler import disassemble

LIBRARY = Path(sysconfig.get_path("stdlib"))
PROGRAMS = sorted((Path(__file__).parent.parent / "programs").rglob("*.py"))


def listing(code):
    return re.sub(r" at 0x[0-9a-f]+", "", disassemble(code))


def compiled(source, mode="exec"):
    return engine.compile_source(source, "<test>", mode)


@pytest.mark.parametrize("name", ["argparse.py", "dataclasses.py", "pydoc.py", "typing.py", "asyncio/base_events.py", "enum.py"])
def test_library_files(name):
    code = compiled((LIBRARY / name).read_text())
    data = storage.dump(code)
    again = storage.load(data)
    assert storage.dump(again) == data
    assert listing(again) == listing(code)


def test_golden_programs_run_from_bytes():
    chosen = random.Random(1).sample(PROGRAMS, 40)
    for path in chosen:
        source = path.read_text()
        try:
            code = compiled(source)
        except SyntaxError:
            continue
        outputs = []
        for each in (code, storage.load(storage.dump(code))):
            result = kr.Runtime().run("1")
            context = kr.runtime.RunContext()
            namespace = engine.new_namespace(context)
            try:
                _core.run_code(each, namespace)
                failure = None
            except BaseException as error:
                failure = engine.describe(error).traceback
            outputs.append((context.stdout_parts, failure))
            assert result.ok
        if "0x" not in str(outputs):        # addresses differ from run to run
            assert outputs[0] == outputs[1], path


def test_every_golden_program_has_a_listing():
    for path in PROGRAMS:
        try:
            assert listing(compiled(path.read_text())).startswith("code <module>")
        except SyntaxError:
            pass


CONSTANTS = [
    "None", "True", "...", "-1", "2**62", "2**63", "-2**200", "1.5", "-0.0", "1e999", "2j", "'a'", "'\\ud800'", "'x y'", "b'\\x00\\xff'",
    "(1, 'a', (2.5, None))", "x in {1, 2, 3}", "x[1:2, ::3]", "sum(i for i in x)", "any(i for i in x)",
]


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants(text):
    code = compiled(f"x = [1]\nlambda: {text}")
    data = storage.dump(code)
    assert listing(storage.load(data)) == listing(code)


def test_what_is_cut_off_or_changed_is_an_error():
    data = storage.dump(compiled("def f(a, *b, c=1):\n    return [a + i for i in b if c in {1, 2}]\nclass A: x = 'text'\n" * 3))
    for size in range(0, len(data), 7):
        with pytest.raises(ValueError):
            storage.load(data[:size])
    with pytest.raises(ValueError):
        storage.load(data + b"\0")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        storage.load(data)
    except ValueError:
        pass


def test_weight_grows_with_the_source():
    small, large = compiled("x = 1"), compiled("def f():\n    return [1, 'two', 3.5]\n" * 100)
    assert 200 < storage.weigh(small) < 2500
    assert storage.weigh(large) > 100 * 200
    text = "'" + "a b" * 10000 + "'"
    assert storage.weigh(compiled(f"x = {text}")) > 60000
