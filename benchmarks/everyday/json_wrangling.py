"""Walks nested JSON, flattens it, filters it and writes it again."""
import json
import random


def make_records(count):
    numbers = random.Random(3)
    return [{
        "id": i,
        "name": f"user{i}",
        "tags": [f"t{numbers.randrange(30)}" for _ in range(numbers.randrange(5))],
        "address": {"city": numbers.choice(["Oslo", "Rome", "Lima"]), "zip": str(numbers.randrange(10000, 99999)),
                    "geo": {"lat": numbers.uniform(-90, 90), "lon": numbers.uniform(-180, 180)}},
        "orders": [{"sku": f"s{numbers.randrange(100)}", "qty": numbers.randrange(1, 9), "price": numbers.randrange(100, 9999) / 100}
                   for _ in range(numbers.randrange(6))],
    } for i in range(count)]


TEXT = json.dumps(make_records(800))


def flatten(value, prefix=""):
    flat = {}
    if isinstance(value, dict):
        for key, item in value.items():
            flat.update(flatten(item, f"{prefix}.{key}" if prefix else key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            flat.update(flatten(item, f"{prefix}[{index}]"))
    else:
        flat[prefix] = value
    return flat


def main():
    records = json.loads(TEXT)
    by_city = {}
    for record in records:
        spent = sum(order["qty"] * order["price"] for order in record["orders"])
        city = record["address"]["city"]
        by_city.setdefault(city, []).append((round(spent, 2), record["name"]))
    best = {city: sorted(people, reverse=True)[:5] for city, people in by_city.items()}
    flat = [flatten(record) for record in records]
    keys = sorted({key for row in flat for key in row})
    tags = {}
    for record in records:
        for tag in record["tags"]:
            tags[tag] = tags.get(tag, 0) + 1
    return json.dumps({"best": best, "keys": len(keys), "tags": tags}, sort_keys=True, indent=2)
