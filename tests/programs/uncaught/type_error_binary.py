def total(items):
    result = 0
    for item in items:
        result = result + item
    return result

print(total([1, 2, 3]))
print(total([1, "2", 3]))
