# eval, exec, locals and dir in a comprehension see its variables.
print([eval("x + 1") for x in range(3)])
print({eval("k"): eval("v * 2") for k, v in {"a": 1, "b": 2}.items()})
print(sorted({eval("n % 2") for n in range(5)}))
print([eval("x * y") for x in (1, 2) for y in (3, 4)])
print([locals()["i"] for i in "ab"], ["i" in locals() for i in "a"], "i" in globals())
print([("q" in dir(), "q" in vars()) for q in [1]])
print([exec("w = q; print(w)") for q in [1]], "w" in globals())
print(sum(eval("g") for g in range(4)), list(eval("g") for g in "xy"))


def inside(base):
    return [eval("each + 1") + base for each in range(3)], [eval('each') for each in "ab"]


def broken_off():
    try:
        [1 / left for left in (1, 0)]
    except ZeroDivisionError:
        pass
    return sorted(locals()), ["left" in locals() for other in [1]]


def nested():
    return [[eval("inner * 2") for inner in range(outer)] for outer in range(3)]


print(inside(5), nested())
print(broken_off()[0])
