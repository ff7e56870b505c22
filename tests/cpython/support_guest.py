"""Guest stand-in for `test.support`: the names that CPython's language tests import from it."""
import gc
import sys
import unittest

verbose = 0
use_resources = None
HAVE_DOCSTRINGS = MISSING_C_DOCSTRINGS = False
Py_DEBUG = False
is_emscripten = is_wasi = is_android = False
has_fork_support = has_subprocess_support = False
SHORT_TIMEOUT = 30.0
LONG_TIMEOUT = 300.0
_1M, _1G = 1024 * 1024, 1024 * 1024 * 1024
_2G = 2 * 1024 * 1024 * 1024
_4G = 4 * 1024 * 1024 * 1024
MAX_Py_ssize_t = sys.maxsize
requires_IEEE_754 = requires_docstrings = no_tracing = lambda item: item


class TestFailed(Exception):
    pass


class _AlwaysEq:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


class _NeverEq:
    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __hash__(self):
        return 1


class _Largest:
    def __eq__(self, other):
        return isinstance(other, _Largest)

    def __lt__(self, other):
        return False

    def __le__(self, other):
        return isinstance(other, _Largest)

    def __gt__(self, other):
        return not isinstance(other, _Largest)

    def __ge__(self, other):
        return True


class _Smallest:
    def __eq__(self, other):
        return isinstance(other, _Smallest)

    def __gt__(self, other):
        return False

    def __ge__(self, other):
        return isinstance(other, _Smallest)

    def __lt__(self, other):
        return not isinstance(other, _Smallest)

    def __le__(self, other):
        return True


ALWAYS_EQ, NEVER_EQ, LARGEST, SMALLEST = _AlwaysEq(), _NeverEq(), _Largest(), _Smallest()


def cpython_only(item):
    """Tests marked so check details of CPython itself; other implementations skip them, on both sides of the measure."""
    return unittest.skip("CPython only")(item)


def check_impl_detail(**guards):
    return not guards.get("cpython", not any(guards.values()))


def impl_detail(msg=None, **guards):
    return (lambda item: item) if check_impl_detail(**guards) else unittest.skip(msg or "implementation detail")


def refcount_test(item):
    return unittest.skip("counts references")(item)


def gc_collect():
    gc.collect()
    gc.collect()
    gc.collect()


def check_disallow_instantiation(testcase, tp, *args, **kwds):
    with testcase.assertRaisesRegex(TypeError, f"cannot create '.*{tp.__name__}' instances"):
        tp(*args, **kwds)


def check_sanitizer(**kinds):
    return False


def darwin_malloc_err_warning(name):
    pass


def requires_working_socket(module=False):
    return unittest.skip("needs sockets")


def load_package_tests(*args):
    return unittest.TestSuite()


def check_syntax_error(testcase, statement, errtext="", *, lineno=None, offset=None):
    with testcase.assertRaisesRegex(SyntaxError, errtext) as caught:
        compile(statement, "<test string>", "exec")
    error = caught.exception
    testcase.assertIsNotNone(error.lineno)
    if lineno is not None:
        testcase.assertEqual(error.lineno, lineno)
    testcase.assertIsNotNone(error.offset)
    if offset is not None:
        testcase.assertEqual(error.offset, offset)


class _Capture:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        import io
        self.saved = getattr(sys, self.name)
        stream = io.StringIO()
        setattr(sys, self.name, stream)
        return stream

    def __exit__(self, *error):
        setattr(sys, self.name, self.saved)


def captured_stdout():
    return _Capture("stdout")


def captured_stderr():
    return _Capture("stderr")


def captured_output(name):
    return _Capture(name)


def check_free_after_iterating(test, iter, cls, args=()):
    done = False

    class A(cls):
        def __del__(self):
            nonlocal done
            done = True
            try:
                next(it)
            except StopIteration:
                pass

    it = iter(A(*args))
    test.assertRaises(StopIteration, next, it)
    gc_collect()
    test.assertTrue(done)


class _Restore:
    def __init__(self, get, set_, value):
        self.get, self.set, self.value = get, set_, value

    def __enter__(self):
        self.saved = self.get()
        self.set(self.value)
        return self.value

    def __exit__(self, *error):
        self.set(self.saved)


def set_recursion_limit(limit):
    return _Restore(sys.getrecursionlimit, sys.setrecursionlimit, limit)


def infinite_recursion(max_depth=75):
    return set_recursion_limit(max_depth)


def adjust_int_max_str_digits(limit):
    return _Restore(sys.get_int_max_str_digits, sys.set_int_max_str_digits, limit)


class disable_gc:
    def __enter__(self):
        self.was = gc.isenabled()
        gc.disable()

    def __exit__(self, *error):
        if self.was:
            gc.enable()


class SuppressCrashReport:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class catch_unraisable_exception:
    def __init__(self):
        self.unraisable = None

    def _hook(self, unraisable):
        self.unraisable = unraisable

    def __enter__(self):
        self.saved = sys.unraisablehook
        sys.unraisablehook = self._hook
        return self

    def __exit__(self, *error):
        sys.unraisablehook = self.saved
        self.unraisable = None


class swap_attr:
    def __init__(self, obj, name, value):
        self.obj, self.name, self.value = obj, name, value

    def __enter__(self):
        self.saved = getattr(self.obj, self.name, self)
        setattr(self.obj, self.name, self.value)
        return self.saved

    def __exit__(self, *error):
        if self.saved is self:
            delattr(self.obj, self.name)
        else:
            setattr(self.obj, self.name, self.saved)


class swap_item:
    def __init__(self, obj, key, value):
        self.obj, self.key, self.value = obj, key, value

    def __enter__(self):
        self.saved = self.obj.get(self.key, self)
        self.obj[self.key] = self.value

    def __exit__(self, *error):
        if self.saved is self:
            del self.obj[self.key]
        else:
            self.obj[self.key] = self.saved


def run_with_locale(category, *locales):
    return lambda item: unittest.skip("changes the locale")(item)


def run_with_tz(zone):
    return lambda item: unittest.skip("changes the time zone")(item)


def bigmemtest(size, memuse, dry_run=True):
    return lambda item: unittest.skip("needs much memory")(item)


def bigaddrspacetest(item):
    return unittest.skip("needs much memory")(item)


def requires_resource(resource):
    return unittest.skip("needs the resource " + resource)


def requires(resource, msg=None):
    raise unittest.SkipTest("needs the resource " + resource)


def is_resource_enabled(resource):
    return False


def requires_limited_api(item):
    return unittest.skip("C API")(item)


def requires_specialization(item):
    return unittest.skip("CPython only")(item)


def skip_if_pgo_task(item):
    return item


def skip_emscripten_stack_overflow():
    return lambda item: item


def skip_wasi_stack_overflow():
    return lambda item: item


def get_attribute(obj, name):
    try:
        return getattr(obj, name)
    except AttributeError:
        raise unittest.SkipTest(f"object {obj!r} has no attribute {name!r}")


def sortdict(mapping):
    return "{" + ", ".join(f"{key!r}: {mapping[key]!r}" for key in sorted(mapping)) + "}"


def requires_subprocess():
    return unittest.skip("runs another process")


def check_sizeof(*args):
    raise unittest.SkipTest("CPython only")


REPO_ROOT = STDLIB_DIR = TEST_HOME_DIR = "."


class Error(Exception):
    pass


def requires_mac_ver(*version):
    return lambda item: item


def requires_debug_ranges(reason="needs co_positions"):
    return unittest.skip(reason)


def requires_legacy_unicode_capi(item=None):
    return unittest.skip("C API")(item) if item is not None else unittest.skip("C API")


def maybe_get_event_loop_policy():
    return None


def bind_unix_socket(*args):
    raise unittest.SkipTest("needs sockets")


def force_not_colorized(item):
    return item


def exceeds_recursion_limit():
    return 100_000


def get_c_recursion_limit():
    return 1500


def args_from_interpreter_flags():
    return []


def run_unittest(*classes):
    raise NotImplementedError


def requires_fork():
    return unittest.skip("forks")


class BrokenIter:
    """An iterator whose steps fail where they are told to (the tests of comprehensions look at the traceback)."""

    def __init__(self, init_raises=False, next_raises=False, iter_raises=False):
        self.raises = {"next": next_raises, "iter": iter_raises}
        if init_raises:
            1 / 0

    def __next__(self):
        if self.raises["next"]:
            1 / 0

    def __iter__(self):
        if self.raises["iter"]:
            1 / 0
        return self
