"""A for-range loop of one million rounds of float arithmetic."""


def main():
    x = 0.5
    acc = 0.0
    for _ in range(1000000):
        x = 3.7 * x * (1.0 - x)
        acc += x
    return acc
