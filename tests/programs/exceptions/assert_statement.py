def check(*a):
    try:
        if len(a) == 1: assert a[0]
        else: assert a[0], a[1]
        print("passed")
    except AssertionError as e:
        print(repr(e), e.args, str(e))
check(1); check(0); check([], "empty"); check(None, 5); check(False, ("a", 1)); check("", None); check(0, ValueError("inner")); check([0])
class T:
    def __bool__(self): raise RuntimeError("bool!")
try:
    assert T()
except RuntimeError as e:
    print(e)
log = []
assert 1, log.append("message evaluated")
print(log)
try:
    assert 0, log.append("now evaluated")
except AssertionError as e:
    print(log, e.args)
try:
    assert 1 == 2, f"{1} != {2}"
except AssertionError as e:
    print(e)
assert (1, "always true tuple")
try:
    assert 0, 1 / 0
except ZeroDivisionError as e:
    print(e, e.__context__)
def inv(x):
    assert isinstance(x, int) and x > 0, "need positive int"
    return x
for v in (3, -1, "s"):
    try: print(inv(v))
    except AssertionError as e: print("bad", v, e)
AssertionErrorOld = AssertionError
AssertionError = ValueError
try:
    assert 0, "shadowed"
except Exception as e:
    print(type(e) is AssertionErrorOld)
