class C:
    a = [sorted(locals()) for x in [1]]
    b = [sorted(locals()) for x in [1] if x for y in [2]]
print(C.a == [["x"]] or C.a, C.b == [["x", "y"]] or C.b)
def f():
    return (sorted(locals()) for x in [1])
made = f()
print(next(made), list(made))
made = (sorted(locals()) for x in [1])
print(next(made))
