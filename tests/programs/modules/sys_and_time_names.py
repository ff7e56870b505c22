import sys, time
import math as m
from math import sqrt as root, pi
from time import time as now, sleep
print(sys.version_info >= (3, 11), sys.version_info.major, sys.maxsize == 2**63 - 1, sys.getrecursionlimit() > 100, sys.byteorder, sys.float_info.max, sys.float_info.epsilon, sys.implementation is not None, len(sys.version) > 0, sys.stdout is not None, type(sys.argv).__name__ if hasattr(sys, "argv") else "list")
print(root(16), round(pi, 5), m.floor(-1.5), now() > 1e9, time.perf_counter() <= time.perf_counter(), time.monotonic() > 0, sleep(0), time.process_time() >= 0, type(time.time_ns()).__name__)
print(m.__name__, time.__name__, sys.__name__, type(m).__name__, m is __import__("math") if "__import__" in dir(__builtins__) else True)
import math
print(math is m, math.sqrt is root, hasattr(math, "cos"), getattr(math, "nope", "dflt"), "pi" in dir(math), math.pi == pi)
def local():
    import math
    from math import (sin, cos,)
    return sin(0) + cos(0), math.gcd(12, 8)
print(local())
for src in ("import nope_mod", "from math import nope", "import math.nope", "from nope_mod import x", "math.nope", "from . import x", "import math as", "from math import *\nprint(floor(2.5), tau > 6)"):
    try: exec(src); print("ok", src)
    except Exception as e: print(src, type(e).__name__, e if "math.nope" in src or "nope_mod" in src else "")
class C:
    import math as inner
    from math import e as euler
print(C.inner.pi == math.pi, round(C.euler, 3))
try: import fast_json_lib as json_lib
except ImportError: json_lib = None
print(json_lib)
try: from math import does_not_exist
except ImportError as e: print(type(e).__name__, e.name)
try: import does.not_.exist
except ModuleNotFoundError as e: print(e, e.name)
print(sys.intern("abc") == "abc" if hasattr(sys, "intern") else True, sys.getsizeof([]) > 0 if hasattr(sys, "getsizeof") else True)
