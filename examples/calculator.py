"""A calculator language: tokenizer, precedence-climbing parser, and an evaluator by pattern matching. A guest program."""
import math

PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
FUNCTIONS = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "max": max, "min": min, "abs": abs}


class CalculatorError(Exception):
    pass


def tokens(text):
    position = 0
    while position < len(text):
        char = text[position]
        if char.isspace():
            position += 1
        elif char.isdigit() or char == ".":
            start = position
            while position < len(text) and (text[position].isdigit() or text[position] == "."):
                position += 1
            yield "number", float(text[start:position])
        elif char.isalpha():
            start = position
            while position < len(text) and text[position].isalnum():
                position += 1
            yield "name", text[start:position]
        elif char in "+-*/^(),=":
            position += 1
            yield "op", char
        else:
            raise CalculatorError(f"unexpected character {char!r} at {position}")
    yield "end", None


class Parser:
    def __init__(self, text):
        self.stream = tokens(text)
        self.token = next(self.stream)

    def advance(self):
        token = self.token
        self.token = next(self.stream, ("end", None))
        return token

    def expect(self, value):
        if self.token != ("op", value):
            raise CalculatorError(f"expected {value!r}, found {self.token[1]!r}")
        self.advance()

    def statement(self):
        tree = self.expression()
        if self.token == ("op", "="):
            self.advance()
            match tree:
                case ("name", name):
                    tree = ("assign", name, self.expression())
                case _:
                    raise CalculatorError("only a name can be assigned to")
        if self.token[0] != "end":
            raise CalculatorError(f"unexpected {self.token[1]!r}")
        return tree

    def expression(self, least=1):
        left = self.unary()
        while (op := self.token[1]) in PRECEDENCE and PRECEDENCE[op] >= least:
            self.advance()
            right = self.expression(PRECEDENCE[op] + (op != "^"))
            left = ("binary", op, left, right)
        return left

    def unary(self):
        if self.token == ("op", "-"):
            self.advance()
            return ("negative", self.expression(3))
        return self.atom()

    def atom(self):
        match self.advance():
            case ("number", value):
                return ("number", value)
            case ("name", name) if self.token == ("op", "("):
                self.advance()
                arguments = []
                while self.token != ("op", ")"):
                    arguments.append(self.expression())
                    if self.token == ("op", ","):
                        self.advance()
                self.expect(")")
                return ("call", name, *arguments)
            case ("name", name):
                return ("name", name)
            case ("op", "("):
                tree = self.expression()
                self.expect(")")
                return tree
            case (_, found):
                raise CalculatorError(f"expected a value, found {found!r}")


def evaluate(tree, variables):
    match tree:
        case ("number", value):
            return value
        case ("name", name) if name in variables:
            return variables[name]
        case ("name", name):
            raise CalculatorError(f"unknown name {name!r}")
        case ("assign", name, value):
            variables[name] = evaluate(value, variables)
            return variables[name]
        case ("negative", operand):
            return -evaluate(operand, variables)
        case ("call", name, *arguments):
            if name not in FUNCTIONS:
                raise CalculatorError(f"unknown function {name!r}")
            return FUNCTIONS[name](*(evaluate(argument, variables) for argument in arguments))
        case ("binary", op, left, right):
            a, b = evaluate(left, variables), evaluate(right, variables)
            match op:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    return a / b
                case "^":
                    return a**b
    raise AssertionError(tree)


LINES = """\
1 + 2 * 3
(1 + 2) * 3
2 ^ 3 ^ 2
-2 ^ 2
radius = 2.5
area = 3.14159 * radius ^ 2
sqrt(area) + max(1, radius, abs(-7))
1 / 0
2 +
3 = 4
volume * 2
7 $ 2
"""


def main():
    variables = {"pi": math.pi}
    for line in LINES.splitlines():
        try:
            print(f"{line:<40} = {evaluate(Parser(line).statement(), variables):g}")
        except (CalculatorError, ArithmeticError) as error:
            print(f"{line:<40} ! {type(error).__name__}: {error}")
    print("variables:", ", ".join(f"{name}={value:.4g}" for name, value in sorted(variables.items())))


main()
