"""Random programs that fail show the same traceback text, source lines and markers included, as on CPython."""

from __future__ import annotations

import builtins
import contextlib
import io
import linecache
import pathlib
import sys
import traceback
import warnings

import pytest

pytest.importorskip("hypothesis")
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from differential import MISSING_RUNTIME, kr  # noqa: E402
from hypothesis import assume, given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from programs import PRELUDE, indent, statements  # noqa: E402
from typed_programs import TYPED_PRELUDE, block  # noqa: E402

pytestmark = pytest.mark.skipif(MISSING_RUNTIME is not None, reason=str(MISSING_RUNTIME))

plain = st.lists(statements(2), min_size=2, max_size=8).map(lambda parts: PRELUDE + "\n".join(parts) + "\n[][0]\n")
LOCALS = "i, j, n, u, w, s, t, l, m, k = 1, 2, 3, 0.5, 2.0, 'f', 'g', [1, 5], [3], {'a': 3}"
typed = st.tuples(block(1, False, True, False), block(2, False, False, False)).map(
    lambda parts: f"{TYPED_PRELUDE}def fn(x, y=2):\n    if not enter(): return 0\n    {LOCALS}\n{indent(parts[0])}\n    return l[x]\n"
                  f"def gen(v):\n    yield v\n    yield 1 // (v % 3)\n{parts[1]}\nfn(99)\n")


def reference_traceback(source: str, filename: str) -> str | None:
    """Return CPython's traceback text for a program, None when it ends well or exhausts the recursion limit."""
    namespace = {"__name__": "__main__", "__builtins__": builtins}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(source, filename, "exec", dont_inherit=True), namespace)
        except SyntaxError as error:
            return "".join(traceback.format_exception(error.with_traceback(None)))
        except (RecursionError, MemoryError):
            return None
        except BaseException as error:
            return "".join(traceback.format_exception(type(error), error, error.__traceback__.tb_next))
    return None


@given(st.one_of(plain, typed))
def test_tracebacks_agree(tmp_path_factory, source):
    path = tmp_path_factory.getbasetemp() / "program.py"
    path.write_text(source, encoding="utf-8")
    linecache.checkcache(str(path))
    linecache.cache.pop(str(path), None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = reference_traceback(source, str(path))
        assume(expected is not None)
        # 3.11 counts markers inside a line in bytes, so it misplaces those behind a non-ASCII character.
        assume(expected.isascii() or sys.version_info >= (3, 12))
        result = kr.run(source, filename=str(path))
    assert result.error is not None and result.error.traceback == expected
