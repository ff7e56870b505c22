a, b, c = 6, 3, 2
exprs = ["a + b * c", "(a + b) * c", "a - b - c", "a ** b ** c", "-a ** c", "a * -b", "not a == b", "a < b == c", "a & b | c", "a | b & c ^ a", "a ^ b | c", "a << b + c", "a + b << c", "a >> 1 & b", "~a & b", "a or b and c", "not a or b", "a if b else c if a else b", "a // b * c", "a / b * c", "a % b ** c", "a in [b, a] and c", "a not in [b] is True", "a is not b is not c", "lambda: a + b", "a == b or c > b", "a and not b", "-a // b", "a * b % c", "2 ** -1 * a", "a < b or b < a", "a, b + c", "a if not b else c", "a | b == c", "not a in [a]", "- - a", "~-a", "-~a", "+-+a", "a @ b if 0 else c", "a if a else b or c", "(lambda x: x + 1)(a) * b", "[a, b][0] ** c", "a.real + b.real ** c", "'%d' % a + 's'", "'a' 'b' * c", "a and b or c and a", "a == 6 != b", "1 < a < 10 > b", "a ^ b << 1", "a ** -c", "(-a) ** c", "not not a", "a - -b", "a --b", "a*b**c/c//1%5", "a<<b>>c", "a&~b", "a if b<c else c-a", "a or b if c else 0", "[*range(c)] + [a]", "f'{a + b}' * c", "x if (x := a) > b else c"]
for e in exprs:
    r = eval(e)
    print(f"{e:32} {r if not callable(r) else r()!r}")
import sys
print(1 + 2 == 3 and not 4 < 3 or 5 in (5,) is False, 10 - 2 * 3 ** 2 // 4 % 3 + (7 & 3 | 8), not 1 + 1 == 3)
def assoc(op): return eval(f"100 {op} 7 {op} 2"), eval(f"100 {op} (7 {op} 2)")
for op in ("-", "/", "//", "%", "<<" if False else "+", "*", "^", "&", "|", ">>"): print(op, assoc(op))
