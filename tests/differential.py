"""Run one guest program on CPython and on kimi_runtime and compare what can be seen from outside.

Every test that needs an expected result gets it here, from the host's own interpreter, in the same process: nothing
is written down from memory. `run_reference` is CPython's `exec`; `run_guest` is ours; both return an `Outcome`.
"""

from __future__ import annotations

import builtins
import contextlib
import contextvars
import difflib
import io
import re
import sys
import warnings
from dataclasses import dataclass, field

try:
    import kimi_runtime as kr

    MISSING_RUNTIME = None if hasattr(kr, "run") else "kimi_runtime has no run() in this build"
except ImportError as error:  # the extension modules are not built
    kr = None
    MISSING_RUNTIME = f"kimi_runtime cannot be imported: {error}"


@dataclass
class Outcome:
    """What a program did: its output, the exception that ended it, and the exit code a shell would see."""

    stdout: str
    stderr: str = ""
    exception: str | None = None
    message: str | None = None
    exit_code: int = 0
    line: int | None = field(default=None, compare=False)

    def describe(self) -> str:
        """Return the outcome as text, one fact a line, fit for a line-by-line diff."""
        lines = [self.stdout.rstrip("\n"), "--- stderr", self.stderr.rstrip("\n"),
                 f"--- exception: {self.exception}", f"--- message: {self.message}", f"--- exit code: {self.exit_code}"]
        return "\n".join(lines) + "\n"


def exit_code_of(error: BaseException | None) -> int:
    """Return the exit status that `python FILE` gives for the exception that ended FILE."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        if error.code is None:
            return 0
        return error.code & 0xFF if isinstance(error.code, int) else 1
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def safe_str(error: BaseException) -> str:
    """Return `str(error)`, or a marker where the class's own `__str__` fails."""
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"


def error_line(error: BaseException, filename: str) -> int | None:
    """Return the line in `filename` of the innermost frame of the error's traceback."""
    line, traceback = None, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


WARNING = re.compile(r"^\S*:\d+: \w*Warning: .*\n(  .*\n)?(\w*Warning: Enable tracemalloc .*\n)?", re.MULTILINE)


def without_warnings(text: str) -> str:
    """Return a standard error without warnings: whether those are shown depends on what the test runner has set."""
    return WARNING.sub("", text)


def run_reference(source: str, filename: str = "<guest>") -> Outcome:
    """Run `source` as `__main__` with CPython's own `compile` and `exec`, capturing both streams."""
    out, err = io.StringIO(), io.StringIO()
    caught = None
    namespace = {"__name__": "__main__", "__builtins__": builtins, "__doc__": None, "__package__": None,
                 "__loader__": None, "__spec__": None}
    limit = sys.getrecursionlimit()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            code = compile(source, filename, "exec", dont_inherit=True)
            # What the program sets in context variables, such as the decimal context, is not for the tests after it.
            contextvars.Context().run(exec, code, namespace)
        except BaseException as error:  # the program may end with anything, SystemExit included
            caught = error
        finally:
            sys.setrecursionlimit(limit)
    outcome = Outcome(out.getvalue(), without_warnings(err.getvalue()), exit_code=exit_code_of(caught))
    if caught is not None:
        outcome.exception, outcome.message = type(caught).__name__, safe_str(caught)
        outcome.line = error_line(caught, filename)
        if isinstance(caught, SyntaxError):
            outcome.message = caught.msg
    namespace.clear()
    return outcome


def run_guest(source: str, filename: str = "<guest>", run=None) -> Outcome:
    """Run `source` through `kimi_runtime.run`, or the `run` of a runtime, and translate its `Result`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = (run or kr.run)(source, filename=filename)
    outcome = Outcome(result.stdout, without_warnings(result.stderr))
    error = result.error
    if error is not None:
        name = error.type if isinstance(error.type, str) else error.type.__name__
        outcome.exception, outcome.message, outcome.line = name.rsplit(".", 1)[-1], error.message, error.line
        outcome.exit_code = 1 if error.exit_code is None else error.exit_code & 0xFF
    return outcome


def difference(expected: Outcome, got: Outcome) -> str:
    """Return a unified diff between two outcomes, empty when they agree."""
    if expected == got:
        return ""
    return "".join(difflib.unified_diff(expected.describe().splitlines(True), got.describe().splitlines(True),
                                        "CPython", "kimi_runtime", n=4))
