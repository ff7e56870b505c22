class C:
    a = list(sorted(locals()) for x in [1])
print(C.a)
def f():
    return (sorted(locals()) for x in [1])
made = f()
print(next(made), list(made))
made = (sorted(locals()) for x in [1])
print(next(made))
