# compile(optimize=...) and the options of ast.parse.
import ast

SOURCE = '''"doc"
def f(x):
    "doc of f"
    assert x, "no"
    return __debug__
class A:
    "doc of A"
    def m(self):
        """only"""
def g():
    if __debug__:
        return "debug"
    assert (lambda: 0)()
    return "optimized"
'''
for level in (-1, 0, 1, 2):
    space = {}
    exec(compile(SOURCE, "s", "exec", optimize=level), space)
    try:
        print(level, space["f"](0), end=" ")
    except AssertionError as error:
        print(level, repr(error), end=" ")
    print(space["__doc__"], space["f"].__doc__, space["A"].__doc__, space["A"].m.__doc__, space["g"]())
    print(eval(compile("__debug__ or 5", "s", "eval", optimize=level)), end=" ")
    print(eval(compile(ast.parse("[__debug__ for _ in 'ab']", mode="eval"), "s", "eval", optimize=level)))
for wrong in (3, -2):
    try:
        compile("1", "s", "exec", optimize=wrong)
    except ValueError as error:
        print(error)
print(ast.dump(ast.parse("x = 1", type_comments=True)))
for source in ("match x:\n  case 1: pass", "try: pass\nexcept* E: pass", "(a := 1)", "def f(a, /): pass", "x = 1", "lambda a, /: a"):
    for version in ((3, 7), (3, 9), (3, 11), 10, 12):
        try:
            ast.parse(source, feature_version=version)
            print(source.split()[0], version, "ok")
        except SyntaxError as error:
            print(source.split()[0], version, error.msg, error.lineno)
