"""A list comprehension over 500,000 items, with a condition in a second one."""


def main():
    squares = [i * i for i in range(500000)]
    odd = [s for s in squares if s & 1]
    return len(odd), squares[-1], odd[-1]
