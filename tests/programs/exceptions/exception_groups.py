G = ExceptionGroup
g = G("top", [ValueError(1), G("sub", [TypeError(2), ValueError(3), G("deep", [KeyError("k")])]), OSError(4)])
print(g, repr(g), g.message, len(g.exceptions), g.args)
print(repr(g.subgroup(ValueError)), repr(g.subgroup((KeyError, OSError))), g.subgroup(ZeroDivisionError), g.subgroup(lambda e: isinstance(e, ValueError) and e.args[0] > 1))
m, r = g.split(ValueError); print(repr(m), "|", repr(r))
m, r = g.split(ZeroDivisionError); print(m, r is g or repr(r))
print(repr(g.derive([ValueError("d")])), type(BaseExceptionGroup("b", [ValueError()])).__name__, type(BaseExceptionGroup("b", [KeyboardInterrupt()])).__name__)
class MyGroup(ExceptionGroup):
    def __new__(cls, message, excs, code=0):
        self = super().__new__(cls, message, excs)
        self.code = code
        return self
    def derive(self, excs): return MyGroup(self.message, excs, self.code)
mg = MyGroup("mine", [ValueError(1), KeyError(2)], 7)
a, b = mg.split(KeyError)
print(type(a).__name__, a.code, type(b).__name__, b.exceptions, isinstance(mg, Exception), issubclass(ExceptionGroup, Exception))
def leaves(e): return [x for s in e.exceptions for x in leaves(s)] if isinstance(e, BaseExceptionGroup) else [e]
print(leaves(g))
try:
    raise mg from ValueError("cause")
except* KeyError as k:
    print(type(k).__name__, k.code, repr(k.__cause__))
except* ValueError as v:
    print(v.exceptions)
for bad in (lambda: G("m", 5), lambda: G("m", [ValueError]), lambda: g.split(5), lambda: g.subgroup("x"), lambda: G(), lambda: g.derive(5)):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
try: g.message = "x"
except AttributeError as e: print(e)
print(ExceptionGroup[int], G("one", (ValueError(),)).exceptions)
