print('a' "b" '''c''' """d""", 'it\'s', "q\"q", '\\', '\n'.join(['x', 'y']), "\t|", '\x41\u0042\U00000043\N{LATIN SMALL LETTER D}\105\06', "a\
b", r'\n\x', R"\"", b'\x00\xff', B"a", rb'\n', Rb'\1', bR"\'", u'u', U"U", '')
print("""multi
  line "with" quotes ""and"" 
""", '''x'''
 '''y''', "\0\a\b".encode(), "\'", '\"', len("\
\
"), "\8\q" if False else "")
print(len("é"), len("e\u0301"), "日本語"[1], "\U0001F600", "\ud83d" == "\ud83d", "ﬁ", "\u200d" in "a\u200db")
x = ("implicit "
     "concatenation "
     f"with {1 + 1} "
     r"raw\n")
print(x, "tab\there", 'a' 'b' * 2, ('a' 'b') * 2, "%s" "%s" % (1, 2), "a" "b".upper(), ["x" "y", "z"])
for src in ("'abc", '"abc', "'''abc", "'a\nb'", "b'é'", "'\\x4'", "'\\u123'", "'\\U00110000'", "'\\N{NOPE}'", "'\\N'", "b'\\x4'", "u'a' b'b'", "ur'x'", "'\\", "'a' 'b", "r'\\'", "'\\400'", "b'\\400'", "'\\d'", "f'{1}' b''", "'a'b'c'", "'\\xg'", "\"\"\"a\"\""):
    try: print(src, ascii(eval(src)))
    except SyntaxError as e: print(src, "->", e.msg)
