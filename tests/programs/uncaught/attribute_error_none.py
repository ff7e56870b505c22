def find(items, key):
    for k, v in items:
        if k == key:
            return v

print(find([("a", "x")], "a").upper())
print(find([("a", "x")], "b").upper())
