import ast
src = '''
import os, sys as s
from a.b import *
@dec(1)
class A(B, metaclass=C):
    """doc"""
    x: int = 1
    def f(self, a, /, b=2, *args, c, d=3, **kw) -> int:
        return [i for i in range(10) if i] + [*args]
async def g():
    async with x as y, z: await q
    async for i in j: pass
    else: return
try:
    pass
except (A, B) as e: raise X from e
else: a
finally: b
for i, (a, *b) in c: continue
while not x: break
with a as (b, c): pass
match p:
    case [1, -2, *rest] if x: pass
    case {"a": 1, **kw}: pass
    case A(1, b=None) | 3+4j: pass
    case _: pass
x = f"{a!r:{w}s} {b=}" f'q'
del a, b[1:2, ...]
lambda *a, k=1: (yield)
global q
a if b else c
x @= 1 << 2 ** ~3
a < b <= c is not d not in e
{1: 2, **z}; {1, 2}; (1,); b'x'; 1.5j; u'k'
print(*a, **k)
(y := 3)
assert a, b
'''
t = ast.parse(src)
print(ast.dump(t))
print(ast.dump(t, indent=2, include_attributes=True))
print(ast.unparse(t))
print(ast.literal_eval("{'a': [1, 2.5, -3], 'b': (None, True), 'c': {1, 2}, 'd': b'x', 'e': 1+2j}"))
for bad in ("f()", "a", "1+1", "[1, x]"):
    try: ast.literal_eval(bad)
    except ValueError as e: print(type(e).__name__)
class V(ast.NodeVisitor):
    def __init__(self): self.names = []
    def visit_Name(self, n): self.names.append((n.id, n.lineno, n.col_offset)); self.generic_visit(n)
v = V(); v.visit(t); print(v.names)
class T(ast.NodeTransformer):
    def visit_BinOp(self, n):
        self.generic_visit(n)
        if isinstance(n.op, ast.Add): return ast.copy_location(ast.BinOp(n.left, ast.Mult(), n.right), n)
        return n
    def visit_Constant(self, n):
        if type(n.value) is int: return ast.copy_location(ast.Constant(n.value + 1), n)
        return n
e = T().visit(ast.parse("2 + 3 - 4", mode="eval"))
print(eval(compile(e, "<x>", "eval")), ast.unparse(e))
m = ast.Module([ast.Assign([ast.Name("zz", ast.Store())], ast.Call(ast.Name("len", ast.Load()), [ast.List([ast.Constant(1)], ast.Load())], []))], [])
ast.fix_missing_locations(m)
ns = {}
exec(compile(m, "<x>", "exec"), ns); print(ns["zz"])
f = ast.FunctionDef("fn", ast.arguments([], [ast.arg("a")], None, [], [], None, []), [ast.Return(ast.BinOp(ast.Name("a", ast.Load()), ast.Mult(), ast.Constant(3)))], [])
m = ast.fix_missing_locations(ast.Module([f], []))
exec(compile(m, "<x>", "exec"), ns); print(ns["fn"](5), ns["fn"].__code__.co_filename)
print(sorted(type(n).__name__ for n in ast.walk(t))[:40])
print(list(ast.iter_fields(t.body[2]))[0], ast.get_docstring(t.body[2]))
print(isinstance(ast.Constant(3), ast.Num), isinstance(ast.Constant("x"), ast.Str))
n = ast.Name("x", ast.Load())
print(n._fields, ast.Name.__match_args__, n.id, type(n.ctx).__name__, ast.Name.__module__, ast.Name.__doc__)
match n:
    case ast.Name(id=q): print("matched", q)
import copy
c = copy.deepcopy(t); print(ast.dump(c) == ast.dump(t), c is not t)
def att(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for x in (lambda: ast.Name(1,2,3), lambda: ast.Name('a',id='b'), lambda: compile(ast.Expression(ast.Name('x',ast.Load())),'','eval'), lambda: compile(ast.Module([],[]),'','eval'), lambda: compile(ast.Expression(ast.Constant(value=[1],lineno=1,col_offset=0)),'','eval'),
 lambda: compile(ast.Module([ast.Assign([ast.Name('x',ast.Load(),lineno=1,col_offset=0)],ast.Constant(1,lineno=1,col_offset=0),lineno=1,col_offset=0)],[]),'','exec'),
 lambda: compile(ast.Module([ast.Assign([],ast.Constant(1,lineno=1,col_offset=0),lineno=1,col_offset=0)],[]),'','exec'),
 lambda: compile(ast.Module(5,[]),'','exec'), lambda: compile(ast.Module([None],[]),'','exec'), lambda: compile(ast.Module([ast.Global([],lineno=1,col_offset=0)],[]),'','exec'), lambda: compile(ast.Module([ast.Global([1],lineno=1,col_offset=0)],[]),'','exec'), lambda: compile(ast.Module([ast.Expr(lineno=1,col_offset=0)],[]),'','exec'), lambda: compile(ast.Module([ast.Expr(ast.Name('True',ast.Load(),lineno=1,col_offset=0),lineno=1,col_offset=0)],[]),'','exec'),
 lambda: ast.parse("a b"), lambda: ast.parse("x = ", "file"), lambda: ast.Name().id, lambda: compile(3, "", "exec")):
    att(x)
print(ast.get_source_segment(src, t.body[2].body[1]))
print(ast.PyCF_ONLY_AST, compile("1", "", "eval", ast.PyCF_ONLY_AST).body.value)
