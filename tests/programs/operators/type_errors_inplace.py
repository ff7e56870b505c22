things = [1, 1.5, "s", b"b", (1,), None, {1: 2}]
for op in ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=", "@="]:
    for a in things:
        for b in (None, "t", 2, [3]):
            scope = {"a": a, "b": b}
            try:
                exec("a %s b" % op, scope)
            except Exception as e:
                print(op, repr(a), repr(b), type(e).__name__, e)
            else:
                print(op, repr(a), repr(b), "->", scope["a"])
            a = things[things.index(a)]
