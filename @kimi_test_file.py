
def f():
    return 1 + 1

a = f()

