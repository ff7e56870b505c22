class Symbol(str): pass
class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__(zip(params, args))
        self.outer = outer
    def find(self, name):
        env = self
        while env is not None:
            if name in env: return env
            env = env.outer
        raise NameError(f"unbound symbol {name}")
class Lambda:
    def __init__(self, params, body, env): self.params, self.body, self.env = params, body, env
    def __call__(self, *args):
        if len(args) != len(self.params): raise TypeError(f"lambda takes {len(self.params)} arguments, got {len(args)}")
        return evaluate(self.body, Env(self.params, args, self.env))
def tokenize(s): return s.replace("(", " ( ").replace(")", " ) ").split()
def parse(tokens):
    if not tokens: raise SyntaxError("unexpected EOF")
    t = tokens.pop(0)
    if t == "(":
        out = []
        while tokens and tokens[0] != ")": out.append(parse(tokens))
        if not tokens: raise SyntaxError("missing )")
        tokens.pop(0)
        return out
    if t == ")": raise SyntaxError("unexpected )")
    for conv in (int, float):
        try: return conv(t)
        except ValueError: pass
    return Symbol(t)
def evaluate(x, env):
    while True:
        if isinstance(x, Symbol): return env.find(x)[x]
        if not isinstance(x, list): return x
        match x:
            case ["quote", v]: return v
            case ["if", test, a, b]: x = a if evaluate(test, env) else b; continue
            case ["define", name, v]: env[name] = evaluate(v, env); return None
            case ["set!", name, v]: env.find(name)[name] = evaluate(v, env); return None
            case ["lambda", params, body]: return Lambda(params, body, env)
            case ["begin", *forms]:
                for f in forms[:-1]: evaluate(f, env)
                x = forms[-1]; continue
            case ["let", binds, body]: return evaluate(body, Env([b[0] for b in binds], [evaluate(b[1], env) for b in binds], env))
        f, *args = [evaluate(e, env) for e in x]
        if isinstance(f, Lambda): x, env = f.body, Env(f.params, args, f.env)
        else: return f(*args)
def show(x): return "(" + " ".join(map(show, x)) + ")" if isinstance(x, list) else "#t" if x is True else "#f" if x is False else str(x)
G = Env()
G.update({"+": lambda *a: sum(a), "-": lambda a, *b: a - sum(b) if b else -a, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "<": lambda a, b: a < b, "=": lambda a, b: a == b, "list": lambda *a: list(a), "car": lambda l: l[0], "cdr": lambda l: l[1:], "cons": lambda a, l: [a] + l, "null?": lambda l: l == [], "map": lambda f, l: [f(v) for v in l], "#t": True, "#f": False})
for line in ["(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))", "(fact 20)", "(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))", "(map fib (list 1 5 10 12))", "(define compose (lambda (f g) (lambda (x) (f (g x)))))", "((compose (lambda (x) (* x 2)) (lambda (x) (+ x 1))) 5)", "(define loop (lambda (i acc) (if (= i 0) acc (loop (- i 1) (+ acc i)))))", "(loop 3000 0)", "(let ((a 1) (b 2)) (+ a b))", "(begin (define c 0) (set! c 5) c)", "(quote (1 (2 x) y))", "(cons 1 (cdr (list 2 3 4)))", "(define counter (let ((n 0)) (lambda () (begin (set! n (+ n 1)) n))))", "(list (counter) (counter))", "(null? (list))", "(undefined 1)", "((lambda (x) x))", "(car (list))", "(+ 1", ")", "(1 2)", "(/ 1 0)"]:
    try:
        r = evaluate(parse(tokenize(line)), G)
        print(line, "=>", show(r) if r is not None else "ok")
    except Exception as e: print(line, "!!", type(e).__name__, e)
