vals = [None, True, False, 0, 1, 0.0, 1.0, "", "a", [], [0], (), {}, ...]
for v in vals: print(repr(v), v is None, v is not None, v is True, v is False, v == None, v != True, bool(v), not v, "T" if v else "F", v and "and", v or "or", [x for x in [v] if x], isinstance(v, bool))
def f(x=None): return "default" if x is None else x
print(f(), f(None), f(0), f(False), f(""))
def tri(x): return 1 if x is True else 0 if x is False else -1
print([tri(v) for v in vals])
x = None
if x is None: x = 5
if x is not None and x > 3: print("ok")
print(None == False, None == 0, None is None, True == 1, True is 1 if False else "-", False == 0.0, True + 1, True * "ab", [1, 2][True], {True: "t"}[1], {1: "one", True: "t"}, None in [0, None], type(None)() is None)
a = b = None
print(a is b, a is not b, (a, b) == (None, None), hash(None) == hash(None), repr(None), str(True), f"{None}{True}", int(True), float(False), complex(True), bool("False"), bool(None), abs(True), -True, +False, ~True, True ** 2, True // 1, True % 2, True < 2, True & 0, True | 2, True ^ True, True << 2, divmod(True, 1), round(True), max(True, 1), min(False, 0), sum([True, None or 1]))
for e in ("None + 1", "None < 1", "-None", "None[0]", "None()", "len(None)", "None.x", "for i in None: pass", "None @ 1", "True()", "True[0]", "True.x", "None > None", "a, b = None", "None += 1", "True = 1", "x = None.y", "*None,"):
    try: exec(e); print(e, "ok")
    except Exception as ex: print(e, type(ex).__name__, ex.msg if isinstance(ex, SyntaxError) else ex)
def count(xs): return sum(x is None for x in xs), sum(x is not None for x in xs), sum(not x for x in xs), sum(1 for x in xs if x)
print(count(vals), any(vals), all(vals), [v for v in vals if v is not None and v is not False][:3])
i = 5; j = 5.0; k = True
print(i is i, j is j, i == j, k == 1, i is not None, (i and j), (k and i), i or 1 / 0, not i, not not i, i if k else j, (None or 0 or "" or [] or "end"))
