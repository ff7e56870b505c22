"""A tokenizer, a recursive descent parser and an evaluator of arithmetic, and a stack machine."""
import re
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    NUMBER = "number"
    NAME = "name"
    OP = "op"
    END = "end"


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    position: int


PATTERN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(.))")


def tokenize(text):
    tokens, position = [], 0
    while position < len(text):
        match = PATTERN.match(text, position)
        if match is None:
            break
        number, name, op = match.groups()
        if number:
            tokens.append(Token(Kind.NUMBER, number, match.start(1)))
        elif name:
            tokens.append(Token(Kind.NAME, name, match.start(2)))
        else:
            tokens.append(Token(Kind.OP, op, match.start(3)))
        position = match.end()
    return tokens + [Token(Kind.END, "", position)]


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def take(self, text=None):
        token = self.current
        if text is not None and token.text != text:
            raise SyntaxError(f"expected {text!r} at {token.position}, got {token.text!r}")
        self.index += 1
        return token

    def expression(self):
        node = self.term()
        while self.current.text in ("+", "-"):
            node = (self.take().text, node, self.term())
        return node

    def term(self):
        node = self.factor()
        while self.current.text in ("*", "/"):
            node = (self.take().text, node, self.factor())
        return node

    def factor(self):
        token = self.take()
        if token.kind is Kind.NUMBER:
            return float(token.text)
        if token.kind is Kind.NAME:
            return token.text
        if token.text == "(":
            node = self.expression()
            self.take(")")
            return node
        if token.text == "-":
            return ("neg", self.factor())
        raise SyntaxError(f"unexpected {token.text!r} at {token.position}")


def evaluate(node, names):
    match node:
        case float():
            return node
        case str():
            return names[node]
        case ("neg", value):
            return -evaluate(value, names)
        case ("+", a, b):
            return evaluate(a, names) + evaluate(b, names)
        case ("-", a, b):
            return evaluate(a, names) - evaluate(b, names)
        case ("*", a, b):
            return evaluate(a, names) * evaluate(b, names)
        case ("/", a, b):
            return evaluate(a, names) / evaluate(b, names)


def compile_node(node, code):
    if isinstance(node, float):
        code.append(("push", node))
    elif isinstance(node, str):
        code.append(("load", node))
    else:
        for part in node[1:]:
            compile_node(part, code)
        code.append((node[0], None))
    return code


def execute(code, names):
    stack = []
    for op, value in code:
        if op == "push":
            stack.append(value)
        elif op == "load":
            stack.append(names[value])
        elif op == "neg":
            stack.append(-stack.pop())
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b)
    return stack[0]


def main():
    source = "(a + 3.5) * -(b - 2) / (1 + c * c) + 4 * (a - b * (c + 1.25)) - 7"
    total = 0.0
    failed = 0
    for i in range(60):
        node = Parser(tokenize(source + f" + {i}")).expression()
        code = compile_node(node, [])
        for j in range(12):
            names = {"a": j, "b": i, "c": i - j}
            value = evaluate(node, names)
            total += value
            assert value == execute(code, names)
        try:
            Parser(tokenize("(1 + ) * 2")).expression()
        except SyntaxError:
            failed += 1
    return round(total, 6), failed
