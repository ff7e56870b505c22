def greet(name, greeting):
    return f"{greeting}, {name}"

print(greet("ann", "hi"))
print(greet("ann"))
