"""A while loop of one million rounds on integers that fit in 64 bits."""


def main():
    total = 0
    i = 0
    while i < 1000000:
        if i % 3 == 0:
            total += i * 2
        else:
            total -= i & 7
        i += 1
    return total
