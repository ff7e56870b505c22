class Color:
    RED = 1
    GREEN = "g"
    class Deep: BLUE = (3,)
LIMIT = 10
def f(x):
    match x:
        case 0: return "zero"
        case -1: return "minus one"
        case 1.5: return "float"
        case -2.5 | 3j: return "neg float or imag"
        case 1 + 2j: return "complex"
        case "a" | "b": return "a or b"
        case "con" "cat": return "concat"
        case b"bytes": return "bytes"
        case None: return "none"
        case True: return "true"
        case False: return "false"
        case Color.RED: return "red"
        case Color.GREEN: return "green"
        case Color.Deep.BLUE: return "deep"
        case """doc""": return "triple"
        case _: return "other"
for v in (0, -1, 1.5, -2.5, 3j, 1 + 2j, "a", "b", "concat", b"bytes", None, True, False, 1, "g", (3,), "doc", 0.0, 1.0, 100, [], "c", -0.0, 2 - 1, "", b"a"):
    print(repr(v), f(v))
def is_true(x):
    match x:
        case True: return "is True"
        case 1: return "== 1"
        case None: return "is None"
    return "fell through"
print(is_true(1), is_true(True), is_true(1.0), is_true(None), is_true(0))
class Eq:
    def __init__(self, v): self.v = v
    def __eq__(self, o): print("eq", o, end=" "); return o == self.v
def g(x):
    match x:
        case 5: return "five"
        case "s": return "s"
        case None: return "None is identity"
        case _: return "nothing"
print(g(Eq(5)), g(Eq("s")), g(Eq(None)))
match 3:
    case 1: print("no")
print("no match is fine")
try:
    match 1:
        case Color.NOPE: pass
except AttributeError as e: print(e)
match = 5; case = 6; _ = 7; type = "soft"
print(match, case, _, type, match + case)
match (1):
    case (1): print("parens")
match -match:
    case -5: print("unary subject")
match [1, 2][0], "x":
    case 1, "x": print("tuple subject")
match match:
    case case: print("capture named case", case)
