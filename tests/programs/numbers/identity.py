# `id` agrees with `is` for as long as something holds both, however numbers are kept.
import operator

LARGE = 10**6


def names(value):
    other = value
    held = [value]
    kept = {"key": value}
    return [value is other, id(value) == id(other), id(value) == id(value), value is held[0], id(held[0]) == id(value), id(kept["key"]) == id(other),
            operator.is_(value, other), operator.is_not(value, held[0]), operator.is_(held[0], held[0])]


class Holder:
    slot = LARGE

    def __init__(self, value):
        self.value = value


for value in (0, 1, -5, 256, 257, -6, 1000, LARGE, -LARGE, 2**31, 2**59, -2**59, 2**62, 2**63 - 1, -2**63, 2**63, 2**64, 2**70, -2**70, 0.0, -0.0, 1.5, 1e300,
              float("inf"), float("-inf"), float("nan"), True, False, None, "text", (), 1j, Ellipsis):
    print(repr(value), *names(value))
    h = Holder(value)
    print(h.value is value, id(h.value) == id(value), [*map(operator.is_, [value], [h.value])], [*map(id, [value])] == [id(value)])
print(0.0 is -0.0, id(0.0) == id(-0.0), 1 is 1.0, id(1) == id(1.0), id(1) == id(True), operator.is_(1, True), operator.is_(1, 1.0))
everything = [0, 1, -1, 1000, -1000, 2**62, -2**62, 2**63 - 1, -2**63, 2**64, 0.0, -0.0, 1.0, 1000.0, 5e-324, float("nan"), True, None, [], {}, object(), int, print]
ids = [id(each) for each in everything]
print(len(set(ids)) == len(ids), all(type(each) is int and each > 0 for each in ids), ids == [id(each) for each in everything])
print(Holder.slot is LARGE, id(Holder.slot) == id(LARGE))
seen = {}
for each in everything * 2:
    seen.setdefault(id(each), each)
print(len(seen) == len(everything))


class Number(int):
    pass


class Real(float):
    pass


a, b = Number(5), Number(5)
print(a is b, id(a) == id(b), id(a) == id(a), a is a, operator.is_(a, b), a is 5 + 0 * a)
a, b = Real(5), Real(5)
print(a is b, id(a) == id(b), id(a) == id(a), a is a, operator.is_not(a, b))
for call in (lambda: id(), lambda: id(1, 2), lambda: id(obj=1), lambda: operator.is_(1), lambda: operator.is_(1, 2, 3), lambda: operator.is_not(), lambda: operator.is_(a=1, b=2)):
    try:
        call()
    except TypeError as error:
        print(error)
print(id, id.__name__, id.__module__, id.__doc__ is not None, operator.is_, operator.is_.__doc__, operator.is_not.__text_signature__, id.__text_signature__)
x = LARGE
print(eval("id(x) == id(x)"), (lambda y: id(y) == id(x))(x), [id(y) == id(x) for y in (x,)], hash(id(x)) == hash(id(x)))


def generator(value):
    yield id(value)
    yield id(value)


first, second = generator(12345.678)
print(first == second)
