def g():
    yield 1
    next(iter([]))

for x in g():
    print(x)
