"""Reads CSV text, groups and sums it, and prints a small report as text."""
import csv
import io
import random


def make_csv(rows):
    numbers = random.Random(7)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["region", "product", "quantity", "price", "date"])
    for i in range(rows):
        writer.writerow([
            numbers.choice(["north", "south", "east", "west"]), f"item-{numbers.randrange(40):02d}", numbers.randrange(1, 20),
            f"{numbers.uniform(1, 99):.2f}", f"2024-{numbers.randrange(1, 13):02d}-{numbers.randrange(1, 29):02d}"])
    return out.getvalue()


TEXT = make_csv(4000)


def main():
    totals = {}
    months = {}
    for row in csv.DictReader(io.StringIO(TEXT)):
        amount = int(row["quantity"]) * float(row["price"])
        key = (row["region"], row["product"])
        if key not in totals:
            totals[key] = {"count": 0, "amount": 0.0}
        totals[key]["count"] += 1
        totals[key]["amount"] += amount
        month = row["date"][:7]
        months[month] = months.get(month, 0.0) + amount
    lines = []
    for (region, product), entry in sorted(totals.items(), key=lambda item: (-item[1]["amount"], item[0])):
        lines.append(f"{region:<8}{product:<10}{entry['count']:>5}{entry['amount']:>12,.2f}")
    for month in sorted(months):
        lines.append(f"{month} {months[month]:>12,.2f}")
    return "\n".join(lines)
