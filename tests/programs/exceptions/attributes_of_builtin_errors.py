def grab(f):
    try: f()
    except Exception as e: return e
e = grab(lambda: {}["missing"]); print(e.args, str(e))
e = grab(lambda: undefined_thing); print(e.name, e)
class A:
    existing = 1
e = grab(lambda: A().exsting); print(e.name, type(e.obj).__name__, e)
e = grab(lambda: A.nope); print(e.name, e.obj is A, e)
e = grab(lambda: "x".encode("ascii") + "é".encode("ascii")); print(e.encoding, e.object, e.start, e.end, e.reason)
e = grab(lambda: b"\xff".decode("utf8")); print(e.encoding, e.object, e.start, e.end, e.reason)
e = grab(lambda: next(iter([]))); print(repr(e), e.value)
e = OSError(2, "No such", "f.txt"); print(type(e).__name__, e.errno, e.strerror, e.filename, e, e.args)
e = OSError(13, "perm"); print(type(e).__name__, e)
e = OSError("only"); print(e.errno, e)
e = SyntaxError("m", ("file", 3, 7, "code line", 3, 9)); print(e.msg, e.filename, e.lineno, e.offset, e.text, e.end_lineno, e.end_offset, e)
e = ImportError("no", name="n", path="p"); print(e.name, e.path, e.msg)
e = SystemExit(4); print(e.code, SystemExit().code, SystemExit("bye").code, SystemExit(1, 2).code)
e = StopIteration(1); e.value = 9; print(e.value, e.args)
e = UnicodeEncodeError("ascii", "né", 1, 2, "bad"); print(e, e.start)
e = UnicodeTranslateError("né", 0, 2, "bad"); print(e)
e = KeyError("k"); print(e.with_traceback(None) is e, e.__traceback__)
e = grab(lambda: 1 / 0); print(e.__traceback__ is not None, e.__traceback__.tb_lineno > 0, e.with_traceback(None).__traceback__)
e = BaseExceptionGroup("g", [ValueError(1)]); print(type(e).__name__, e.message, e.exceptions, e)
print(issubclass(FileNotFoundError, OSError), IOError is OSError, EnvironmentError is OSError, issubclass(IndexError, LookupError), issubclass(UnicodeError, ValueError), issubclass(KeyboardInterrupt, Exception), issubclass(RecursionError, RuntimeError), issubclass(ModuleNotFoundError, ImportError), issubclass(BlockingIOError, OSError), ConnectionResetError.__mro__[1].__name__, issubclass(IndentationError, SyntaxError))
for bad in (lambda: UnicodeDecodeError("a"), lambda: UnicodeDecodeError("utf8", "str", 0, 1, "r"), lambda: ImportError(foo=1), lambda: KeyError(a=1), lambda: SyntaxError("m", (1,)), lambda: ExceptionGroup("x", []), lambda: ExceptionGroup("x", [1]), lambda: ExceptionGroup(1, [ValueError()]), lambda: ExceptionGroup("x", [KeyboardInterrupt()]), lambda: ExceptionGroup("x")):
    print(type(grab(bad)).__name__, grab(bad))
