b = b"Hello World\x00\xff"
print(b, len(b), b[0], b[-1], b[1:4], b[::-1], list(b[:3]), b.hex(), b.hex("-"), b.hex(":", 2), bytes.fromhex("de ad BE ef"))
print(bytes(3), bytes([1, 2, 255]), bytes("é", "utf-8"), bytes(b"x"), bytes(bytearray(b"y")), bytes(range(3)), bytes(), bytes((65, 66)))
print(b.upper(), b.lower(), b.title(), b.swapcase(), b.split(), b.find(b"o"), b.find(111), b.count(b"l"), b.replace(b"l", b"L"), b.startswith(b"He"), b.partition(b" "), b.strip(b"H\xff"), b.isalpha(), b"12".isdigit(), b"a,b".split(b","), b",".join([b"x", bytearray(b"y")]), b"7".zfill(3), b"a\tb".expandtabs(2), b"ab\ncd".splitlines(), b"x".center(5, b"-"))
print(b"a" < b"b", b"a" == "a", b"a" != bytearray(b"a"), hash(b"a") == hash(b"a"), b"%d-%s-%b-%x-%c-%a" % (5, b"s", b"b", 255, 65, "é"), b"abc" in b"xabcx", 65 in b"A", b"" in b"a")
for f in (lambda: bytes("é"), lambda: bytes([256]), lambda: bytes([-1]), lambda: bytes(-1), lambda: bytes("a", "nope"), lambda: b[100], lambda: b["a"], lambda: b"a".join(["s"]), lambda: bytes.fromhex("zz"), lambda: bytes.fromhex("abc"), lambda: b"a".find("a"), lambda: exec("b[0] = 1", {"b": b}), lambda: bytes(1.5), lambda: bytes(None), lambda: b"%s" % "x", lambda: bytes(5, "utf8"), lambda: b"x".decode(errors=1), lambda: bytes(["a"]), lambda: bytes(10**30)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
