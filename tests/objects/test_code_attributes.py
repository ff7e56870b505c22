"""What code objects show of a signature, read by inspect as from a function of CPython's."""
import copy
import inspect
import pickle
import types

import pytest

from kimi_runtime.objects import binding, function

SIGNATURES = ["", "a", "a, b=2", "a, /, b, *, c=3", "*args, **kw", "a: int, *, b: str = 'x'"]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_signature(signature):
    space = {}
    exec(f"def f({signature}): pass", space)
    host = space["f"]
    code = binding.code_for_test(host)
    guest = function.make_function(code, {}, "f")
    guest.__defaults__, guest.__kwdefaults__ = host.__defaults__, host.__kwdefaults__
    guest.__annotations__ = host.__annotations__
    assert inspect.signature(guest) == inspect.signature(host)
    for name in ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_varnames", "co_nlocals", "co_name",
                 "co_qualname", "co_freevars", "co_cellvars"):
        assert getattr(code, name) == getattr(host.__code__, name)
    assert code.co_flags & 12 == host.__code__.co_flags & 12


def test_code_object():
    code = binding.code_for_test(test_code_object)
    assert type(code).__name__ == "code" and isinstance(code, types.CodeType)
    assert copy.copy(code) is code and copy.deepcopy(code) is code
    with pytest.raises(TypeError, match="cannot pickle code objects"):
        pickle.dumps(code)
    with pytest.raises(NotImplementedError):
        code.replace(co_consts=())
    assert list(code.co_lines()) == list(code.co_positions()) == []


def test_empty_code_makes_no_function():
    code = binding.code_for_test(test_code_object)
    with pytest.raises(ValueError):
        function.Function(code, {})
    with pytest.raises(ValueError):
        function.make_function(code, {}).__code__ = code
