for enc in ("utf-8", "utf-16-le", "utf-32-be", "latin-1", "cp1252", "ascii"):
    for errors in ("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace"):
        try:
            print(enc, errors, "aé€😀".encode(enc, errors))
        except UnicodeEncodeError as e:
            print(enc, errors, type(e).__name__, e, e.start, e.end, e.reason, ascii(e.object))
for data, enc in [(b"caf\xc3\xa9", "utf-8"), (b"\xff\xfe", "utf-8"), (b"\xc3", "utf-8"), (b"\xe9", "latin-1"), (b"\x80", "ascii"), (b"ab", "utf-16"), (b"abc", "utf-16-le")]:
    for errors in ("strict", "ignore", "replace", "backslashreplace"):
        try:
            print(data, enc, errors, ascii(data.decode(enc, errors)))
        except UnicodeDecodeError as e:
            print(data, enc, errors, e, e.start, e.end, e.object)
for f in (lambda: "a".encode("nope"), lambda: b"a".decode("nope"), lambda: "é".encode("ascii", "weird"), lambda: "a".encode(5), lambda: "\ud800".encode()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, ascii(str(e)))
print("\ud800".encode("utf-8", "surrogatepass"), b"\xff".decode("utf-8", "surrogateescape").encode("utf-8", "surrogateescape"))
