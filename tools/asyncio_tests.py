"""Run CPython's own tests of asyncio and contextvars as guest code, and compare with CPython.

    python tools/asyncio_tests.py [FILE ...] [--verbose] [--filter TEXT]

The files come from the host's `test` package. `unittest` is that of the guest library; `test.support` and
`test.test_asyncio.utils` are small stand-ins (tests/cpython). The exit status is 0 when no method fails beyond those in
tests/cpython/asyncio_known_failures.txt, which gives a reason for each.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUEST = ROOT / "tests" / "cpython"
KNOWN = GUEST / "asyncio_known_failures.txt"
TESTS = pathlib.Path(sysconfig.get_path("stdlib")) / "test"
FILES = """
test_asyncio.test_futures test_asyncio.test_futures2 test_asyncio.test_locks test_asyncio.test_queues
test_asyncio.test_taskgroups test_asyncio.test_tasks test_asyncio.test_timeouts test_asyncio.test_waitfor
test_asyncio.test_runners test_asyncio.test_context test_asyncio.test_threads test_asyncio.test_pep492
test_asyncio.test_eager_task_factory test_asyncio.test_staggered test_context test_contextlib_async
test_unittest.test_async_case
""".split()

GUEST_DRIVER = """
import sys, unittest, json, _report
class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        _report.begin(test.id())
    def _end(self, test, status, error=None):
        text = "" if error is None else f"{error[0].__name__}: {error[1]}"
        _report.end(test.id(), status, text if error is None else self._exc_info_to_string(error, test))
    def addSuccess(self, test): self._end(test, "pass")
    def addFailure(self, test, err): self._end(test, "fail", err)
    def addError(self, test, err): self._end(test, "fail", err)
    def addSkip(self, test, reason): self._end(test, "skip")
    def addExpectedFailure(self, test, err): self._end(test, "pass")
    def addUnexpectedSuccess(self, test): self._end(test, "fail")
    def addSubTest(self, test, subtest, err):
        if err is not None: self._end(test, "fail", err)
name = NAME
__import__(name)
suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[name])
def chosen(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite): yield from chosen(test)
        elif FILTER in test.id() and _report.wanted(test.id()): yield test
unittest.TestSuite(chosen(suite)).run(Result())
"""


def path_of(name: str) -> pathlib.Path:
    """Where the host keeps a test file. Before 3.12 the tests of unittest were in unittest itself."""
    path = TESTS / f"{name.replace('.', '/')}.py"
    if not path.exists() and name.startswith("test_unittest."):
        path = TESTS.parent / "unittest" / "test" / f"{name.partition('.')[2]}.py"
    return path


def child(engine: str, name: str, chosen: str, report: str) -> None:
    """Runs one file on one engine, writing the results as lines of JSON."""
    import faulthandler
    import types

    stream = open(report, "a", encoding="utf-8")
    done = {json.loads(line)[1] for line in open(report, encoding="utf-8")}
    module = types.ModuleType("_report")

    def write(*values: str) -> None:
        stream.write(json.dumps(values) + "\n")
        stream.flush()

    def begin(test: str) -> None:
        write("begin", test, "")
        faulthandler.dump_traceback_later(30, exit=True)

    def end(test: str, status: str, text: str) -> None:
        faulthandler.cancel_dump_traceback_later()
        write(status, test, text)

    module.begin, module.end, module.wanted = begin, end, lambda test: test not in done  # type: ignore[attr-defined]
    source = GUEST_DRIVER.replace("NAME", repr(f"test.{name}"), 1).replace("FILTER", repr(chosen))
    if engine == "cpython":
        sys.modules["_report"] = module
        if path_of(name).parent.parent.name == "unittest":
            source = source.replace(f"test.{name}", f"unittest.test.{name.partition('.')[2]}")
        exec(compile(source, "<driver>", "exec"), {"__name__": "__main__"})
        return
    faulthandler.enable()
    sys.path.insert(0, str(ROOT))
    import _testcapi
    import gc
    import signal
    import tempfile

    import kimi_runtime

    sources = {"test/__init__.py": "", "test/test_asyncio/__init__.py": "", "test/test_unittest/__init__.py": "",
               "test/support/__init__.py": (GUEST / "support_guest.py").read_text(encoding="utf-8"),
               "test/test_asyncio/utils.py": (GUEST / "asyncio_utils_guest.py").read_text(encoding="utf-8")}
    for helper in ("import_helper", "os_helper", "warnings_helper", "script_helper", "threading_helper", "hashlib_helper"):
        sources[f"test/support/{helper}.py"] = (GUEST / "helpers_guest.py").read_text(encoding="utf-8")
    for other in ("test_asyncio.functional", "test_contextlib", "test_asyncio.test_tasks", name):
        path = path_of(other)
        sources[f"test/{other.replace('.', '/')}.py"] = path.read_text(encoding="utf-8")
    host = {"_report": module, "_testcapi": _testcapi, "gc": gc, "signal": signal, "tempfile": tempfile}
    result = kimi_runtime.Runtime(modules_source=sources, host_modules=host, limits=None).run(source, filename="<driver>")
    sys.stderr.write(result.stderr)
    sys.stdout.write(result.stdout)
    if result.error is not None:
        print(result.error.traceback, file=sys.stderr)


def run(engine: str, name: str, options: argparse.Namespace, folder: pathlib.Path) -> dict[str, tuple[str, str]]:
    """Status and text of each method of a file. A method that ends its process has the status `crash`."""
    report = folder / f"{engine}.{name}"
    report.write_text("")
    results: dict[str, tuple[str, str]] = {}
    for _ in range(20):
        command = [sys.executable, __file__, "--child", engine, name, options.filter, str(report)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=600, text=True, errors="replace")
            stderr = done.stderr
        except subprocess.TimeoutExpired:
            stderr = "time-out"
        if options.verbose and engine != "cpython" and stderr:
            print(stderr[-3000:], file=sys.stderr)
        open_test = None
        for line in report.read_text(encoding="utf-8").splitlines():
            status, test, text = json.loads(line)
            if status == "begin":
                open_test = test
            else:
                open_test = None
                if results.get(test, ("pass",))[0] in ("pass", "crash"):
                    results[test] = status, text
        if open_test is None:
            break
        results[open_test] = "crash", stderr[-400:]
        with report.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(("crash", open_test, stderr[-400:])) + "\n")
    return results


def known_failures() -> dict[str, str]:
    """Reasons of the known failures by method."""
    found = {}
    if KNOWN.exists():
        for line in KNOWN.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                test, _, reason = line.partition(": ")
                found[test] = reason
    return found


def main() -> int:
    """Runs the files and prints a line for each, and the methods that fail."""
    import tempfile

    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:6])
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--verbose", action="store_true", help="print the children's standard error and each traceback")
    parser.add_argument("--filter", default="", help="only methods with this in their name")
    options = parser.parse_args()
    known = known_failures()
    unexpected = 0
    total = passed = 0
    for name in options.files or FILES:
        if not path_of(name).exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            reference = run("cpython", name, options, pathlib.Path(folder))
            ours = run("ours", name, options, pathlib.Path(folder))
        reference = {test.replace("unittest.test.", "test.test_unittest."): each for test, each in reference.items()}
        countable = [test for test, (status, _) in reference.items() if status == "pass"]
        failing = [test for test in countable if ours.get(test, ("missing", ""))[0] != "pass"]
        total += len(countable)
        passed += len(countable) - len(failing)
        print(f"{name:45} {len(countable) - len(failing):5} of {len(countable):5}", flush=True)
        for test in sorted(set(known) & set(countable) - set(failing)):
            unexpected += 1
            print(f"    passes, and is listed: {test}")
        for test in failing:
            status, text = ours.get(test, ("missing", ""))
            if test in known and not options.verbose:
                continue
            unexpected += test not in known
            last = text.strip().splitlines()[-1:] or [""]
            if status == "missing" and not options.verbose:
                continue
            print(f"    {status} {test}: {text if options.verbose else last[0][:200]}")
    print(f"{'all':45} {passed:5} of {total:5}")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
