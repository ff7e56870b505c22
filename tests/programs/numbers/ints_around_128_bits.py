"""Sums, products, quotients and remainders of ints around 31, 63, 64, 90, 120, 126 and 128 bits, of all signs, in all forms."""
bits = (0, 1, 15, 29, 30, 31, 59, 60, 61, 62, 63, 64, 65, 89, 90, 91, 119, 120, 121, 124, 125, 126, 127, 128, 149, 150, 151)
values = sorted({sign * (2**n + d) for n in bits for d in (-2, -1, 0, 1, 3) for sign in (1, -1)} | {0, 10**12 + 39, -(10**24) - 7})
print(len(values), values[0], values[-1])


def attempt(function):
    try:
        return function()
    except ZeroDivisionError as error:
        return str(error)


def checked(total, a, b):
    """All five operations of two values, folded into one number, and the laws that tie them together."""
    plus, minus, times = a + b, a - b, a * b
    if b:
        quotient, rest = a // b, a % b
        assert quotient * b + rest == a and (0 <= rest < b or b < rest <= 0), (a, b, quotient, rest)
        assert divmod(a, b) == (quotient, rest)
    else:
        quotient, rest = 0, 0
    assert plus - b == a and minus + b == a and (a == 0 or times // a == b), (a, b)
    for each in (plus, minus, times, quotient, rest):
        assert type(each) is int and int(str(each)) == each and hash(each) == hash(int(hex(each), 16)), each
        total = (total * 1000003 + each) % (2**61 - 1)
    return total


total = 0
for a in values:
    for b in values:
        total = checked(total, a, b)
print(total)

for a in values:
    b = a
    b += 3
    b *= 7
    b -= 2**64
    b %= 10**20 + 39
    c = b
    c //= -7
    d = a + 1, a - 1, a * 2, a % 1000, a // 3, 5 + a, 5 - a, 3 * a, a + 2**64, a - 2**64, 2**70 - a, 2**70 + a, a % 2**65, a // 2**33
    print(a, b, c, sum(d), d[3], d[4], d[-1], attempt(lambda: a % 0), attempt(lambda: a // 0))

# The operands stay what they are, also where both are one.
big = 2**100 + 1
same = big
same += same
print(big, same, big - big, big % big, big // big, type(big - big), (big - big) is (0 if True else 1), big * big)
x, count = 3**40, 0
while x != 1 and count < 500:
    x = x * x % (10**18 + 9)
    count += 1
print(x, count)


class Number(int):
    def __add__(self, other):
        return "add", int(self), other

    def __rmul__(self, other):
        return "rmul", other


print(Number(2**70) + 1, 2**70 * Number(3), Number(2**70) - 1, 2**70 + True, True * 2**70, 2**70 % True, 2**70 + 1.5, 2**70 % 1.5)
