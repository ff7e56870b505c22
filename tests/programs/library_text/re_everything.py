import re
print(re.findall(r"(\w+)=(\d+)", "a=1, bb=22,c=x"), re.findall(r"\d", "1a2"), re.findall("", "ab"))
m = re.match(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?", "2024-05 rest")
print(m, m.groups(), m.groups("?"), m.groupdict(), m.span("m"), m.start(), m.end(), m[1], m["y"], m.lastgroup, m.lastindex, m.pos, m.endpos, m.string, m.re.pattern, m.regs)
print(m.expand(r"\g<m>/\1 [\g<d>]"))
print(re.sub(r"(\w)(\w)", r"\2\1", "abcd e"), re.subn("a", "b", "aaa", count=2), re.sub("x*", "-", "abxd"))
print(re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "a1 b22 c333"))
print(re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"(,)", "a,b"), re.split("", "abc"), re.split(r"\s", "a b c", maxsplit=1))
print([m.span() for m in re.finditer("(?i)ab", "ab AB aB")], re.fullmatch("a+", "aaab"), re.search("b$", "aab"))
p = re.compile(r"""
   (\d+)   # whole
   (\.\d*)?  # fraction
""", re.X | re.M)
print(p, p.flags, p.groups, p.groupindex, p.pattern, p.match("12.5").groups(), p == re.compile(p.pattern, re.X | re.M), hash(p) == hash(re.compile(p.pattern, re.X | re.M)))
for flags in (re.I, re.A | re.S, re.VERBOSE | re.IGNORECASE | re.MULTILINE, re.U, re.NOFLAG, 0, re.RegexFlag(0)):
    print(repr(flags), re.compile("a", flags))
for bad in ["(", "a)", "[a", "*a", "a**", "(?P<n>a)(?P<n>b)", r"\1", "(?<=a+)b", "(?P<1>a)", "a{3,1}", "(?z)", "[b-a]", "\\", "(?P=x)", "(?(1)a|b|c)", "(?", r"\x1", "x{99999999999999999999}"]:
    try:
        re.compile(bad); print(bad, "ok")
    except re.error as e:
        print(bad, "|", e, "|", e.msg, e.pos, e.lineno, e.colno, type(e).__name__, isinstance(e, Exception))
for bad in [r"\2", r"\g<x>", r"\g<", r"\q"]:
    try:
        re.sub("(a)", bad, "a")
    except (re.error, IndexError) as e:
        print(bad, type(e).__name__, e)
print(re.escape("a.b*c[d]é -"), re.escape(b"a.b"))
print(re.findall(rb"\w+", b"ab cd"), re.sub(b"a", b"b", b"aa"))
try:
    re.match(b"a", "a")
except TypeError as e:
    print(e)
print(re.findall(r"(?<!\d)\d{2}(?!\d)", "12 345 67"), re.findall(r"(a)|(b)", "ab"), re.findall(r"(?:(?P<q>['\"])(.*?)(?P=q))", "'a' \"b\""))
print(re.match(r"(?>a+)b", "aab"), re.match(r"a++b", "aab"), re.match(r"(a)?(?(1)b|c)", "ab"), re.match(r"(?s:.)(?-i:B)", "\nB", re.I))
print(re.sub(r"(?m)^", "> ", "a\nb"), re.sub(r"(?P<first>\w+) (?P<second>\w+)", r"\g<second> \g<first>", "hello world"))
text = "The rain in Spain"
print(re.search(r"\bS\w+", text).group(), re.search(r"(?i)the", text).span(), len(re.findall("ai", text)))
tokens = re.compile(r"\s*(?:(\d+)|(.))")
print([(n, o) for n, o in tokens.findall("12 + 3*(4-1)")])
scanner = re.Scanner([(r"[a-z]+", lambda s, t: ("W", t)), (r"\d+", lambda s, t: ("N", int(t))), (r"\s+", None)])
print(scanner.scan("ab 12 cd!"))
print(re.compile("x").scanner("axbx").search(), re.match("a", "a").__copy__(), bool(re.match("", "")))
print(re.sub("(?P<a>.)", lambda m: m.group("a").upper() if m else "", "abc", 2), re.purge())
print(re.match("é", "É", re.I), re.match("É", "é", re.I | re.A), re.findall(r"\w+", "naïve café"), re.findall(r"(?a)\w+", "naïve café"))
try:
    m.group("zzz")
except IndexError as e:
    print(e)
def f(m): raise KeyError("from callback")
try:
    re.sub("a", f, "xax")
except KeyError as e:
    print("KeyError", e)
class S(str): pass
print(type(re.match("a", S("ab")).string).__name__, re.sub("a", "b", S("aa")), type(re.sub("a", "b", S("c"))).__name__)
