class TemplateError(Exception): pass
class Template:
    def __init__(self, text):
        self.tokens = self.split(text)
        self.tree, rest = self.parse(0, ())
        if rest != len(self.tokens): raise TemplateError("unbalanced")
    @staticmethod
    def split(text):
        out, i = [], 0
        while i < len(text):
            starts = [p for p in (text.find("{{", i), text.find("{%", i)) if p >= 0]
            if not starts: out.append(("text", text[i:])); break
            j = min(starts)
            if j > i: out.append(("text", text[i:j]))
            close = "}}" if text[j + 1] == "{" else "%}"
            k = text.find(close, j)
            if k < 0: raise TemplateError(f"unclosed tag at {j}")
            out.append(("expr" if close == "}}" else "tag", text[j + 2:k].strip()))
            i = k + 2
        return out
    def parse(self, i, until):
        nodes = []
        while i < len(self.tokens):
            kind, val = self.tokens[i]
            if kind != "tag": nodes.append((kind, val)); i += 1; continue
            if val in until: return nodes, i
            word, _, rest = val.partition(" ")
            if word == "if":
                yes, i = self.parse(i + 1, ("else", "endif"))
                no = []
                if i < len(self.tokens) and self.tokens[i][1] == "else": no, i = self.parse(i + 1, ("endif",))
                nodes.append(("if", rest, yes, no)); i += 1
            elif word == "for":
                name, _, it = rest.partition(" in ")
                body, i = self.parse(i + 1, ("endfor",))
                nodes.append(("for", name.split(","), it, body)); i += 1
            else: raise TemplateError(f"unknown tag {word!r}")
        if until: raise TemplateError(f"expected one of {until}")
        return nodes, i
    FILTERS = {"upper": str.upper, "len": len, "join": lambda v: ", ".join(map(str, v)), "money": lambda v: f"${v:,.2f}", "title": lambda v: str(v).title()}
    def expr(self, src, ctx):
        src, *filters = [s.strip() for s in src.split("|")]
        v = eval(src, {}, ctx)
        for f in filters: v = self.FILTERS[f](v)
        return v
    def render(self, **ctx): return "".join(self.emit(self.tree, ctx))
    def emit(self, nodes, ctx):
        for n in nodes:
            match n:
                case ("text", t): yield t
                case ("expr", e): yield str(self.expr(e, ctx))
                case ("if", c, yes, no): yield from self.emit(yes if self.expr(c, ctx) else no, ctx)
                case ("for", names, it, body):
                    for k, v in enumerate(self.expr(it, ctx)):
                        inner = {**ctx, "index": k}
                        if len(names) == 1: inner[names[0].strip()] = v
                        else: inner.update(zip((n.strip() for n in names), v))
                        yield from self.emit(body, inner)
t = Template("""Dear {{ name|title }},{% if items %}
You ordered {{ items|len }} things:{% for k, v in items.items() %}
 {{ index + 1 }}. {{ k|upper }} at {{ v|money }}{% if v > 100 %} (expensive!){% else %}{% endif %}{% endfor %}
Total {{ sum(items.values())|money }}{% else %}
Nothing.{% endif %}""")
print(t.render(name="ada lovelace", items={"pen": 1.5, "desk": 250}))
print(t.render(name="bob", items={}))
print(Template("{% for r in rows %}{% for c in r %}{{ c }},{% endfor %};{% endfor %}").render(rows=[[1, 2], [], [3]]))
for bad in ("{{ x", "{% if a %}", "{% wat %}", "{% endif %}", "{{ missing }}", "{{ 1 | nofilter }}", "{{ 1 / 0 }}", "{{ a b }}"):
    try: print(Template(bad).render(a=1))
    except Exception as e: print(bad, "->", type(e).__name__, e)
