"""Argument binding against CPython: the same values, or the same TypeError."""
import itertools
import random

import pytest

from kimi_runtime.objects import binding, function

SIGNATURES = [
    "", "a", "a, b", "a, b, c", "a=1", "a, b=2", "a, b=2, c=3", "a, /", "a, /, b", "a, b, /, c=3", "a=1, /", "a=1, b=2, /",
    "*, k", "*, k, l", "*, k=1", "*, k, l=2", "*, k=1, l, m", "a, *, k", "a, b=2, *, k, l=4", "*args", "a, *args",
    "a, b=2, *args", "*args, k", "*args, k=1", "**kw", "a, **kw", "a, /, **kw", "a, b=1, /, c=2, **kw", "*args, **kw",
    "a, /, b, *args, k, l=5, **kw", "a, b, c, d, e, f, g", "a, b, *, k, l, m", "aa, bb, cc, /, dd=4, *, ee=5, **kw",
]
NAMES = ["a", "b", "c", "k", "l", "m", "args", "kw", "zz", "aa", "dd", "ee"]


def pair(signature):
    space = {}
    exec(f"def f({signature}): return list(locals().values())", space)
    host = space["f"]
    guest = function.make_function(binding.code_for_test(host), {}, "f")
    guest.__defaults__, guest.__kwdefaults__ = host.__defaults__, host.__kwdefaults__
    return host, guest


def outcome(action):
    try:
        return action()
    except TypeError as error:
        return str(error)


def calls():
    yield from ((tuple(range(n)), {}) for n in range(10))
    for n, count in itertools.product(range(5), range(1, 4)):
        for names in itertools.combinations(NAMES, count):
            yield tuple(range(n)), {name: f"v{name}" for name in names}


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("how, shift", [("objects", 0), ("dict", 0), ("values", 0), ("values", 1), ("values", -1),
                                        ("values", 3), ("values", -5), ("values_dict", 0), ("values_dict", 2)])
def test_every_call(signature, how, shift):
    host, guest = pair(signature)
    cases = list(calls())
    random.Random(1).shuffle(cases)
    for args, kwargs in cases[:500]:
        expected = outcome(lambda: host(*args, **kwargs))
        assert outcome(lambda: binding.bind_for_test(guest, args, kwargs, how, shift)) == expected, (args, kwargs)


@pytest.mark.parametrize("how", ["objects", "values"])
def test_many_arguments(how):
    host, guest = pair("a, *args, k=1")
    args = tuple(range(100))
    assert binding.bind_for_test(guest, args, {"k": 5}, how) == [0, 5, args[1:]] and host(*args, k=5) == [0, 5, args[1:]]


def test_similar_keyword():
    host, guest = pair("first, second=1, *, third=3")
    for name in ("frist", "seconds", "thrid", "else_", "q"):
        expected = outcome(lambda: host(1, **{name: 1}))
        assert outcome(lambda: binding.bind_for_test(guest, (1,), {name: 1})) == expected


def test_kinds_of_values():
    _, guest = pair("a, b, c, d, e")
    values = (None, 2**80, 1.5, True, [1])
    assert binding.bind_for_test(guest, values, {}, "values") == list(values)


def test_keyword_that_is_no_string():
    host, guest = pair("**kw")
    expected = outcome(lambda: host(**{1: 2}))
    assert expected == "keywords must be strings"       # CPython checks before the call; ours names the function
    assert outcome(lambda: binding.bind_for_test(guest, (), {1: 2}, "dict")) == "f() keywords must be strings"
