"""A call without arguments from the last register of a generator's frame."""


def nested(limit):
    found = [(lambda: i)() for i in [(lambda: i)() for i in range(limit)]]
    yield found
    found = [(lambda: i)() for i in found]
    yield found


def take(source):
    for position, item in enumerate(source):
        print(position, item)


for _ in range(20):
    take(nested(3))
print([list(nested(n)) for n in range(4)])
print(*map(tuple, zip(nested(2), nested(3))))
