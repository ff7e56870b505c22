def numbers():
    yield 1
    yield 2
    raise RuntimeError("generator broke")

for n in numbers():
    print(n)
