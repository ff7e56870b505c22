"""Recursive fib(27): guest-to-guest calls, small-integer compare and arithmetic."""


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def main():
    return fib(27)
