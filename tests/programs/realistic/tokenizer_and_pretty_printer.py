KEYWORDS = {"if", "else", "while", "return", "func", "var"}
class Token:
    __match_args__ = ("kind", "text")
    def __init__(self, kind, text, line): self.kind, self.text, self.line = kind, text, line
    def __repr__(self): return f"{self.kind}:{self.text}"
def lex(src):
    i, line = 0, 1
    ops = ["==", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "<", ">", "=", "(", ")", "{", "}", ",", ";", "!"]
    while i < len(src):
        c = src[i]
        if c == "\n": line += 1; i += 1; continue
        if c in " \t": i += 1; continue
        if src.startswith("//", i):
            while i < len(src) and src[i] != "\n": i += 1
            continue
        j = i
        if c.isdigit():
            while j < len(src) and (src[j].isdigit() or src[j] == "."): j += 1
            yield Token("num", src[i:j], line)
        elif c.isalpha():
            while j < len(src) and src[j].isalnum(): j += 1
            yield Token("kw" if src[i:j] in KEYWORDS else "id", src[i:j], line)
        elif c == '"':
            j = src.find('"', i + 1) + 1
            if not j: raise SyntaxError(f"line {line}: unterminated string")
            yield Token("str", src[i:j], line)
        else:
            for op in ops:
                if src.startswith(op, i): j = i + len(op); yield Token("op", op, line); break
            else: raise SyntaxError(f"line {line}: bad character {c!r}")
        i = j
def pretty(tokens):
    out, indent, line = [], 0, []
    def flush():
        if line: out.append("    " * indent + " ".join(line).replace(" ;", ";").replace("( ", "(").replace(" )", ")").replace(" ,", ",").replace(" (", "(")); line.clear()
    for t in tokens:
        match t:
            case Token("op", "{"): line.append("{"); flush(); indent += 1
            case Token("op", "}"): flush(); indent -= 1; line.append("}"); flush()
            case Token("op", ";"): line.append(";"); flush()
            case Token("kw", "if" | "while" as k): line.append(k.upper())
            case Token(_, text): line.append(text)
    flush()
    return "\n".join(out)
SRC = '''func add(a,b){var c=a+b;// sum
return c;}
var x = 1.5; while(x<=10&&x!=3){if(x==2){print("two, (2)");}else{x=x*2;}}'''
toks = list(lex(SRC))
print(toks[:8], len(toks), {k: sum(t.kind == k for t in toks) for k in ("kw", "id", "num", "str", "op")}, toks[-1].line)
print(pretty(toks))
for bad in ('x = "abc', "a @ b", "ok;\n\n#"):
    try: list(lex(bad))
    except SyntaxError as e: print(e)
