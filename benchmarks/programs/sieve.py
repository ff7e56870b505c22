"""Sieve of Eratosthenes up to 500,000 on a list: item loads and stores, range with a step."""


def main():
    n = 500000
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    count = 0
    for flag in flags:
        if flag:
            count += 1
    return count
