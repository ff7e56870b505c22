trace = []
def t(x):
    trace.append(x)
    return x
def run(label, value):
    print(label, repr(value), trace)
    trace.clear()
run("and", t(0) and t(1))
run("or", t(0) or t("") or t([]) or t(4) or t(5))
run("mix", t(1) and t(0) or t(2) and t(3))
run("not", not (t(0) or t(0)) and not t(1))
run("ternary", t("a") if t(0) else t("b"))
run("nested", (t(1) if t(1) else t(2)) if t(0) else (t(3) if t(1) else t(4)))
run("chain", t(1) < t(3) < t(2) < t(9))
run("cmp-and", t(1) < t(2) and t(2) < t(1) or t("end"))
run("call order", [t(1), t(2), *[t(3)], t(4)])
run("dict order", {t("k1"): t("v1"), t("k2"): t("v2")})
def g(*args, **kw):
    return args, kw
run("call", g(t(1), *t([2, 3]), t(4), a=t(5), **t({"b": 6})))
obj = {}
def target(): trace.append("target"); return obj
def index(): trace.append("index"); return "i"
def value(): trace.append("value"); return "v"
target()[index()] = value()
run("assign", obj)
x = y = target()[index()] = t("multi")
run("multi", (x, y, obj))
a, target()[index()] = t(1), t(2)
run("tuple", (a, obj))
del target()[index()]
run("del", obj)
