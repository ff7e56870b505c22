"""The node classes: generated files, construction from Python, fields of the host's ``ast``."""
import ast
import pathlib
import subprocess
import sys

import pytest
from kimi_runtime.syntax.parser import parse

from kimi_runtime.syntax import nodes
from kimi_runtime.syntax.dump import dump

ROOT = pathlib.Path(__file__).parents[2]


def test_generated_files_are_current():
    done = subprocess.run([sys.executable, ROOT / "tools" / "gen_nodes.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_fields_are_those_of_ast():
    for name, cls in nodes.NODE_CLASSES.items():
        theirs = getattr(ast, name, None)
        if theirs is None or name == "Node":
            continue
        fields = [field for field in cls._fields if field in theirs._fields]
        assert fields == list(theirs._fields), name
        assert cls._attributes == theirs._attributes, name
        newer = set(cls._fields) - set(theirs._fields)
        assert newer <= {"type_params", "default_value"}, name


def test_every_class_of_ast_has_a_node():
    groups = (ast.mod, ast.stmt, ast.expr, ast.pattern, ast.excepthandler)
    left_out = {"FunctionType", "TemplateStr", "Interpolation", "Num", "Str", "Bytes", "NameConstant", "Ellipsis",
                "Suite", "Index", "ExtSlice"}
    for group in groups:
        for cls in group.__subclasses__():
            assert cls.__name__ in nodes.NODE_CLASSES or cls.__name__ in left_out


def test_construction():
    node = nodes.BinOp(nodes.Name("a"), nodes.OPERATORS.index("Mult"), nodes.Constant(value=2, kind="u"), lineno=3)
    assert dump(node) == ast.dump(ast.BinOp(ast.Name("a", ast.Load()), ast.Mult(), ast.Constant(2, kind="u")))
    assert node.lineno == 3 and node.right.kind == "u"
    assert nodes.KIND_NAMES[node.node_kind] == "BinOp"
    assert nodes.Call(nodes.Name("f")).args == []
    assert nodes.Return().value is None
    with pytest.raises(TypeError, match="at most 1"):
        nodes.Return(None, None)
    with pytest.raises(TypeError, match="no field 'x'"):
        nodes.Pass(x=1)
    with pytest.raises(TypeError):
        nodes.Return(value="not a node")


def test_names_are_interned():
    first, second = (parse(f"some_longer_name_{'x' * n} = some_longer_name_{'x' * n}").body[0] for n in (3, 60))
    for node in (first, second):
        assert node.targets[0].id is node.value.id is sys.intern(node.value.id)


def test_trees_can_be_freed_in_any_order():
    tree = parse("def f(a):\n    return [a, {a: (a,)}]\n")
    part = tree.body[0].body[0].value
    del tree
    assert dump(part) == ast.dump(ast.parse("[a, {a: (a,)}]").body[0].value)
