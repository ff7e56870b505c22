"""A small doctest that is guest code: examples run through compile(..., 'single') and exec; one docstring is one test."""
import sys
import unittest

NORMALIZE_WHITESPACE, ELLIPSIS, IGNORE_EXCEPTION_DETAIL, DONT_ACCEPT_TRUE_FOR_1, DONT_ACCEPT_BLANKLINE, SKIP = 1, 2, 4, 8, 16, 32
NAMES = {"NORMALIZE_WHITESPACE": 1, "ELLIPSIS": 2, "IGNORE_EXCEPTION_DETAIL": 4, "SKIP": 32}


class Writer:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)
        return len(text)

    def flush(self):
        pass


def examples(text):
    """Yield (source, wanted output, option flags, line) of each example in a docstring."""
    lines = text.expandtabs().split("\n")
    i = 0
    while i < len(lines):
        stripped = lines[i].lstrip()
        if not (stripped.startswith(">>> ") or stripped == ">>>"):
            i += 1
            continue
        indent, start = len(lines[i]) - len(stripped), i
        source = [stripped[4:]]
        i += 1
        while i < len(lines) and (lines[i][indent:indent + 4] == "... " or lines[i][indent:].rstrip() == "..."):
            source.append(lines[i][indent + 4:])
            i += 1
        want = []
        while i < len(lines) and lines[i].strip() and not lines[i].lstrip().startswith(">>> ") and lines[i].strip() != ">>>":
            want.append(lines[i][indent:])
            i += 1
        flags = 0
        for line in source:
            if "doctest:" in line and "#" in line:
                for word in line.split("doctest:", 1)[1].replace(",", " ").split():
                    if word[0] == "+" and word[1:] in NAMES:
                        flags |= NAMES[word[1:]]
        if all(not line.strip() or line.strip().startswith("#") for line in source):
            continue
        yield "\n".join(source) + "\n", "\n".join(want) + ("\n" if want else ""), flags, start + 1


def matches(want, got, flags):
    if want == got or (want, got) in (("1\n", "True\n"), ("0\n", "False\n")):
        return True
    want = "\n".join("" if line.strip() == "<BLANKLINE>" else line for line in want.split("\n"))
    if want == got:
        return True
    if flags & NORMALIZE_WHITESPACE:
        want, got = " ".join(want.split()), " ".join(got.split())
        if want == got:
            return True
    return bool(flags & ELLIPSIS) and ellipsis_match(want, got)


def ellipsis_match(want, got):
    if "..." not in want:
        return want == got
    pieces = want.split("...")
    start, end = 0, len(got)
    if pieces[0]:
        if not got.startswith(pieces[0]):
            return False
        start = len(pieces[0])
    if pieces[-1]:
        if not got.endswith(pieces[-1]) or start + len(pieces[-1]) > len(got):
            return False
        end = len(got) - len(pieces[-1])
    for piece in pieces[1:-1]:
        start = got.find(piece, start, end)
        if start < 0:
            return False
        start += len(piece)
    return start <= end


def exception_of(want):
    """Return the last part of an expected traceback ('Type: message'), or None when no traceback is expected."""
    if not want.startswith(("Traceback (most recent call last):", "Traceback (innermost last):")):
        return None
    lines = want.split("\n")[1:]
    while lines and (lines[0][:1] in (" ", "") or not lines[0][0].isalpha()):
        lines.pop(0)
    return "\n".join(lines)


def exception_text(error):
    cls = type(error)
    name = cls.__qualname__ if cls.__module__ in ("builtins", "__main__") else f"{cls.__module__}.{cls.__qualname__}"
    if isinstance(error, SyntaxError):
        return f"{name}: {error.msg}\n"
    text = str(error)
    return f"{name}: {text}\n" if text else f"{name}\n"


class DocTestCase(unittest.TestCase):
    def __init__(self, name, text, globs, flags):
        super().__init__("runTest")
        self.name, self.text, self.globs, self.flags = name, text, globs, flags

    def id(self):
        return f"doctest {self.name}"

    def runTest(self):
        globs = {key: value for key, value in self.globs.items() if key != "__builtins__"}
        old = sys.stdout
        try:
            for source, want, flags, line in examples(self.text):
                flags |= self.flags
                if flags & SKIP:
                    continue
                sys.stdout = writer = Writer()
                error = None
                try:
                    exec(compile(source, f"<doctest {self.name}>", "single"), globs)
                except KeyboardInterrupt:
                    raise
                except BaseException as caught:
                    error = exception_text(caught)
                finally:
                    sys.stdout = old
                got = "".join(writer.parts)
                if got and not got.endswith("\n"):
                    got += "\n"
                expected = exception_of(want)
                if expected is None:
                    if error is not None:
                        self.fail(f"line {line}: {source!r} raised {error!r}")
                    if not matches(want, got, flags):
                        self.fail(f"line {line}: {source!r} printed {got!r}, not {want!r}")
                elif error is None:
                    self.fail(f"line {line}: {source!r} did not raise {expected!r}")
                elif not matches(expected, error, flags):
                    if not (flags & IGNORE_EXCEPTION_DETAIL and expected.split(":")[0].split(".")[-1] == error.split(":")[0].split(".")[-1].strip()):
                        self.fail(f"line {line}: {source!r} raised {error!r}, not {expected!r}")
        finally:
            sys.stdout = old


def DocFileSuite(*paths, **kwargs):
    return unittest.TestSuite()


def DocTestSuite(module=None, globs=None, extraglobs=None, test_finder=None, optionflags=0, **kwargs):
    module = module if module is not None and not isinstance(module, str) else unittest.current_module
    globs = dict(module.__dict__)
    suite = unittest.TestSuite()
    tests = dict(getattr(module, "__test__", {}))
    if isinstance(module.__doc__, str) and ">>>" in module.__doc__:
        tests["__doc__"] = module.__doc__
    for name, value in list(module.__dict__.items()):
        doc = getattr(value, "__doc__", None)
        if isinstance(doc, str) and ">>>" in doc and getattr(value, "__module__", None) == module.__name__:
            tests[name] = doc
    for name in sorted(tests):
        text = tests[name]
        if not isinstance(text, str):
            text = getattr(text, "__doc__", None) or ""
        if ">>>" in text:
            suite.addTest(DocTestCase(name, text, globs, optionflags))
    return suite
