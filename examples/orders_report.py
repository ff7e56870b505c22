"""A sales report from order lines: parses, checks, aggregates and prints. A guest program.

    kimi-cli examples/orders_report.py [REGION]
"""
import math
import sys

ORDERS = """\
id,date,customer,region,product,quantity,unit_price,discount
1001,2025-01-04,Larkspur Books,north,desk lamp,12,24.50,0
1002,2025-01-09,Harbor Dental,south,office chair,4,189.00,5
1003,2025-01-17,Larkspur Books,north,bookshelf,3,129.90,0
1004,2025-01-22,Quill & Co,west,notebook,250,2.15,10
1005,2025-02-02,Harbor Dental,south,desk lamp,6,24.50,0
1006,2025-02-03,Mill Street Cafe,east,bar stool,8,74.25,0
1007,2025-02-11,Quill & Co,west,fountain pen,40,18.40,7.5
1008,2025-02-14,Larkspur Books,north,notebook,not a number,2.15,0
1009,2025-02-20,Northwind School,north,office chair,30,189.00,15
1010,2025-02-27,Mill Street Cafe,east,desk lamp,10,24.50,0
1011,2025-03-01,Northwind School,north,notebook,1200,2.15,20
1012,2025-03-05,Harbor Dental,south,bar stool,-2,74.25,0
1013,2025-03-12,Quill & Co,west,office chair,2,189.00,0
1014,2025-03-19,Larkspur Books,north,fountain pen,15,18.40,0
1015,2025-03-21,Mill Street Cafe,east,bookshelf,1,129.90,0
1016,2025-03-28,Harbor Dental,south,notebook,80,2.15,0
"""


class OrderError(ValueError):
    """An order line that cannot be used."""

    def __init__(self, line_number, reason):
        super().__init__(f"line {line_number}: {reason}")
        self.line_number = line_number


class Order:
    __slots__ = ("id", "month", "customer", "region", "product", "quantity", "unit_price", "discount")

    def __init__(self, **fields):
        for name in self.__slots__:
            setattr(self, name, fields[name])

    @property
    def total(self):
        return self.quantity * self.unit_price * (1 - self.discount / 100)


def parse(text):
    """Yields an Order or an OrderError for each line after the heading."""
    heading, *lines = text.splitlines()
    names = heading.split(",")
    for number, line in enumerate(lines, start=2):
        row = dict(zip(names, line.split(","), strict=True))
        try:
            quantity = int(row["quantity"])
            if quantity <= 0:
                raise OrderError(number, f"quantity must be positive, not {quantity}")
            match row["date"].split("-"):
                case [year, ("01" | "02" | "03") as month, _]:
                    month = f"{year}-{month}"
                case _:
                    raise OrderError(number, f"date {row['date']!r} is not in the quarter")
            yield Order(
                id=int(row["id"]),
                month=month,
                customer=row["customer"],
                region=row["region"],
                product=row["product"],
                quantity=quantity,
                unit_price=float(row["unit_price"]),
                discount=float(row["discount"]),
            )
        except OrderError as error:
            yield error
        except ValueError as error:
            yield OrderError(number, str(error))


def grouped(orders, key):
    """{key(order): [order, ...]} in the order of the keys."""
    groups = {}
    for order in orders:
        groups.setdefault(key(order), []).append(order)
    return dict(sorted(groups.items()))


def revenue(orders):
    return math.fsum(order.total for order in orders)


def bar(share, width=24):
    filled = round(share * width)
    return "#" * filled + "." * (width - filled)


def print_table(title, groups, total):
    print(f"\n{title}")
    for name, orders in groups.items():
        amount = revenue(orders)
        print(f"  {name:<18}{len(orders):>4}{amount:>12,.2f}  {bar(amount / total)} {amount / total:>6.1%}")


def spread(values):
    """(mean, standard deviation) of the values."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def main(region=None):
    entries = list(parse(ORDERS))
    problems = [entry for entry in entries if isinstance(entry, OrderError)]
    orders = [entry for entry in entries if isinstance(entry, Order) and region in (None, entry.region)]
    if not orders:
        print(f"no orders in region {region!r}", file=sys.stderr)
        return 1

    total = revenue(orders)
    print(f"Orders of the first quarter{f' in region {region}' if region else ''}")
    print("=" * 68)
    print(f"{len(orders)} orders, {len({order.customer for order in orders})} customers, revenue {total:,.2f}")

    print_table("By month", grouped(orders, lambda order: order.month), total)
    print_table("By region", grouped(orders, lambda order: order.region), total)
    print_table("By product", grouped(orders, lambda order: order.product), total)

    best = sorted(grouped(orders, lambda order: order.customer).items(), key=lambda item: -revenue(item[1]))
    print("\nBest customers")
    for place, (customer, theirs) in enumerate(best[:3], start=1):
        largest = max(theirs, key=lambda order: order.total)
        print(f"  {place}. {customer:<18}{revenue(theirs):>12,.2f}  largest: #{largest.id} {largest.product}")

    mean, deviation = spread([order.total for order in orders])
    unusual = [order for order in orders if abs(order.total - mean) > 2 * deviation]
    print(f"\nMean order {mean:,.2f}, standard deviation {deviation:,.2f}")
    for order in unusual:
        print(f"  unusual: #{order.id} of {order.customer}, {order.total:,.2f}")

    print(f"\n{len(problems)} lines were left out")
    for problem in problems:
        print(f"  {problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
