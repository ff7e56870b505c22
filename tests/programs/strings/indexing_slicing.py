s = "héllo wörld"
print(s[0], s[-1], s[1:4], s[::-1], s[::2], s[-5:], s[:-5], s[10:0:-3], s[5:2], s[100:], s[-100:3], s[::-2], s[None:None], s[True], s[:], s[3:3], s[2**40:], s[:-2**70], s[::2**70])
for i in (11, -12, "a", None, 1.0, (1, 2), 2**70, slice(None, None, 0), slice("a", 2), slice(1.5)):
    try:
        print(s[i])
    except Exception as e:
        print(repr(i), type(e).__name__, e)
for op in (lambda: s.__setitem__(0, "x"), lambda: exec("s[0] = 'x'", {"s": s}), lambda: exec("del s[0]", {"s": s}), lambda: exec("del s[1:2]", {"s": s}), lambda: exec("s.x = 1", {"s": s})):
    try:
        op()
    except Exception as e:
        print(type(e).__name__, e)
print(len(s), list("héy"), tuple("ab"), sorted("hello"), reversed("abc"), ) if False else print(len(s), list("héy"), tuple("ab"), sorted("hello"), "".join(reversed("abc")), max("hello"), min("hello"), [*"xyz"], *"pq", sep=",")
print([ord(c) for c in "aé€😀"], chr(97), chr(0x1F600), "😀"[0], len("😀"), "\N{BULLET}", "\u00e9" == "é", "e\u0301" == "é")
