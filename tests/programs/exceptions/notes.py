e = ValueError("base")
e.add_note("first"); e.add_note("second")
print(e.__notes__, e, repr(e))
try:
    e.add_note(5)
except TypeError as t:
    print(t)
try:
    try: 1 / 0
    except ZeroDivisionError as z:
        z.add_note("while dividing")
        raise
except ZeroDivisionError as z:
    print(z.__notes__)
print(hasattr(ValueError("n"), "__notes__"))
class N(Exception):
    def __init__(self, *a):
        super().__init__(*a)
        self.add_note(f"made with {a}")
try:
    raise N(1, 2)
except N as n:
    print(n.__notes__, n.__dict__)
g = ExceptionGroup("g", [ValueError(1), TypeError(2)])
g.add_note("group note")
m, r = g.split(ValueError)
print(m.__notes__, r.__notes__, m is not g)
e.__notes__ = "not a list"
try:
    e.add_note("x")
except TypeError as t:
    print(t)
def process(items):
    errors = []
    for i, x in enumerate(items):
        try: errors.append(int(x))
        except ValueError as err:
            err.add_note(f"item {i}")
            errors.append(err)
    return [getattr(x, "__notes__", x) for x in errors]
print(process(["1", "a", "3", "b"]))
