def compile_re(p):
    pos = 0
    def alt():
        nonlocal pos
        branches = [seq()]
        while pos < len(p) and p[pos] == "|": pos += 1; branches.append(seq())
        return branches[0] if len(branches) == 1 else ("alt", branches)
    def seq():
        items = []
        while pos < len(p) and p[pos] not in "|)": items.append(rep())
        return ("seq", items)
    def rep():
        nonlocal pos
        a = atom()
        while pos < len(p) and p[pos] in "*+?":
            a = ({"*": "star", "+": "plus", "?": "opt"}[p[pos]], a); pos += 1
        return a
    def atom():
        nonlocal pos
        c = p[pos]; pos += 1
        if c == "(":
            a = alt()
            if pos >= len(p): raise ValueError("missing )")
            pos += 1
            return a
        if c == "[":
            neg = p[pos] == "^"
            pos += neg
            chars = set()
            while p[pos] != "]":
                if p[pos + 1] == "-" and p[pos + 2] != "]":
                    chars |= {chr(o) for o in range(ord(p[pos]), ord(p[pos + 2]) + 1)}; pos += 3
                else: chars.add(p[pos]); pos += 1
            pos += 1
            return ("set", neg, frozenset(chars))
        if c == ".": return ("any",)
        if c == "\\": pos += 1; return {"d": ("set", False, frozenset("0123456789"))}.get(p[pos - 1], ("lit", p[pos - 1]))
        if c in "*+?": raise ValueError(f"nothing to repeat at {pos - 1}")
        return ("lit", c)
    tree = alt()
    if pos != len(p): raise ValueError(f"unbalanced ) at {pos}")
    return tree
def ends(node, s, i):
    match node:
        case ("lit", c):
            if i < len(s) and s[i] == c: yield i + 1
        case ("any",):
            if i < len(s): yield i + 1
        case ("set", neg, chars):
            if i < len(s) and (s[i] in chars) != neg: yield i + 1
        case ("seq", []): yield i
        case ("seq", [first, *rest]):
            for j in ends(first, s, i): yield from ends(("seq", rest), s, j)
        case ("alt", branches):
            for b in branches: yield from ends(b, s, i)
        case ("opt", a): yield from ends(a, s, i); yield i
        case ("plus", a):
            for j in ends(a, s, i): yield from ends(("star", a), s, j)
        case ("star", a):
            for j in ends(a, s, i):
                if j > i: yield from ends(node, s, j)
            yield i
def fullmatch(p, s): return any(j == len(s) for j in ends(compile_re(p), s, 0))
def search(p, s):
    t = compile_re(p)
    for i in range(len(s) + 1):
        for j in ends(t, s, i): return s[i:j]
for p, cases in {"a*b": ["b", "aaab", "aac"], "(ab|cd)+e?": ["ab", "abcde", "e"], "[a-c]+\\d": ["abc1", "d1"], "x.z": ["xyz", "xz"], "[^0-9]*": ["", "abc", "a1"], "a(b|c)*d": ["ad", "abcbd", "abe"], "\\.\\*": [".*", "xx"], "": ["", "a"]}.items():
    print(p, {c: fullmatch(p, c) for c in cases})
print(search("[0-9]+", "abc 123 45"), search("b+", "aabbbc"), search("z", "abc"), search("(a|ab)(c|bcd)", "abcd"))
for bad in ("(a", "a)", "*a"):
    try: compile_re(bad)
    except ValueError as e: print(bad, e)
