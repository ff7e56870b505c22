def inner(n):
    return 10 / n

def middle(n):
    return inner(n - 1)

print("before")
middle(1)
