"""Names that are not bound yet, read inside comprehensions: which kind of error they give."""


def report(function):
    try:
        print(function())
    except NameError as error:
        print(type(error).__name__, error, error.name)


def element():
    if False:
        x = 1
    return [x for _ in range(2)]


def condition():
    if False:
        x = 1
    return [i for i in range(2) if x]


def first_iterable():
    if False:
        x = 1
    return [i for i in x]


def second_iterable():
    if False:
        x = 1
    return {i: j for i in range(2) for j in x}


def nested():
    if False:
        x = 1
    return [{x for j in range(2)} for i in range(2)]


def captured():
    if False:
        x = 1
    later = lambda: x
    return [x for _ in range(2)], later


def captured_outside():
    if False:
        x = 1
    later = lambda: x
    return x, later


def own_variable():
    return [i for _ in range(2) if i for i in range(3)]


def outer_variable():
    return [[i for j in range(2)] for _ in range(2) if [i for k in range(1)] for i in range(3)]


def deleted():
    x = 1
    del x
    return {x for _ in range(2)}


for function in (element, condition, first_iterable, second_iterable, nested, captured, captured_outside, own_variable, outer_variable, deleted):
    report(function)
