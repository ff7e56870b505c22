"""Trees of tuples, built and counted: many small objects that live for a short time."""


def make(depth):
    if depth == 0:
        return (None, None)
    depth -= 1
    return (make(depth), make(depth))


def check(tree):
    left, right = tree
    if left is None:
        return 1
    return 1 + check(left) + check(right)


def main():
    kept = make(13)
    total = 0
    for depth in range(4, 13, 2):
        for _ in range(1 << (12 - depth)):
            total += check(make(depth))
    return total + check(kept)
