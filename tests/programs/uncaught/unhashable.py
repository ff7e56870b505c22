seen = set()
for row in [(1, 2), [3, 4]]:
    seen.add(row)
    print(len(seen))
