class Parser:
    def __init__(self, run): self.run = run
    def __call__(self, text):
        r = self.run(text, 0)
        if r is None: raise ValueError(f"cannot parse {text!r}")
        v, i = r
        if i != len(text): raise ValueError(f"stopped at {i} in {text!r}")
        return v
    def __or__(self, o): return Parser(lambda t, i: self.run(t, i) or o.run(t, i))
    def __add__(self, o):
        def run(t, i):
            if (a := self.run(t, i)) is None or (b := o.run(t, a[1])) is None: return None
            return (a[0] + b[0], b[1])
        return Parser(run)
    def __rshift__(self, f): return Parser(lambda t, i: (f(r[0]), r[1]) if (r := self.run(t, i)) else None)
    def __lshift__(self, o): return (self >> (lambda v: [v])) + (o >> (lambda _: [])) >> (lambda v: v[0])
    def many(self, least=0):
        def run(t, i):
            out = []
            while (r := self.run(t, i)) is not None and r[1] > i: out.append(r[0]); i = r[1]
            return (out, i) if len(out) >= least else None
        return Parser(run)
    def sep(self, s): return (self >> (lambda v: [v])) + ((s >> (lambda _: [])) + (self >> (lambda v: [v])) >> (lambda v: v[0])).many() | Parser(lambda t, i: ([], i))
def sat(f): return Parser(lambda t, i: (t[i], i + 1) if i < len(t) and f(t[i]) else None)
def lit(s): return Parser(lambda t, i: (s, i + len(s)) if t.startswith(s, i) else None)
def lazy(f): return Parser(lambda t, i: f().run(t, i))
ws = sat(str.isspace).many() >> "".join
def tok(p): return p << ws
def sym(s): return tok(lit(s))
def between(a, p, b): return Parser(lambda t, i: ((m[0], e[1]) if (s := sym(a).run(t, i)) and (m := p.run(t, s[1])) and (e := sym(b).run(t, m[1])) else None))
digits = sat(str.isdigit).many(1) >> "".join
number = tok((lit("-") | Parser(lambda t, i: ("", i))) + digits + ((lit(".") + digits) | Parser(lambda t, i: ("", i)))) >> (lambda s: float(s) if "." in s else int(s))
string = tok(lit('"') + (sat(lambda c: c != '"').many() >> "".join) + lit('"')) >> (lambda s: s[1:-1])
value = lazy(lambda: number | string | array | obj | const)
const = (sym("true") >> (lambda _: [True]) | sym("false") >> (lambda _: [False])) >> (lambda v: v[0])
array = between("[", value.sep(sym(",")), "]")
pair = (string >> (lambda k: [k])) + (sym(":") >> (lambda _: [])) + (value >> (lambda v: [v]))
obj = between("{", pair.sep(sym(",")), "}") >> dict
for t in ('1', '-2.50', '"hi there"', '[1, [2, "x"], []]', '{"a": 1, "b": [true, false], "c": {"d": {}}}', '[1,', '{"a" 1}', 'nope', '1 2'):
    try: print(t, "=>", value(t))
    except ValueError as e: print(e)
def chain(p, ops):
    def run(t, i):
        if (r := p.run(t, i)) is None: return None
        acc, i = r
        while True:
            for s, f in ops.items():
                if (o := sym(s).run(t, i)) and (b := p.run(t, o[1])): acc, i = f(acc, b[0]), b[1]; break
            else: return acc, i
    return Parser(run)
factor = lazy(lambda: number | between("(", expr, ")"))
term = chain(factor, {"*": lambda a, b: a * b, "/": lambda a, b: a / b})
expr = chain(term, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})
for t in ("1 + 2 * 3", "(1 + 2) * -3", "2 * (3 - (4 - 5)) / 4", "8 / 2 / 2", "1 +", "((1)"):
    try: print(t, "=", expr(t))
    except ValueError as e: print(e)
