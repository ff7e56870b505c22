class AppError(Exception):
    """Base error."""
    code = 100
    def __init__(self, message, *, detail=None):
        super().__init__(message)
        self.detail = detail
    def __str__(self): return f"[{self.code}] {super().__str__()}" + (f" ({self.detail})" if self.detail else "")
class NotFound(AppError):
    code = 404
    def __init__(self, what): super().__init__(f"{what} not found", detail=what.upper()); self.what = what
class Multi(NotFound, KeyError): pass
class Weird(Exception):
    def __str__(self): return 5
class BadInit(Exception):
    def __init__(self): raise TypeError("init failed")
class NoSuper(Exception):
    def __init__(self, a, b): self.a = a
class Eq(Exception):
    def __eq__(self, o): return True
    __hash__ = None
class WithNew(Exception):
    def __new__(cls, *a):
        self = super().__new__(cls, *a)
        self.made = a
        return self
for make in (lambda: AppError("plain"), lambda: AppError("m", detail=3), lambda: NotFound("page"), lambda: Multi("thing"), lambda: Weird("w"), lambda: BadInit(), lambda: NoSuper(1, 2), lambda: Eq(1), lambda: WithNew(1, 2)):
    try:
        raise make()
    except Exception as e:
        try:
            text = str(e)
        except TypeError as t:
            text = f"str failed: {t}"
        print(type(e).__name__, e.args, text, repr(e), sorted(k for k in e.__dict__), isinstance(e, KeyError))
print(Multi.__mro__[1].__name__, issubclass(NotFound, AppError), AppError.__doc__, [c.__name__ for c in Multi.__mro__])
try:
    raise NotFound("user")
except (ValueError, AppError) as e:
    print(e.code, e.detail, e.what)
e = ValueError("a", "b")
e.extra = 1
e.args = ("new",)
print(e, e.args, e.extra, repr(e), e.__dict__, ValueError("x") == ValueError("x"), str(ValueError()), repr(ValueError()), str(KeyError("k")), str(KeyError()), repr(Exception(1,)))
class Slots(Exception):
    __slots__ = ("q",)
s = Slots(1); s.q = 2; s.z = 3
print(s.q, s.__dict__, s)
