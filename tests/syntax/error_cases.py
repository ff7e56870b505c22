"""Collect invalid sources from CPython's own tests, at run time, from the host's ``test``
package: the doctests of a module, and every source that its test methods give to
``compile``, ``exec`` or ``eval`` and that the host refuses."""
import builtins
import contextlib
import doctest
import importlib
import io
import sys
import unittest
import warnings

MODULES = ("test_syntax", "test_exceptions", "test_fstring")
MORE_MODULES = (
    "test_grammar",
    "test_named_expressions",
    "test_patma",
    "test_positional_only_arg",
    "test_keywordonlyarg",
    "test_unpack_ex",
    "test_genexps",
    "test_generators",
    "test_except_star",
    "test_eof",
    "test_string_literals",
    "test_unicode_identifiers",
    "test_type_params",
    "test_type_aliases",
    "test_type_comments",
    "test_future_stmt.test_future",
    "test_future",
    "test_global",
    "test_with",
    "test_coroutines",
    "test_compile",
    "test_flufl",
    "test_dictcomps",
    "test_setcomps",
    "test_listcomps",
)


def host_error(source, mode):
    """Return the SyntaxError that the host's parser raises for ``source``, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<case>", mode, 0x400 | 0x2000 * 0, dont_inherit=True)
        except SyntaxError as error:
            return error
        except (ValueError, MemoryError, RecursionError, OverflowError):
            return None
    return None


def _doctest_sources(module):
    parser = doctest.DocTestParser()
    texts = [module.__doc__ or ""]
    texts += [getattr(module, name) for name in dir(module) if name == "doctests"]
    texts += [str(text) for text in getattr(module, "__test__", {}).values()]
    for text in texts:
        if isinstance(text, str):
            for example in parser.get_examples(text):
                if example.exc_msg is not None:
                    yield example.source, "single"


class _Recorder:
    """Stands in for compile, exec and eval while tests run."""

    def __init__(self):
        self.found = []
        self.originals = {name: getattr(builtins, name) for name in ("compile", "exec", "eval")}

    def compile(self, source, *args, **kwargs):
        mode = args[1] if len(args) > 1 else kwargs.get("mode", "exec")
        return self._run("compile", mode, source, args, kwargs)

    def _run(self, name, mode, source, args, kwargs):
        try:
            return self.originals[name](source, *args, **kwargs)
        except SyntaxError:
            if isinstance(source, (str, bytes)) and mode in ("exec", "eval", "single"):
                self.found.append((source, mode))
            raise

    def exec(self, source, *args, **kwargs):
        if not args:
            frame = sys._getframe(1)
            args = (frame.f_globals, frame.f_locals)
        return self._run("exec", "exec", source, args, kwargs)

    def eval(self, source, *args, **kwargs):
        if not args:
            frame = sys._getframe(1)
            args = (frame.f_globals, frame.f_locals)
        return self._run("eval", "eval", source, args, kwargs)


@contextlib.contextmanager
def _recording(recorder):
    for name in recorder.originals:
        setattr(builtins, name, getattr(recorder, name))
    try:
        yield
    finally:
        for name, value in recorder.originals.items():
            setattr(builtins, name, value)


def _run_tests(module, recorder):
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    skip = ("depth", "deep", "recursion", "memory", "stack", "nested", "many", "overflow")
    pending = [suite]
    while pending:
        test = pending.pop()
        if isinstance(test, unittest.TestSuite):
            pending.extend(test)
            continue
        if isinstance(test, doctest.DocTestCase) or any(word in test.id().lower() for word in skip):
            continue
        with _recording(recorder), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test.run(unittest.TestResult())


def collect(module_name):
    """Return the distinct ``(source, mode)`` of a module that the host's parser refuses."""
    try:
        module = importlib.import_module("test." + module_name)
    except ImportError:
        return []
    recorder = _Recorder()
    sources = list(_doctest_sources(module))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        _run_tests(module, recorder)
    sources += recorder.found
    return [case for case in dict.fromkeys(sources) if host_error(*case) is not None]


def facts(error):
    """The fields that are compared: type, message, line, column."""
    return type(error).__name__, error.msg, error.lineno, error.offset


def more_facts(error):
    """The remaining fields: end and source line."""
    text = error.text
    return error.end_lineno, error.end_offset, text.rstrip("\n") if text else text
