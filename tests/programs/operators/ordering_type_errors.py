things = [1, "s", b"b", [1], (1,), {1}, {1: 2}, None, 1j, range(2), object]
for op in ("<", "<=", ">", ">="):
    for a in things:
        for b in things:
            try:
                r = eval("a %s b" % op, {"a": a, "b": b})
                print(op, type(a).__name__, type(b).__name__, r)
            except TypeError as e:
                print(op, e)
