samples = ["", "abc", "ABC", "Abc Def", "123", "1.5", "½", "²", "٣", "a1", "_x", "a b", " ", "\t\n", "é", "ß", "Ⅷ", "\x00", "class", "1a", "\u00a0", "ǅ"]
for s in samples:
    print(ascii(s), [name[2:] for name in ("isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper") if getattr(s, name)()])
