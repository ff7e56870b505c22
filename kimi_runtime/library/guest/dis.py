"""What `inspect` needs of `dis`. Bytecode of the host does not exist here, so the rest is left out."""
import collections

COMPILER_FLAG_NAMES = {
    1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS", 16: "NESTED", 32: "GENERATOR", 64: "NOFREE",
    128: "COROUTINE", 256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR"}

Positions = collections.namedtuple(
    "Positions", "lineno end_lineno col_offset end_col_offset", defaults=(None, None, None, None))
