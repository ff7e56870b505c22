def checked(f):
    def wrapper(*args):
        if not args:
            raise TypeError("no arguments given")
        return f(*args)
    return wrapper

@checked
def add(*args):
    return sum(args)

print(add(1, 2))
print(add())
