# What builtin functions say about arguments that do not fit.
import types

CALLS = """
compile() | compile(1, x=1) | compile(1, 2, 3, x=1) | compile(1, 2, 3, 4, 5, 6, x=1) | compile(1, 2, 3, source=1)
compile(*range(7)) | compile(*range(8)) | compile(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8) | compile("1", "f", "eval", _feature_version=1.5)
open() | open(x=1) | open(1, x=1) | open(*range(12)) | open(*range(8), x=1) | open(1, file=2)
__import__() | __import__(x=1) | __import__(1, x=1) | __import__(*range(12)) | __import__(1, 2, 3, 4, 5, x=1) | __import__("a", name="b")
__import__(1, x=1, y=1) | types.FunctionType() | types.FunctionType(x=1) | types.FunctionType(1, x=1)
types.FunctionType(1, 2, 3, 4, 5, 6, 7, 8) | dir(x=1) | dir(1, 2) | vars(x=1) | vars(1, 2) | vars(1) | exec() | exec(1, 2, 3, 4) | eval()
"""
for call in CALLS.replace("\n", " | ").split(" | "):
    try:
        print(call, "=", eval(call) if call else "")
    except PermissionError:
        print(call, "is not for all")
    except Exception as error:
        print(call, "!", type(error).__name__, error)

function = types.FunctionType((lambda a, b=1, *, c=2: (a, b, c)).__code__, {}, "named", (5,))
function.__kwdefaults__ = {"c": 3}
print(function(1), function.__name__, function.__kwdefaults__)
try:
    print(types.FunctionType(function.__code__, {}, None, None, None, {"c": 4})(1, 2))
except TypeError as error:
    print(error if "at most 5" in str(error) else "another error")
