people = [{"name": "ann", "age": 3}, {"name": "bob"}]
print(sorted(people, key=lambda p: p["name"])[0]["name"])
print(sorted(people, key=lambda p: p["age"]))
