"""A tokenizer, precedence-climbing parser and evaluator for arithmetic with variables and functions."""

class ParseError(Exception):
    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position

def tokenize(text):
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == ".":
            start = i
            while i < len(text) and (text[i].isdigit() or text[i] == "."):
                i += 1
            number = text[start:i]
            yield ("num", float(number) if "." in number else int(number), start)
        elif c.isalpha() or c == "_":
            start = i
            while i < len(text) and (text[i].isalnum() or text[i] == "_"):
                i += 1
            yield ("name", text[start:i], start)
        elif text.startswith("**", i):
            yield ("op", "**", i)
            i += 2
        elif c in "+-*/%()=,":
            yield ("op", c, i)
            i += 1
        else:
            raise ParseError(f"unexpected {c!r}", i)
    yield ("end", None, len(text))

PRECEDENCE = {"+": (1, "left"), "-": (1, "left"), "*": (2, "left"), "/": (2, "left"), "%": (2, "left"), "**": (4, "right")}

class Parser:
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0

    @property
    def current(self):
        return self.tokens[self.i]

    def advance(self):
        token = self.current
        self.i += 1
        return token

    def accept(self, value):
        if self.current[0] == "op" and self.current[1] == value:
            self.advance()
            return True
        return False

    def expect(self, value):
        if not self.accept(value):
            raise ParseError(f"expected {value!r}, got {self.current[1]!r}", self.current[2])

    def statement(self):
        if self.current[0] == "name" and self.tokens[self.i + 1][1] == "=":
            name = self.advance()[1]
            self.advance()
            tree = ("assign", name, self.expression())
        else:
            tree = self.expression()
        if self.current[0] != "end":
            raise ParseError(f"trailing {self.current[1]!r}", self.current[2])
        return tree

    def expression(self, minimum=1):
        left = self.unary()
        while self.current[0] == "op" and self.current[1] in PRECEDENCE:
            op = self.current[1]
            level, side = PRECEDENCE[op]
            if level < minimum:
                break
            self.advance()
            right = self.expression(level + (side == "left"))
            left = ("bin", op, left, right)
        return left

    def unary(self):
        if self.accept("-"):
            return ("neg", self.expression(3))
        if self.accept("+"):
            return self.unary()
        return self.atom()

    def atom(self):
        kind, value, position = self.advance()
        if kind == "num":
            return ("num", value)
        if kind == "name":
            if self.accept("("):
                args = []
                if not self.accept(")"):
                    args.append(self.expression())
                    while self.accept(","):
                        args.append(self.expression())
                    self.expect(")")
                return ("call", value, args)
            return ("var", value)
        if value == "(":
            tree = self.expression()
            self.expect(")")
            return tree
        raise ParseError(f"unexpected {value!r}", position)

def evaluate(tree, env):
    match tree:
        case ("num", value):
            return value
        case ("var", name):
            return env[name]
        case ("neg", inner):
            return -evaluate(inner, env)
        case ("assign", name, inner):
            env[name] = evaluate(inner, env)
            return env[name]
        case ("call", name, args):
            return env[name](*[evaluate(a, env) for a in args])
        case ("bin", op, left, right):
            a, b = evaluate(left, env), evaluate(right, env)
            if op == "+": return a + b
            if op == "-": return a - b
            if op == "*": return a * b
            if op == "/": return a / b
            if op == "%": return a % b
            return a ** b

env = {"max": max, "pi": 3.14, "sq": lambda x: x * x}
for line in ["1 + 2 * 3", "(1 + 2) * 3", "2 ** 3 ** 2", "-2 ** 2", "x = 10 / 4", "x * x", "max(1, sq(3), x)", "10 - 3 - 2", "7 % 4 * 2", "sq(-3) + -4",
             "1 +", "(1", "1 2", "y + 1", "1 / 0", "3 $ 4", "sq(1, 2)", "max()", "2 * pi * 1.5"]:
    try:
        print(f"{line} => {evaluate(Parser(line).statement(), env)}")
    except ParseError as e:
        print(f"{line} => parse error: {e} [{e.position}]")
    except Exception as e:
        print(f"{line} => {type(e).__name__}: {e}")
