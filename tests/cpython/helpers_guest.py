"""Guest stand-in for the small modules under `test.support` (each of their names leads here)."""
import sys
import unittest
import warnings

TESTFN = "@kimi_test_file"
TESTFN_ASCII = TESTFN
FS_NONASCII = ""


def import_module(name, deprecated=False, *, required_on=()):
    try:
        return _load(name)
    except ImportError as error:
        raise unittest.SkipTest(str(error))


def import_fresh_module(name, fresh=(), blocked=(), deprecated=False):
    gone = [key for key in sys.modules if any(key == top or key.startswith(top + ".") for top in (name, *fresh, *blocked))]
    saved = {key: sys.modules.pop(key) for key in gone}
    sys.modules.update(dict.fromkeys(blocked))
    try:
        for module in fresh:
            if not module.startswith("_"):  # guests cannot import the C half of a module themselves
                __import__(module)
        return _load(name)
    except ImportError:
        return None
    finally:
        for key in (name, *fresh, *blocked, *gone):
            sys.modules.pop(key, None)
        sys.modules.update(saved)


def _load(name):
    __import__(name)
    return sys.modules[name]


def unlink(name):
    raise unittest.SkipTest("needs files")


rmtree = temp_cwd = temp_dir = unlink


class EnvironmentVarGuard:
    def __enter__(self):
        raise unittest.SkipTest("changes the environment")

    def __exit__(self, *error):
        pass


def create_empty_file(name):
    unlink(name)


class CleanImport:
    def __enter__(self):
        raise unittest.SkipTest("needs fresh imports")

    def __exit__(self, *error):
        pass


class _Recorder:
    def __init__(self, entries):
        self.warnings, self.last = entries, 0

    def __getattr__(self, name):
        if self.warnings:
            return getattr(self.warnings[-1], name)
        raise AttributeError(name)


class check_warnings:
    def __init__(self, *filters, quiet=None):
        self.filters = filters or (("", Warning),)
        self.quiet = quiet if quiet is not None else not filters

    def __enter__(self):
        self.manager = warnings.catch_warnings(record=True)
        self.entries = self.manager.__enter__()
        warnings.simplefilter("always")
        return _Recorder(self.entries)

    def __exit__(self, kind, value, traceback):
        import re
        self.manager.__exit__(kind, value, traceback)
        if kind is not None:
            return False
        rest = [entry.message for entry in self.entries]
        missing = []
        for text, category in self.filters:
            found = [w for w in rest if re.match(text, str(w), re.I) and issubclass(type(w), category)]
            rest = [w for w in rest if w not in found]
            if not found and not self.quiet:
                missing.append((text, category.__name__))
        if rest:
            raise AssertionError(f"unhandled warning {rest[0]}")
        if missing:
            raise AssertionError(f"filter {missing[0]} did not catch any warning")


class check_no_warnings:
    def __init__(self, testcase, message="", category=Warning, force_gc=False):
        self.testcase, self.message, self.category = testcase, message, category

    def __enter__(self):
        self.manager = warnings.catch_warnings(record=True)
        self.entries = self.manager.__enter__()
        warnings.filterwarnings("always", message=self.message, category=self.category)

    def __exit__(self, *error):
        self.manager.__exit__(*error)
        if error[0] is None:
            self.testcase.assertEqual(self.entries, [])


def check_syntax_warning(testcase, statement, errtext="", *, lineno=1, offset=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SyntaxWarning)
        compile(statement, "<testcase>", "exec")
    testcase.assertEqual(len(caught), 1, caught)
    warning, = caught
    testcase.assertTrue(issubclass(warning.category, SyntaxWarning), warning.category)
    if errtext:
        testcase.assertRegex(str(warning.message), errtext)
    testcase.assertEqual(warning.filename, "<testcase>")
    testcase.assertIsNotNone(warning.lineno)
    if lineno is not None:
        testcase.assertEqual(warning.lineno, lineno)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error", SyntaxWarning)
        try:
            compile(statement, "<testcase>", "exec")
        except SyntaxError as error:
            testcase.assertEqual(error.lineno, lineno)


def ignore_warnings(*, category):
    def decorate(item):
        def wrapper(*args, **kwargs):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", category=category)
                return item(*args, **kwargs)
        return wrapper
    return decorate


def save_restore_warnings_filters():
    return warnings.catch_warnings()


def requires_working_threading(module=False):
    return unittest.skip("starts threads")


def reap_threads(item):
    return unittest.skip("starts threads")(item)


def threading_cleanup(*args):
    pass


def assert_python_ok(*args, **kwargs):
    raise unittest.SkipTest("runs another interpreter")


assert_python_failure = run_python_until_end = spawn_python = kill_python = make_script = assert_python_ok
