s = "  Hello, World ÄÖß ǆ  "
for name in "capitalize casefold lower upper swapcase title strip lstrip rstrip".split():
    print(name, repr(getattr(s, name)()))
print("xxhixx".strip("x"), "abcba".lstrip("ab"), "abcba".rstrip("ab"), "\t\n x \r".strip() + "|", "a b".strip(None))
print("mañana".center(12, "*"), "x".ljust(4) + "|", "x".rjust(4, "."), "42".zfill(5), "-42".zfill(5), "+1".zfill(4), "abc".center(2), "ab".center(5, "-"))
print("prefix-body".removeprefix("prefix-"), "body.txt".removesuffix(".txt"), "x".removeprefix("y"), "a\tb\tc".expandtabs(4), "ab\tc".expandtabs())
for f in (lambda: "x".center(5, "ab"), lambda: "x".strip(1), lambda: "x".zfill("3"), lambda: "x".ljust(), lambda: "x".upper(1), lambda: "x".nope(), lambda: str.upper(5), lambda: str.upper(), lambda: "x".center("5")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
