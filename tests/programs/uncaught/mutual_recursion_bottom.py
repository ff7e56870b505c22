def even(n):
    if n == 0:
        return {}["bottom"]
    return odd(n - 1)

def odd(n):
    return even(n - 1)

even(6)
