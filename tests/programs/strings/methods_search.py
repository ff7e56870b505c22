s = "abracadabra"
print(s.find("bra"), s.find("bra", 3), s.find("z"), s.rfind("bra"), s.index("c"), s.rindex("a"), s.count("a"), s.count("abra"), s.count(""), "".count(""), s.find(""), s.find("", 20), s.rfind(""))
print(s.find("a", -3), s.find("a", 2, 4), s.count("a", 1, -1), s.startswith("abra"), s.startswith(("x", "a")), s.endswith("bra"), s.endswith(("z",)), s.startswith("bra", 1), s.startswith("", 11), s.startswith("", 12), s.endswith("abr", 0, -1))
print(s.replace("a", "o"), s.replace("a", "", 2), s.replace("", "-"), s.replace("abra", "X"), "aaa".replace("aa", "b"), s.replace("z", "y"), s.replace("a", "A", -1), s.replace("a", "A", 0))
print("a-b-c".partition("-"), "a-b-c".rpartition("-"), "abc".partition("x"), "abc".rpartition("x"))
for f in (lambda: s.index("z"), lambda: s.rindex("z"), lambda: s.partition(""), lambda: s.find(1), lambda: s.startswith(1), lambda: s.startswith(["a"]), lambda: s.replace("a"), lambda: s.replace(1, 2), lambda: s.count(), lambda: s.find("a", "b"), lambda: s.endswith((1,))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
