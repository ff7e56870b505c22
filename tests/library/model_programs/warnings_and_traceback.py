import io
import sys
import traceback
import warnings


def inner(x):
    return 1 / x


def outer():
    inner(0)


try:
    outer()
except ZeroDivisionError as error:
    lines = traceback.format_exception(error)
    print(lines[0].strip(), lines[-1].strip(), len(lines))
    print(traceback.format_exception_only(error), traceback.format_exc().splitlines()[-1])
    print([(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__)])
    print(traceback.extract_tb(error.__traceback__)[-1].name, [n for _, n in traceback.walk_tb(error.__traceback__)])
    stream = io.StringIO()
    traceback.print_exc(file=stream)
    print(stream.getvalue().count("line"), stream.getvalue().splitlines()[-1])
try:
    try:
        outer()
    except ZeroDivisionError as error:
        raise KeyError("k") from error
except KeyError as error:
    text = traceback.format_exc()
    print("direct cause" in text, text.splitlines()[-1])
    te = traceback.TracebackException.from_exception(error)
    print(te.exc_type.__name__, str(te), te.__cause__.exc_type.__name__, [f.name for f in te.__cause__.stack])
try:
    raise ExceptionGroup("eg", [ValueError(1), TypeError("t")])
except ExceptionGroup:
    print([line for line in traceback.format_exc().splitlines() if "|" in line or "+" in line][-4:])
print([f.name for f in traceback.extract_stack()][-1:])


def stack():
    return [f.name for f in traceback.extract_stack()][-2:]


print(stack())
try:
    compile("a b", "<s>", "exec")
except SyntaxError as error:
    print("".join(traceback.format_exception_only(error)))

# ---- warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("first")
    warnings.warn("second", DeprecationWarning)
    warnings.warn(UserWarning("third"), stacklevel=1)
print([(w.category.__name__, str(w.message)) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("raised", RuntimeWarning)
    except RuntimeWarning as error:
        print("error", error)
with warnings.catch_warnings(record=True) as caught:
    warnings.filterwarnings("ignore", message="quiet.*")
    warnings.simplefilter("always", append=True)
    warnings.warn("quiet please")
    warnings.warn("loud")
print([str(w.message) for w in caught])


def deprecated():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("default")
    for _ in range(3):
        deprecated()
print(len(caught), caught[0].lineno, caught[0].category.__name__)
stream = io.StringIO()
old, sys.stderr = sys.stderr, stream
warnings.warn("to stderr")
sys.stderr = old
print(stream.getvalue().splitlines()[0].rpartition(":")[2], "UserWarning" in stream.getvalue())
print(warnings.formatwarning("m", UserWarning, "f.py", 3, "code line"))
try:
    warnings.warn("x", int)
except TypeError as error:
    print(error)
try:
    warnings.simplefilter("bogus")
except (AssertionError, ValueError) as error:
    print(type(error).__name__)
