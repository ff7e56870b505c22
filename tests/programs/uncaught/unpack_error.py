pairs = [("a", 1), ("b", 2, 3)]
for key, value in pairs:
    print(key, value)
