"""Raising and catching 200,000 exceptions."""


def check(i):
    if i % 2:
        raise ValueError(i)
    return i


def main():
    caught = 0
    total = 0
    for i in range(200000):
        try:
            total += check(i)
        except ValueError:
            caught += 1
        try:
            if i % 2 == 0:
                raise KeyError
        except KeyError:
            caught += 1
    return total, caught
