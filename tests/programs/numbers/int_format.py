for n in (0, 5, -5, 1234567, -1234567, 2**70):
    print([format(n, s) for s in ("", "d", "5d", "+d", " d", "05d", "<8d", ">8d", "^8d", "*^9d", "=+8d", "0=8d", ",", "_", "_x", "x", "#x", "X", "#X", "o", "#o", "b", "#b", "#010x", "e", ".2f", "g", "%", "n", "08,d", "<08d")])
print(format(65, "c"), f"{8364:c}", format(True, "d"), format(True), f"{True:5}", f"{False!s:>7}")
for n, s in [(5, "s"), (5, "q"), (5, ".2d"), (5, ".2"), (5, ",x"), (5, ",b"), (-1, "c"), (0x110000, "c"), (5, "c,"), (5, "+c"), (5, "#c"), (5, "__d"), (5, ",_"), (5, "d5")]:
    try:
        print(format(n, s))
    except Exception as e:
        print(n, s, type(e).__name__, e)
print("%d %i %5d|%-5d|%05d %+d % d %x %X %#x %o %#o %c %c" % (1, 2, 3, 4, 5, 6, 7, 255, 255, 255, 8, 8, 65, "z"))
print("%d" % 3.9, "%x" % True, "%s %r %a" % (1, "é", "é"), "%5s|%-5s|%.2s" % ("ab", "ab", "abc"), "%%", "%(a)s-%(b)05d" % {"a": 1, "b": 2}, "%*d|%-*d|%.*f" % (5, 1, 5, 2, 2, 3.14159))
for f, a in [("%d", "x"), ("%d", None), ("%x", 1.5), ("%c", "ab"), ("%c", -1), ("%s %s", 1), ("%s", (1, 2)), ("%z", 1), ("%", 1), ("%(a)s", 1), ("%(a)s", {}), ("x", 1), ("%*d", (1.0, 2)), ("%(a", {})]:
    try:
        print(f % a)
    except Exception as e:
        print(repr(f), type(e).__name__, e)
