"""Methods of ints, floats and others that are called at one place."""


def f():
    out=[]
    for x in (5, 2.5, -7, 10**30, True, 3.0, "a", 2**62):
        for _ in range(3):
            try: out.append(x.as_integer_ratio())
            except AttributeError as e: out.append(str(e))
            try: out.append((x.bit_length(), (x+1).bit_length()))
            except (AttributeError,TypeError) as e: out.append(str(e))
            try: out.append((x.__add__(1), x.hex()))
            except (AttributeError,TypeError) as e: out.append(str(e))
    for n in range(5): out.append(n.__add__(n).__mul__(2).bit_length().__str__())
    return out
print(f()); print(f())
