import contextlib
import io
import sys
from contextlib import AbstractContextManager, ContextDecorator, ExitStack, chdir, closing, contextmanager, nullcontext, redirect_stdout, redirect_stderr, suppress


@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as error:
        print("caught", error)
    finally:
        print(f"</{name}>")


with tag("a") as t:
    print(t)
with tag("b"):
    raise ValueError("inside")
try:
    with tag("c"):
        raise KeyError("k")
except KeyError as error:
    print("outside", error)


@tag("deco")
def work():
    return "worked"


print(work(), work.__name__)


@contextmanager
def twice():
    yield 1
    yield 2


try:
    with twice():
        pass
except RuntimeError as error:
    print(error)


@contextmanager
def never():
    if False:
        yield


try:
    with never():
        pass
except RuntimeError as error:
    print(error)


@contextmanager
def stops():
    yield


try:
    with stops():
        raise StopIteration("x")
except StopIteration as error:
    print("stop", error.args)
with suppress(KeyError, IndexError):
    [][1]
print("after")
out = io.StringIO()
with redirect_stdout(out):
    print("captured")
print(repr(out.getvalue()))
err = io.StringIO()
with redirect_stderr(err):
    print("e", file=sys.stderr)
print(repr(err.getvalue()))


class Res:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind and kind.__name__)

    def close(self):
        print("close", self.name)


with ExitStack() as stack:
    for name in "xy":
        stack.enter_context(Res(name))
    stack.callback(print, "callback", sep="|")
    stack.push(lambda *details: print("pushed", details[0]))
try:
    with ExitStack() as stack:
        stack.enter_context(Res("z"))
        stack.callback(lambda: 1 / 0)
        raise KeyError("first")
except ZeroDivisionError as error:
    print(type(error.__context__).__name__)
with ExitStack() as stack:
    stack.enter_context(Res("kept"))
    kept = stack.pop_all()
print("moved")
kept.close()
with closing(Res("cl")) as r:
    print(r.name)
with nullcontext(5) as n:
    print(n)


class Deco(ContextDecorator):
    def __enter__(self):
        print("in")
        return self

    def __exit__(self, *details):
        print("out", details[0])
        return True


@Deco()
def fails():
    raise OSError


print(fails())
try:
    with object():
        pass
except TypeError as error:
    print(error)
print(issubclass(Res, AbstractContextManager), isinstance(tag("q"), AbstractContextManager))


class Managed(AbstractContextManager):
    def __exit__(self, *details):
        return None


with Managed() as m:
    print(type(m).__name__)
