for s in ["plain", "it's", 'say "hi"', "both ' and \"", "tab\t nl\n cr\r", "back\\slash", "\x00\x1f\x7f", "\x80\xa0\xad", "é€", "😀", "\ud800", "\u200b\u2028", "\N{DEGREE SIGN}", "\a\b\f\v", "\101\x41\u0041\U00000041"]:
    print(repr(s).encode("ascii", "backslashreplace"), ascii(s), len(s))
print(r"raw\n\t", R'\'', rb"\x00", b"\x00\xff\n'", b'"', b"'\"", "con" "cat" 'ed', "multi\
line", """tri
ple "quoted" 'text'""", '''a'b"c''')
print(str(b"ab"), repr(b"\\"), bytes("é", "utf8"), str(b"\xc3\xa9", "utf-8"), str(object=5), str(), str("x"), repr("x"), ascii(["é", {"ü": 1}]))
