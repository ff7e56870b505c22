"""Run CPython's own language tests as guest source and compare with CPython under the same stand-in for unittest.

    python tools/cpython_tests.py [FILE ...] [--verbose] [--update]

The test files are read from the host's `test` package; nothing is copied. They import small guest modules that stand in
for unittest, doctest, test.support, types and inspect (tests/cpython/*_guest.py); every other module they import is the
host's, handed in by `Runtime(host_modules=...)`. Each file runs in a child process, once on CPython and once on
kimi_runtime, with a time limit per test method; a method that crashes or hangs its process counts as failed and the run
goes on behind it. A method counts when CPython passes it under the stand-in.

tests/cpython/known_failures.txt lists the failures with a reason each; `--update` rewrites it, keeping the reasons there are.
The exit status is 0 when there is no failure beyond the list.
"""

from __future__ import annotations

import argparse
import builtins
import faulthandler
import importlib
import importlib.abc
import importlib.util
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUEST = ROOT / "tests" / "cpython"
KNOWN = GUEST / "known_failures.txt"
HOST_TESTS = pathlib.Path(sysconfig.get_path("stdlib")) / "test"
METHOD_SECONDS = 20

FILES = """
test_grammar test_scope test_generators test_genexps test_listcomps test_dictcomps test_setcomps test_unpack
test_unpack_ex test_augassign test_class test_property test_super test_decorators test_with test_raise test_exceptions
test_exception_group test_except_star test_patma test_named_expressions test_positional_only_arg test_keywordonlyarg
test_fstring test_slice test_range test_iter test_compare test_bool test_int test_float test_list test_tuple test_dict
test_set
""".split()

HELPERS = "seq_tests list_tests mapping_tests string_tests".split()
STAND_INS = {
    "unittest.__init__": "unittest_guest.py", "doctest": "doctest_guest.py", "types": "types_guest.py",
    "inspect": "inspect_guest.py", "test.support.__init__": "support_guest.py",
    **{f"test.support.{name}": "helpers_guest.py"
       for name in ("import_helper", "os_helper", "warnings_helper", "script_helper", "threading_helper")},
}
HOST_MODULES = """
_testcapi abc array ast builtins collections collections.abc contextlib copy dataclasses decimal enum errno fractions
functools gc io itertools locale marshal operator os pickle random re string struct textwrap time traceback typing
warnings weakref dis math
""".split()
MORE_HOST_MODULES = """
__future__ _string asyncio base64 calendar cmath codecs copyreg datetime heapq html json keyword numbers opcode platform
pprint queue shutil subprocess symtable tempfile textwrap threading token tokenize unicodedata
unittest.mock uuid binascii _io sysconfig pydoc linecache
""".split()  # what test files outside FILES import
HOST_ALIASES = {"_host_types": "types", "_host_inspect": "inspect", "_host_sys": "sys"}


def guest_sources(*more: str) -> dict[str, str]:
    """Return the guest modules by name: the stand-ins, and the host's test files (those named too) and their helpers."""
    sources = {"test.__init__": ""}
    for name, file in STAND_INS.items():
        sources[name] = (GUEST / file).read_text(encoding="utf-8")
    for name in (*FILES, *HELPERS, *more):
        path = HOST_TESTS / f"{name}.py"
        if path.exists():
            sources[f"test.{name}"] = path.read_text(encoding="utf-8")
    for folder in (HOST_TESTS / "typinganndata", HOST_TESTS):
        for path in sorted(folder.glob("ann_module*.py")):
            prefix = "test." if folder == HOST_TESTS else "test.typinganndata."
            sources[prefix + path.stem] = path.read_text(encoding="utf-8")
    sources["test.typinganndata.__init__"] = ""
    return sources


def host_modules() -> dict[str, types.ModuleType]:
    """Return the host modules that the test files may import."""
    modules = {}
    for name in (*HOST_MODULES, *MORE_HOST_MODULES):
        try:
            modules[name] = importlib.import_module(name)
        except ImportError:
            continue
    for alias, name in HOST_ALIASES.items():
        modules[alias] = importlib.import_module(name)
    return modules


class SourceFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves the guest modules to CPython's import system, for the reference run."""

    def __init__(self, sources: dict[str, str]):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        package = f"{name}.__init__" in self.sources
        if name not in self.sources and not package:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=package)

    def exec_module(self, module):
        name = module.__name__
        source = self.sources.get(f"{name}.__init__", self.sources.get(name))
        module.__file__ = f"{name.replace('.', '/')}.py"
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)


def make_reporter(report_path: str, skipped: set[str]) -> types.ModuleType:
    """Return the module `_report` that the guest unittest calls: it writes a line before and after each method."""
    reporter = types.ModuleType("_report")
    stream = open(report_path, "a", encoding="utf-8")

    def begin(name):
        stream.write(f"begin\t{name}\n")
        stream.flush()
        faulthandler.dump_traceback_later(METHOD_SECONDS, exit=True)

    def end(name, status, text):
        faulthandler.cancel_dump_traceback_later()
        text = str(text).replace("\n", "\\n").replace("\t", " ")
        stream.write(f"{status}\t{name}\t{text}\n".encode("utf-8", "backslashreplace").decode())
        stream.flush()

    reporter.begin, reporter.end, reporter.wanted = begin, end, lambda name: name not in skipped
    reporter.modules = sys.modules
    return reporter


DRIVER = """
import sys
import _report, _host_sys
for name in dir(_host_sys):
    if not hasattr(sys, name) and name != "modules":
        try:
            setattr(sys, name, getattr(_host_sys, name))
        except AttributeError:
            pass


def excepthook(kind, value, traceback):
    saved, _host_sys.stderr = _host_sys.stderr, sys.stderr
    try:
        host_excepthook(kind, value, traceback)
    finally:
        _host_sys.stderr = saved


host_excepthook = _host_sys.__excepthook__
sys.__excepthook__ = excepthook
import unittest
try:
    import test.{name} as module
except unittest.SkipTest as error:
    _report.end("module", "skip", str(error))
else:
    _report.modules["test.{name}"] = module
    unittest.run_module(module)
"""


def child(engine: str, name: str, report_path: str, skip_path: str) -> int:
    """Run one test file in this process on the named engine, writing its report; the main of a child process."""
    faulthandler.enable()
    skipped = set(pathlib.Path(skip_path).read_text(encoding="utf-8").splitlines())
    reporter = make_reporter(report_path, skipped)
    sources, modules = guest_sources(name), host_modules()
    modules["_report"] = reporter
    source = DRIVER.format(name=name)
    if engine == "cpython":
        for module in list(sys.modules):
            if module in STAND_INS or module.split(".")[0] in ("test", "unittest", "doctest"):
                del sys.modules[module]
        sys.modules.update({alias: modules[alias] for alias in (*HOST_ALIASES, "_report", "unittest.mock")})
        sys.meta_path.insert(0, SourceFinder(sources))
        exec(compile(source, "<driver>", "exec"), {"__name__": "__main__", "__builtins__": builtins})
        return 0
    sys.path.insert(0, str(ROOT))
    import kimi_runtime

    result = kimi_runtime.Runtime(modules_source=sources, host_modules=modules).run(source, filename="<driver>")
    if not result.ok:
        print(result.error.traceback, file=sys.stderr)
        reporter.end("module", "fail", f"{result.error.type}: {result.error.message}")
    return 0 if result.ok else 1


def run_file(engine: str, name: str, verbose: bool = False) -> dict[str, tuple[str, str]]:
    """Run a test file on an engine; return (status, text) by method name. Restarts behind crashed methods."""
    results: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        report, skip = pathlib.Path(folder, "report"), pathlib.Path(folder, "skip")
        report.touch()
        for _ in range(40):
            skip.write_text("\n".join(results), encoding="utf-8")
            command = [sys.executable, __file__, "--child", engine, name, str(report), str(skip)]
            try:
                done = subprocess.run(command, capture_output=True, timeout=400, cwd=folder)
                stderr = done.stderr.decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                stderr = "file time-out"
            if verbose and stderr.strip():
                print(stderr[-3000:], file=sys.stderr)
            pending = None
            for line in report.read_text(encoding="utf-8", errors="replace").splitlines():
                status, method, *text = line.split("\t")
                if status == "begin":
                    pending = method
                else:
                    results.setdefault(method, (status, text[0] if text else ""))
                    pending = None
            if pending is None:
                break
            last = [line for line in stderr.strip().splitlines() if line][:1]
            results.setdefault(pending, ("crash", last[0] if last else "process ended"))
    return results


def read_known() -> dict[str, str]:
    """Return the reasons of the known failures by `file Class.method`."""
    known = {}
    if KNOWN.exists():
        for line in KNOWN.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                key, _, reason = line.partition(": ")
                known[key] = reason
    return known


def write_known(failures: dict[str, str], known: dict[str, str]) -> None:
    """Write the failures with their reasons: the written one where there is one, else the error that was seen."""
    lines = ["# Methods of CPython's tests that fail here: `file Class.method: reason`. Kept by tools/cpython_tests.py --update.",
             "# A reason that starts with `?` is the error as seen, not yet looked into."]
    lines += [f"{key}: {known.get(key) or '? ' + text[:160]}" for key, text in sorted(failures.items())]
    KNOWN.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Run the files named on the command line, or all, and print the table."""
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:6])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", default=FILES)
    parser.add_argument("--verbose", action="store_true", help="print each failure and the children's standard error")
    parser.add_argument("--update", action="store_true", help="rewrite the list of known failures")
    options = parser.parse_args()
    known, failures = read_known(), {}
    total = passed = skipped = 0
    print(f"{'file':28}{'passed':>8}{'of':>6}{'':>9}")
    for name in options.files:
        if not (HOST_TESTS / f"{name}.py").exists():
            print(f"{name:28}  not in this host's test package")
            continue
        reference = run_file("cpython", name, options.verbose)
        ours = run_file("ours", name, options.verbose)
        countable = [m for m, (status, _) in reference.items() if status == "pass"]
        skipped += sum(status == "skip" for status, _ in reference.values())
        fallback = ours.get("module", ("missing", "not reached"))
        bad = {m: ours.get(m, fallback) for m in countable if ours.get(m, fallback)[0] != "pass"}
        for method, (status, text) in bad.items():
            failures[f"{name} {method}"] = f"{status}: {text}"
            if options.verbose:
                print(f"    {status.upper():8}{method}: {text[:300]}")
        total += len(countable)
        passed += len(countable) - len(bad)
        share = (len(countable) - len(bad)) / len(countable) if countable else 0
        print(f"{name:28}{len(countable) - len(bad):8}{len(countable):6}{share:9.1%}", flush=True)
    print(f"{'total':28}{passed:8}{total:6}{passed / max(total, 1):9.1%}   ({skipped} skipped on both sides)")
    if options.update:
        others = {key: "" for key in known if key.split()[0] not in options.files}
        write_known({**others, **failures}, known)
    new = sorted(set(failures) - set(known))
    gone = sorted(key for key in known if key.split()[0] in options.files and key not in failures)
    for title, keys in (("new failures", new), ("listed but passing", gone)):
        if keys and not options.update:
            print(f"{title}:", *keys, sep="\n    ")
    return 1 if new and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
