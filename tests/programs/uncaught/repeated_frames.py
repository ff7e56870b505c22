def loop(n):
    if n == 0:
        raise ValueError("bottom")
    loop(n - 1)

loop(12)
