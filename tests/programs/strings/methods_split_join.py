print("a b  c ".split(), "a b  c ".split(" "), "a,b,,c".split(","), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "".split(), "".split(","), "  ".split(), "a\u2003b\x1cc".split())
print("one two three".split(None, 1), " one two three ".rsplit(None, 1), "abc".split("abc"), "aXbXc".split("X", 0), "a b c".split(maxsplit=1), "a--b".split(sep="--"), "x".split("yy"))
print("a\nb\r\nc\rd\x0be\x0cf\x85g\u2028h".splitlines(), "a\nb\n".splitlines(), "a\nb\n".splitlines(True), "".splitlines(), "\n".splitlines(keepends=True))
print(",".join(["a", "b"]), "".join([]), "-".join("abc"), "x".join(("only",)), ", ".join(str(i) for i in range(4)), "ab".join({"k": 1}))
for f in (lambda: ",".join([1, 2]), lambda: ",".join(["a", None]), lambda: ",".join(5), lambda: "a".split(""), lambda: "a".split(1), lambda: "a".split(",", "x"), lambda: "".join(["a", b"b"]), lambda: "a".split(",", 1, 2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
