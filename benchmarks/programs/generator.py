"""A generator that yields 500,000 values to a for loop."""


def numbers(n):
    i = 0
    while i < n:
        yield i
        i += 1


def main():
    total = 0
    for value in numbers(500000):
        total += value
    return total
