"""What locals() shows in a comprehension: no register that holds a constant for the loop."""
def f():
    print([sorted(locals()) for only in [1] if only])
    print({1: sorted(locals()) for only in [1]})
    print([[sorted(locals()), 2.5, "text", 10 ** 20] for only in range(2)])
    print([sorted(vars()) for only in [1]], [sorted(dir()) for only in [1]])
    print([eval("sorted(locals())") for only in [1] if only + 1 < 5 + only])
def g():
    for i in range(3):
        if i == 2:
            print(sorted(locals()), i + 1.5, sorted(vars()))
f()
g()
