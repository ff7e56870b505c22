"""Run CPython's own tests as guest source and compare with CPython under the same stand-in for unittest.

    python tools/cpython_tests.py [FILE ...] [--all] [--verbose] [--update] [--guest MODULE,...] [--host MODULE,...]

The test files are read from the host's `test` package; nothing is copied. They import small guest modules that stand in
for unittest, doctest and test.support (tests/cpython/*_guest.py). The modules under test are those of the guest library;
what that has not got (subprocess, ctypes, ...) and what the tests only use as tools (os, gc, ...) is the host's, handed in by `Runtime(host_modules=...)`. `--host` takes the
host's module though the library has it, `--guest` runs the host's source file of a module as guest code.

Each file runs in a child process, once on CPython and once on kimi_runtime, with a time limit per test method; a method that
crashes or hangs its process counts as failed and the run goes on behind it. A method counts when CPython passes it under the
stand-in. Without file names the files of the two lists below run; `--all` runs further ones, and `--table FILE` writes the table.

tests/cpython/known_failures.txt lists the failures with a reason each; `--update` rewrites it, keeping the reasons there are.
The exit status is 0 when there is no failure beyond the list and no share below its threshold.
"""

from __future__ import annotations

import argparse
import builtins
import concurrent.futures
import dataclasses
import faulthandler
import importlib
import importlib.abc
import importlib.util
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import time
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUEST = ROOT / "tests" / "cpython"
KNOWN = GUEST / "known_failures.txt"
HOST_TESTS = pathlib.Path(sysconfig.get_path("stdlib")) / "test"
METHOD_SECONDS = 20
TABLE_START, TABLE_END = "<!-- cpython tests: start -->", "<!-- cpython tests: end -->"

LANGUAGE_FILES = """
test_grammar test_scope test_generators test_genexps test_listcomps test_dictcomps test_setcomps test_unpack
test_unpack_ex test_augassign test_class test_property test_super test_decorators test_with test_raise test_exceptions
test_exception_group test_except_star test_patma test_named_expressions test_positional_only_arg test_keywordonlyarg
test_fstring test_slice test_range test_iter test_compare test_bool test_int test_float test_list test_tuple test_dict
test_set test_coroutines test_asyncgen test_descr test_builtin test_str test_bytes test_format test_types
""".split()
LIBRARY_FILES = """
test_contextlib test_dataclasses test_enum test_functools test_itertools test_collections test_heapq test_bisect
test_statistics test_textwrap test_string test_math test_fractions test_decimal test_json test_re test_datetime test_copy
test_typing test_operator test_random test_struct test_csv test_pprint test_graphlib test_weakref test_userdict
test_userlist
""".split()
FILES = LANGUAGE_FILES + LIBRARY_FILES  # what `make test-cpython` runs: about two minutes on two cores
MORE_FILES = """
test_abc test_array test_base64 test_binascii test_calendar test_cmath test_colorsys test_complex
test_contextlib_async test_defaultdict test_deque test_fnmatch test_hashlib test_html test_ipaddress
test_keyword test_long test_ordered_dict test_queue test_reprlib test_secrets test_shlex test_sort test_string_literals
test_strptime test_timeit test_unicodedata test_urlparse test_userstring test_uuid test_weakset test_zlib
""".split()  # only with --all; no threshold
KINDS = {"language": LANGUAGE_FILES, "library": LIBRARY_FILES, "further library": MORE_FILES}
THRESHOLDS = {"language": 0.98, "library": 0.95}
OTHER_NAMES = {"test_str": "test_unicode"}  # the file's name in older versions

HELPERS = "seq_tests list_tests mapping_tests string_tests re_tests datetimetester mod_generics_cache".split()
STAND_INS = {
    "unittest.__init__": "unittest_guest.py", "doctest": "doctest_guest.py", "types": "types_guest.py",
    "inspect": "inspect_guest.py", "test.support.__init__": "support_guest.py",
    **{f"test.support.{name}": "helpers_guest.py"
       for name in ("import_helper", "os_helper", "warnings_helper", "script_helper", "threading_helper")},
}
HOST_MODULES = """
__future__ _collections_abc _pyio http.client _strptime _io _random _string _testcapi _testinternalcapi _testlimitedcapi abc argparse array ast asyncio base64 binascii bisect builtins calendar cmath
codecs collections collections.abc colorsys contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis
enum errno fnmatch fractions functools gc graphlib hashlib heapq hmac html html.parser importlib io ipaddress itertools json json.decoder json.encoder
keyword linecache locale logging marshal math multiprocessing numbers opcode operator optparse os os.path pathlib pickle platform pprint pydoc queue random re
re._constants reprlib secrets shutil signal statistics string struct subprocess symtable sysconfig tempfile textwrap threading time timeit token
tokenize traceback types typing typing.io typing.re unicodedata unittest.mock urllib.parse uuid warnings weakref xml.etree.ElementTree xxsubtype
zlib zoneinfo
""".split()
HOST_ACCELERATORS = """
_abc _bisect _codecs _collections _contextvars _csv _datetime _decimal _functools _heapq _json _operator _pydecimal _sre _statistics _struct _thread
_typing _warnings _weakref _weakrefset
""".split()  # what the library's own files import; for --guest
# Tools of the tests rather than what they test: data files, collections of garbage, codecs that the tests register.
ALWAYS_HOST = {"gc", "os", "os.path", "codecs"}
HOST_ALIASES = {"_host_types": "types", "_host_inspect": "inspect", "_host_sys": "sys"}


def test_file(name: str) -> pathlib.Path | None:
    """Return the path of a test file or package of the host, None when there is none."""
    for candidate in (name, OTHER_NAMES.get(name, name)):
        for path in (HOST_TESTS / f"{candidate}.py", HOST_TESTS / candidate):
            if path.exists():
                return path
    return None


def package_sources(folder: pathlib.Path, prefix: str) -> dict[str, str]:
    """Return the sources of a package and its subpackages by module name."""
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = [prefix, *path.relative_to(folder).with_suffix("").parts]
        sources[".".join(parts)] = path.read_text(encoding="utf-8")
    return sources


def guest_sources(name: str) -> tuple[dict[str, str], list[str]]:
    """Return the guest modules that a test file needs, and the names of the modules that hold its tests."""
    sources = {"test.__init__": ""}
    for module, file in STAND_INS.items():
        sources[module] = (GUEST / file).read_text(encoding="utf-8")
    for helper in (*HELPERS, "test_set", "test_contextlib", "test_grammar", "test_math", "support.testcase"):
        path = HOST_TESTS / f"{helper.replace('.', '/')}.py"
        if path.exists():
            sources[f"test.{helper}"] = path.read_text(encoding="utf-8")
    for folder in (HOST_TESTS / "typinganndata", HOST_TESTS):
        for path in sorted((*folder.glob("ann_module*.py"), *folder.glob("_typed_dict*.py"), *folder.glob("mod_gen*.py"))):
            prefix = "test." if folder == HOST_TESTS else "test.typinganndata."
            sources[prefix + path.stem] = path.read_text(encoding="utf-8")
    sources["test.typinganndata.__init__"] = ""
    path = test_file(name)
    if path is None or path.is_file():
        if path is not None:
            sources[f"test.{name}"] = path.read_text(encoding="utf-8")
        return sources, [f"test.{name}"]
    package = package_sources(path, f"test.{name}")
    sources.update(package)
    return sources, [f"test.{name}", *(module for module in package if module.rpartition(".")[2].startswith("test_"))]


def library_names() -> set[str]:
    """Return the names of the modules that guests may import without the host's doing."""
    from kimi_runtime.library.catalog import SAFE

    return set(SAFE)


def host_modules(left_out: set[str]) -> dict[str, types.ModuleType]:
    """Return the host modules that the test files may import, but for those left to the guest library."""
    modules = {}
    for name in (*HOST_MODULES, *HOST_ACCELERATORS):
        try:
            if name not in left_out:
                modules[name] = importlib.import_module(name)
        except ImportError:
            continue
    for alias, name in HOST_ALIASES.items():
        modules[alias] = importlib.import_module(name)
    return {name: module for name, module in modules.items() if isinstance(module, types.ModuleType)}


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
    reporter.open = open
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
import unittest, unittest.mock
unittest.mock = sys.modules["unittest.mock"]
for name in NAMES:
    try:
        __import__(name)
    except unittest.SkipTest as error:
        _report.end(name, "skip", str(error))
    except Exception as error:
        _report.end(name, "fail", unittest.describe(error))
    else:
        module = _report.modules[name] = sys.modules[name]
        unittest.run_module(module, name.partition(".")[2].partition(".")[2])
"""


def child(engine: str, name: str, report_path: str, skip_path: str, guest: str, host: str) -> int:
    """Run one test file in this process on the named engine, writing its report; the main of a child process."""
    faulthandler.enable()
    skipped = set(pathlib.Path(skip_path).read_text(encoding="utf-8").splitlines())
    reporter = make_reporter(report_path, skipped)
    sources, names = guest_sources(name)
    source = DRIVER.replace("NAMES", repr(names))
    aliases = {alias: importlib.import_module(module) for alias, module in HOST_ALIASES.items()}
    if engine == "cpython":
        del sources["types"], sources["inspect"]
        modules = {**aliases, "_report": reporter, "unittest.mock": importlib.import_module("unittest.mock")}
        for module in list(sys.modules):
            if module in STAND_INS or module.split(".")[0] in ("test", "unittest", "doctest"):
                del sys.modules[module]
        sys.modules.update(modules)
        sys.meta_path.insert(0, SourceFinder(sources))
        exec(compile(source, "<driver>", "exec"), {"__name__": "__main__", "__builtins__": builtins})
        return 0
    sys.path.insert(0, str(ROOT))
    import kimi_runtime

    as_guest, as_host = set(filter(None, guest.split(","))), set(filter(None, host.split(",")))
    for module in as_guest:
        path = pathlib.Path(importlib.util.find_spec(module).origin)
        if path.name == "__init__.py":
            sources.update(package_sources(path.parent, module))
        else:
            sources[module] = path.read_text(encoding="utf-8")
    taken = as_guest | (library_names() - as_host - ALWAYS_HOST)
    for module in taken & {"types", "inspect"}:
        if module not in as_guest:
            del sources[module]
    from kimi_runtime import running as stages

    make_builtins = stages.make_builtins
    stages.make_builtins = lambda context: {**make_builtins(context), "open": reporter.open}  # data files of the tests
    modules = {**host_modules(taken | set(sources)), **aliases, "_report": reporter}
    result = kimi_runtime.Runtime(modules_source=sources, host_modules=modules, limits=None, files={}).run(source, filename="<driver>")
    if not result.ok:
        print(result.error.traceback, file=sys.stderr)
        reporter.end("module", "fail", f"{result.error.type}: {result.error.message}")
    return 0 if result.ok else 1


def run_file(engine: str, name: str, verbose: bool = False, guest: str = "", host: str = "") -> dict[str, tuple[str, str]]:
    """Run a test file on an engine; return (status, text) by method name. Restarts behind crashed methods."""
    results: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        report, skip = pathlib.Path(folder, "report"), pathlib.Path(folder, "skip")
        report.touch()
        pathlib.Path(folder, "test").symlink_to(HOST_TESTS)  # `__file__` is relative, and some tests have data files beside them
        for _ in range(40):
            skip.write_text("\n".join(results), encoding="utf-8")
            command = [sys.executable, __file__, "--child", engine, name, str(report), str(skip), guest, host]
            try:
                done = subprocess.run(command, capture_output=True, timeout=600, cwd=folder)
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


@dataclasses.dataclass
class FileReport:
    """What came out for one test file: methods that CPython passes, and those of them that fail here."""

    name: str
    countable: list[str]
    failures: dict[str, str]
    skipped: int
    seconds: float

    @property
    def passed(self) -> int:
        """The methods that pass here."""
        return len(self.countable) - len(self.failures)


def compare(name: str, options: argparse.Namespace) -> FileReport:
    """Run a test file on both engines."""
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2 if options.jobs > 1 else 1) as pool:
        runs = [pool.submit(run_file, engine, name, options.verbose, options.guest, options.host) for engine in ("cpython", "ours")]
        reference, ours = (run.result() for run in runs)
    countable = [method for method, (status, _) in reference.items() if status == "pass"]
    skipped = sum(status == "skip" for status, _ in reference.values())
    not_reached = ("missing", "not reached: " + "; ".join(text for method, (status, text) in ours.items() if status == "fail" and (method == "module" or method.startswith("test.")))[:300])
    failures = {}
    for method in countable:
        status, text = ours.get(method, not_reached)
        if status != "pass":
            failures[method] = f"{status}: {text}"
    return FileReport(name, countable, failures, skipped, time.monotonic() - start)


def table(reports: list[FileReport]) -> list[str]:
    """Return the rows of the table in Markdown, with a total for each kind of file."""
    rows = ["| file | methods CPython passes | pass here | share |", "|---|---:|---:|---:|"]
    for kind, files in KINDS.items():
        part = [report for report in reports if report.name in files]
        for report in part:
            rows.append(f"| {report.name} | {len(report.countable)} | {report.passed} | {share([report]):.1%} |")
        if part:
            passed, total = sum(report.passed for report in part), sum(len(report.countable) for report in part)
            rows.append(f"| **{kind} files** | **{total}** | **{passed}** | **{share(part):.2%}** |")
    return rows


def share(reports: list[FileReport]) -> float:
    """Return the share of the countable methods that pass."""
    return sum(report.passed for report in reports) / max(1, sum(len(report.countable) for report in reports))


def write_table(path: pathlib.Path, reports: list[FileReport]) -> None:
    """Put the table into a document, between its markers."""
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(TABLE_START)
    _, tail = rest.split(TABLE_END)
    rows = "\n".join(table(reports))
    path.write_text(f"{head}{TABLE_START}\n{rows}\n{TABLE_END}{tail}", encoding="utf-8")


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--all", action="store_true", help="further files of the library too")
    parser.add_argument("--verbose", action="store_true", help="print each failure and the children's standard error")
    parser.add_argument("--update", action="store_true", help="rewrite the list of known failures")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="write the table into a Markdown file, between its markers")
    parser.add_argument("--guest", default="", metavar="MODULE,...", help="run the host's source files of these modules as guest code")
    parser.add_argument("--host", default="", metavar="MODULE,...", help="hand in the host's modules though the library has them")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="children at a time (1 or 2)")
    options = parser.parse_args()
    options.files = options.files or (FILES + MORE_FILES if options.all else FILES)
    return options


def main() -> int:
    """Run the files named on the command line, or all, and print the table."""
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:8])
    options = parse_options()
    known, failures, reports = read_known(), {}, []
    print(f"{'file':28}{'passed':>8}{'of':>6}{'':>9}")
    for name in options.files:
        if test_file(name) is None:
            print(f"{name:28}  not in this host's test package")
            continue
        report = compare(name, options)
        reports.append(report)
        failures.update({f"{name} {method}": text for method, text in report.failures.items()})
        if options.verbose:
            for method, text in report.failures.items():
                print(f"    {method}: {text[:300]}")
        print(f"{name:28}{report.passed:8}{len(report.countable):6}{share([report]):9.1%}{report.seconds:8.1f} s", flush=True)
    below = []
    for kind, files in KINDS.items():
        part = [report for report in reports if report.name in files]
        if part:
            passed, total = sum(report.passed for report in part), sum(len(report.countable) for report in part)
            print(f"{kind + ' files':28}{passed:8}{total:6}{share(part):9.2%}")
            if share(part) < THRESHOLDS.get(kind, 0):
                below.append(f"{kind} files: {share(part):.2%} is below {THRESHOLDS[kind]:.0%}")
    if options.table:
        write_table(options.table, reports)
    if options.update:
        others = {key: "" for key in known if key.split()[0] not in options.files}
        write_known({**others, **failures}, known)
        return 0
    new = sorted(set(failures) - set(known))
    gone = sorted(key for key in known if key.split()[0] in options.files and key not in failures)
    for title, keys in (("new failures", new), ("listed but passing", gone), ("below the threshold", below)):
        if keys:
            print(f"{title}:", *keys, sep="\n    ")
    return 1 if new or below else 0


if __name__ == "__main__":
    sys.exit(main())
