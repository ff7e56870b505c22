for n in (255, 256, 257, 1000):
    names = ",".join(f"a{i}" for i in range(n))
    for source in (names + ", *b = range(%d)" % (n + 2), "[" + names + ", *b] = range(%d)" % n,
                   "for " + names + ", *b in [range(%d)]: pass" % (n + 1), names + ", *b = range(%d)" % (n - 1),
                   names + ", *b, c, d = range(%d)" % (n + 5)):
        try:
            exec(source)
        except SyntaxError as e:
            print(n, e.msg, e.lineno, e.offset)
        except ValueError as e:
            print(n, e)
        else:
            print(n, len(b), a0)

for before, after in ((0, 256), (255, 300), (256, 0)):
    for missing in (0, 1):
        names = [f"a{i}" for i in range(before)] + ["*s"] + [f"b{i}" for i in range(after)]
        space = {"x": list(range(before + after + 2 - 3 * missing))}
        for text in (", ".join(names) + ", = x", "match x:\n  case [" + ", ".join(names) + "]: pass\n  case _: s = None"):
            try:
                exec(text, space)
                print(before, after, space["s"], space.get("b0"), space.get(f"b{after - 1}"))
            except (SyntaxError, ValueError) as error:
                print(before, after, error)
