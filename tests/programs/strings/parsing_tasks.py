def is_palindrome(s): t = [c.lower() for c in s if c.isalnum()]; return t == t[::-1]
def camel(s): first, *rest = s.split("_"); return first + "".join(map(str.title, rest))
def snake(s): return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(s))
def balanced(s):
    stack, pairs = [], {")": "(", "]": "[", "}": "{"}
    for i, c in enumerate(s):
        if c in pairs.values(): stack.append((c, i))
        elif c in pairs and (not stack or stack.pop()[0] != pairs[c]): return f"bad {c} at {i}"
    return "ok" if not stack else f"open {stack[-1]}"
def parse_query(q): return {k: v if len(v) > 1 else v[0] for k, v in (lambda d: [d.setdefault(p.partition("=")[0], []).append(p.partition("=")[2]) for p in q.lstrip("?").split("&") if p] and d or d)({}).items()}
def parse_log(line):
    try: ts, level, *msg = line.split(maxsplit=2); h, m = map(int, ts.split(":"))
    except ValueError as e: return f"bad line: {e}"
    return {"minute": h * 60 + m, "level": level.strip("[]").lower(), "msg": msg[0] if msg else ""}
def number(s):
    for f in (int, float, complex):
        try: return f(s)
        except ValueError: pass
    return {"true": True, "false": False, "none": None}.get(s.lower(), s)
def glob(p, s):
    if not p: return not s
    if p[0] == "*": return glob(p[1:], s) or bool(s) and glob(p, s[1:])
    return bool(s) and p[0] in ("?", s[0]) and glob(p[1:], s[1:])
def ngrams(s, n): return [s[i:i + n] for i in range(len(s) - n + 1)]
def human(n):
    for u in ("B", "K", "M", "G"):
        if abs(n) < 1024: return f"{n:.1f}{u}".replace(".0", "")
        n /= 1024
    return f"{n:.1f}T"
print([is_palindrome(s) for s in ("A man, a plan, a canal: Panama", "abc", "")], camel("snake_case_name"), snake("CamelCaseName"), [balanced(s) for s in ("([]{})", "([)]", "((", "")])
print(parse_query("?a=1&b=2&a=3&c&d="), [parse_log(l) for l in ("12:30 [WARN] disk is full", "x", "9:05 INFO", "a:b c d")])
print([number(s) for s in ("12", "-1.5", "1e3", "2j", "True", "none", "abc", "0x10")], [glob("a*c?", s) for s in ("abbcd", "acx", "ac")], ngrams("abcd", 2), [human(n) for n in (10, 2048, 5 * 1024**2, 7 * 1024**4)])
print("\n".join(f"{i:>2}: {l.rstrip():<12}|" for i, l in enumerate("first\n  second  \n\tthird".expandtabs(4).splitlines(), 1)), " ".join(w.capitalize() for w in "the end".split()), "-".join(sorted(set("mississippi"))), "".join(dict.fromkeys("mississippi")), "abc".zfill(5), "a,b;c d".replace(",", " ").replace(";", " ").split(), "x=1;y=2".split(";")[1].partition("="), max("the longest word wins".split(), key=len))
def justify(words, w):
    line, n = [], 0
    for word in words + [None]:
        if word is None or n + len(word) + len(line) > w:
            if word is None or len(line) == 1: yield " ".join(line).ljust(w)
            else:
                q, r = divmod(w - n, len(line) - 1)
                yield "".join(x + " " * (q + (i < r)) for i, x in enumerate(line[:-1])) + line[-1]
            line, n = [], 0
        if word: line.append(word); n += len(word)
print(*(f"|{l}|" for l in justify("This is an example of text justification.".split(), 16)), sep="\n")
