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
