größe = 1
名前 = "n"
π = 3.14
def été(ß): return ß + 1
class Ключ: значение = 5
print(größe, 名前, π, été(2), Ключ.значение, Ключ.__name__, été.__name__)
ﬁ = 10
print(fi, "fi" in globals(), "ﬁ" in globals())
x𝟏 = 7
print(x1)
match = 1; case = 2; type = 3; _ = 4; print_ = 5
print(match + case + type + _, match, [match], {match: case}, match[0] if False else "", (match), -match)
match, case = case, match
match += 1
match: int = 5
print(match, case)
def match(case): return case
print(match(3), match (4), match("x").upper())
class type: case = 9
print(type.case, type().case)
def _(_): return _
print(_(1))
async_ = 1; await_ = 2; nonlocal_ = 3
print(async_, await_, nonlocal_)
for match in [1]: print(match)
[case for case in "ab"]
lambda match: match
print((lambda case=1: case)(), dict(match=1, case=2, type=3))
match case:
    case 1 | 2 as case: print("bound", case)
try: print(nicht_da_é)
except NameError as e: print(e, e.name)
for src in ("a? = 1", "€ = 1", "a·b = 1", "²x = 1", "x² = 1", "1a = 1", "a\u200b = 1", "a\u00a0= 1", "“x”", "a – b", "\ufeffx = 1", "class = 1", "async = 1", "await = 1", "None.x = 1", "print = 1", "exec = 1", "True.x", "a.None", "a.class", "def True(): 0", "f(None=1)", "lambda None: 0", "nonlocal x", "__debug__ = 1"):
    try: compile(src, "s", "exec"); print("ok", ascii(src))
    except SyntaxError as e: print(ascii(src), "->", ascii(e.msg))
