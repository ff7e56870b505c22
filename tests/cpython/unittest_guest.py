"""A small unittest that is guest code: what CPython's own language tests use of it, no more.

Reports each test method through the host module `_report`: `begin(name)` before it, `end(name, status, text)` after it,
`wanted(name)` says whether to run it. The same source runs on CPython to measure the denominator.
"""
import re
import warnings
import _report

__unittest = True


class SkipTest(Exception):
    pass


class _ShouldStop(Exception):
    pass


class _ExpectedFailure(Exception):
    pass


def skip(reason):
    def decorate(item):
        if isinstance(item, type):
            item.__unittest_skip__ = True
            item.__unittest_skip_why__ = reason
            return item

        def skipped(*args, **kwargs):
            raise SkipTest(reason)
        skipped.__name__ = getattr(item, "__name__", "skipped")
        skipped.__unittest_skip__ = True
        return skipped
    if callable(reason) and not isinstance(reason, str):
        item, reason = reason, ""
        return decorate(item)
    return decorate


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return lambda item: item if condition else skip(reason)(item)


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


class _AssertRaises:
    def __init__(self, case, expected, regex=None, msg=None):
        self.case, self.expected, self.regex, self.msg = case, expected, regex, msg
        self.exception = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            names = self.expected.__name__ if isinstance(self.expected, type) else str(self.expected)
            self.case.fail(self.case._formatMessage(self.msg, names + " not raised"))
        if not issubclass(kind, self.expected):
            return False
        self.exception = value.with_traceback(None)
        if self.regex is not None:
            pattern = re.compile(self.regex) if isinstance(self.regex, (str, bytes)) else self.regex
            if not pattern.search(str(value)):
                self.case.fail(self.case._formatMessage(self.msg, f'"{pattern.pattern}" does not match "{value}"'))
        return True

    def call(self, function, args, kwargs):
        with self:
            function(*args, **kwargs)


class _AssertWarns:
    def __init__(self, case, expected, regex=None, msg=None):
        self.case, self.expected, self.regex, self.msg = case, expected, regex, msg

    def __enter__(self):
        self.manager = warnings.catch_warnings(record=True)
        self.warnings = self.manager.__enter__()
        warnings.simplefilter("always", self.expected)
        return self

    def __exit__(self, kind, value, traceback):
        self.manager.__exit__(kind, value, traceback)
        if kind is not None:
            return False
        first = None
        for entry in self.warnings:
            if not isinstance(entry.message, self.expected):
                continue
            first = first or entry
            if self.regex is None or re.search(self.regex, str(entry.message)):
                self.warning, self.filename, self.lineno = entry.message, entry.filename, entry.lineno
                return None
        if first is not None:
            self.case.fail(f'"{self.regex}" does not match "{first.message}"')
        self.case.fail(f"{self.expected} not triggered")

    def call(self, function, args, kwargs):
        with self:
            function(*args, **kwargs)


class _SubTest:
    def __init__(self, case, msg, params):
        self.case, self.label = case, f"[{msg}] {params}" if msg is not None else str(params)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None or not issubclass(kind, Exception):
            return False
        if issubclass(kind, SkipTest):
            return True
        self.case._failures.append(f"subTest {self.label}: {describe(value)}")
        return True


def describe(error):
    """Return an error as one line: type and message, and the line where the test raised it."""
    try:
        text = str(error)
    except Exception as inner:
        text = f"<no text: {type(inner).__name__}>"
    lines, traceback = [], getattr(error, "__traceback__", None)
    while traceback is not None:
        lines.append(str(traceback.tb_lineno))
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {text} (lines {'>'.join(lines[-6:])})".replace("\n", "\\n")[:400]


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = 640
    _testMethodName = "runTest"

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName
        self._cleanups = []
        self._failures = []

    def id(self):
        return f"{type(self).__qualname__}.{self._testMethodName}"

    def __str__(self):
        return self.id()

    def shortDescription(self):
        return None

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def enterContext(self, manager):
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    def addTypeEqualityFunc(self, kind, function):
        pass

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **params):
        return _SubTest(self, msg, params)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _formatMessage(self, msg, standard):
        return standard if msg is None else f"{standard} : {msg}"

    def _check(self, ok, msg, standard):
        if not ok:
            raise self.failureException(self._formatMessage(msg, standard))

    def assertTrue(self, expr, msg=None):
        self._check(expr, msg, f"{safe_repr(expr)} is not true")

    def assertFalse(self, expr, msg=None):
        self._check(not expr, msg, f"{safe_repr(expr)} is not false")

    def assertEqual(self, first, second, msg=None):
        if not first == second:
            self._check(False, msg, f"{safe_repr(first)} != {safe_repr(second)}")

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            self._check(False, msg, f"{safe_repr(first)} == {safe_repr(second)}")

    assertMultiLineEqual = assertListEqual = assertTupleEqual = assertDictEqual = assertSetEqual = assertEqual

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        if seq_type is not None:
            self._check(isinstance(first, seq_type), msg, f"first is not {seq_type}")
            self._check(isinstance(second, seq_type), msg, f"second is not {seq_type}")
        if first == second:
            return
        self._check(len(first) == len(second) and all(a == b for a, b in zip(first, second)), msg,
                    f"sequences differ: {safe_repr(first)} != {safe_repr(second)}")

    def assertIs(self, first, second, msg=None):
        self._check(first is second, msg, f"{safe_repr(first)} is not {safe_repr(second)}")

    def assertIsNot(self, first, second, msg=None):
        self._check(first is not second, msg, f"unexpectedly identical: {safe_repr(first)}")

    def assertIsNone(self, obj, msg=None):
        self._check(obj is None, msg, f"{safe_repr(obj)} is not None")

    def assertIsNotNone(self, obj, msg=None):
        self._check(obj is not None, msg, "unexpectedly None")

    def assertIn(self, member, container, msg=None):
        self._check(member in container, msg, f"{safe_repr(member)} not found in {safe_repr(container)}")

    def assertNotIn(self, member, container, msg=None):
        self._check(member not in container, msg, f"{safe_repr(member)} unexpectedly found in {safe_repr(container)}")

    def assertIsInstance(self, obj, cls, msg=None):
        self._check(isinstance(obj, cls), msg, f"{safe_repr(obj)} is not an instance of {cls!r}")

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._check(not isinstance(obj, cls), msg, f"{safe_repr(obj)} is an instance of {cls!r}")

    def assertGreater(self, a, b, msg=None):
        self._check(a > b, msg, f"{safe_repr(a)} not greater than {safe_repr(b)}")

    def assertGreaterEqual(self, a, b, msg=None):
        self._check(a >= b, msg, f"{safe_repr(a)} not greater than or equal to {safe_repr(b)}")

    def assertLess(self, a, b, msg=None):
        self._check(a < b, msg, f"{safe_repr(a)} not less than {safe_repr(b)}")

    def assertLessEqual(self, a, b, msg=None):
        self._check(a <= b, msg, f"{safe_repr(a)} not less than or equal to {safe_repr(b)}")

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        difference = abs(first - second)
        ok = difference <= delta if delta is not None else round(difference, 7 if places is None else places) == 0
        self._check(ok, msg, f"{safe_repr(first)} != {safe_repr(second)} within tolerance")

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        difference = abs(first - second)
        ok = difference > delta if delta is not None else round(difference, 7 if places is None else places) != 0
        self._check(not first == second and ok, msg, f"{safe_repr(first)} == {safe_repr(second)} within tolerance")

    def assertCountEqual(self, first, second, msg=None):
        rest = list(second)
        for item in first:
            self._check(item in rest, msg, f"{safe_repr(item)} is not in the second")
            rest.remove(item)
        self._check(not rest, msg, f"only in the second: {safe_repr(rest)}")

    def assertRegex(self, text, expected, msg=None):
        self._check(re.search(expected, text), msg, f"{safe_repr(expected)} does not match {safe_repr(text)}")

    def assertNotRegex(self, text, unexpected, msg=None):
        self._check(not re.search(unexpected, text), msg, f"{safe_repr(unexpected)} matches {safe_repr(text)}")

    def assertRaises(self, expected, *args, **kwargs):
        context = _AssertRaises(self, expected, msg=None if args else kwargs.pop("msg", None))
        return context.call(args[0], args[1:], kwargs) if args else context

    def assertRaisesRegex(self, expected, regex, *args, **kwargs):
        context = _AssertRaises(self, expected, regex, msg=None if args else kwargs.pop("msg", None))
        return context.call(args[0], args[1:], kwargs) if args else context

    def assertWarns(self, expected, *args, **kwargs):
        context = _AssertWarns(self, expected)
        return context.call(args[0], args[1:], kwargs) if args else context

    def assertWarnsRegex(self, expected, regex, *args, **kwargs):
        context = _AssertWarns(self, expected, regex)
        return context.call(args[0], args[1:], kwargs) if args else context

    def debug(self):
        self.run()

    def run(self, result=None):
        """Run the method between setUp and tearDown; return (status, text)."""
        method = getattr(self, self._testMethodName)
        expecting = getattr(method, "__unittest_expecting_failure__", False)
        try:
            if getattr(type(self), "__unittest_skip__", False):
                raise SkipTest(type(self).__unittest_skip_why__)
            try:
                self.setUp()
                try:
                    method()
                finally:
                    self.tearDown()
            finally:
                self.doCleanups()
        except SkipTest as error:
            return "skip", str(error)
        except Exception as error:
            if expecting:
                return "pass", "failed as expected"
            return "fail", describe(error)
        if self._failures:
            return ("pass", "failed as expected") if expecting else ("fail", " | ".join(self._failures)[:600])
        return ("fail", "unexpected success") if expecting else ("pass", "")


class FunctionTestCase(TestCase):
    pass


def safe_repr(obj):
    try:
        text = repr(obj)
    except Exception:
        text = object.__repr__(obj)
    return text if len(text) < 200 else text[:200] + "..."


class TestSuite:
    def __init__(self, tests=()):
        self.tests = list(tests)

    def addTest(self, test):
        self.tests.append(test)

    def addTests(self, tests):
        self.tests.extend(tests)

    def __iter__(self):
        return iter(self.tests)

    def countTestCases(self):
        return len(self.tests)


class TestLoader:
    suiteClass = TestSuite
    testMethodPrefix = "test"

    def getTestCaseNames(self, cls):
        return [name for name in dir(cls) if name.startswith("test") and callable(getattr(cls, name))]

    def loadTestsFromTestCase(self, cls):
        names = self.getTestCaseNames(cls)
        if not names and hasattr(cls, "runTest"):
            names = ["runTest"]
        return TestSuite([cls(name) for name in names])

    def loadTestsFromModule(self, module):
        suite = TestSuite()
        for name in dir(module):
            cls = getattr(module, name)
            if isinstance(cls, type) and issubclass(cls, TestCase) and cls not in (TestCase, FunctionTestCase):
                suite.addTest(self.loadTestsFromTestCase(cls))
        return suite


class IsolatedAsyncioTestCase(TestCase):
    pass


def addModuleCleanup(function, /, *args, **kwargs):
    pass


def enterModuleContext(manager):
    return manager.__enter__()


defaultTestLoader = TestLoader()
makeSuite = defaultTestLoader.loadTestsFromTestCase
current_module = None


def main(*args, **kwargs):
    """The driver runs the tests; a module that calls main() for itself gets nothing."""


def flatten(tests):
    for test in tests:
        if isinstance(test, TestSuite):
            yield from flatten(test)
        else:
            yield test


def run_module(module, prefix=""):
    """Run every test of a module, reporting each to `_report` by its name behind the prefix (for test packages)."""
    global current_module
    current_module = module
    if hasattr(module, "setUpModule"):
        module.setUpModule()
    suite = defaultTestLoader.loadTestsFromModule(module)
    if hasattr(module, "load_tests"):
        suite = module.load_tests(defaultTestLoader, suite, None)
    prepared = {}
    for case in flatten(suite):
        name = f"{prefix}.{case.id()}" if prefix else case.id()
        if not _report.wanted(name):
            continue
        _report.begin(name)
        cls = type(case)
        if cls not in prepared:
            try:
                if not getattr(cls, "__unittest_skip__", False):
                    cls.setUpClass()
                prepared[cls] = None
            except SkipTest as error:
                prepared[cls] = ("skip", str(error))
            except Exception as error:
                prepared[cls] = ("fail", "setUpClass: " + describe(error))
        try:
            outcome = prepared[cls] or case.run()
        except BaseException as error:
            outcome = ("fail", describe(error))
        _report.end(name, *outcome)
    for cls in prepared:
        if prepared[cls] is None and not getattr(cls, "__unittest_skip__", False):
            cls.tearDownClass()
