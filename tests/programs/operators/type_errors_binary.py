things = [1, 1.5, "s", b"b", [1], (1,), {1}, {1: 2}, None, range(2), 1j]
names = ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"]
for op in names:
    code = compile("a %s b" % op, "<op>", "eval")
    for a in things:
        for b in things:
            try:
                r = eval(code, {"a": a, "b": b})
            except Exception as e:
                if type(e) is not TypeError or a is b or a is None:
                    print(op, repr(a), repr(b), type(e).__name__, e)
            else:
                print(op, repr(a), repr(b), "->", r if not isinstance(r, set) else sorted(r))
