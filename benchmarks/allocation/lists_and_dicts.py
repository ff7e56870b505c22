"""Rows as lists and dictionaries, grouped and sorted: containers that grow."""


def main():
    rows = [{"id": n, "group": f"g{n % 97}", "value": n * 1.5} for n in range(20_000)]
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row["value"])
    totals = {name: sum(values) for name, values in groups.items()}
    matrix = [[float(i * j) for j in range(100)] for i in range(200)]
    turned = [list(column) for column in zip(*matrix)]
    numbers = []
    for n in range(100_000):
        numbers.append(n * 3)
    return len(totals), round(sum(totals.values()), 3), sum(map(sum, turned)), sum(numbers)
