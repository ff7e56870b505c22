class Column:
    def __init__(self, title, key, align="<", fmt=""): self.title, self.key, self.align, self.fmt = title, key, align, fmt
    def text(self, row):
        v = self.key(row) if callable(self.key) else row.get(self.key)
        if v is None: return "-"
        try: return format(v, self.fmt)
        except (ValueError, TypeError): return str(v)
class Table:
    def __init__(self, *cols): self.cols = cols
    def render(self, rows, *, border="|", total=None):
        grid = [[c.text(r) for c in self.cols] for r in rows]
        widths = [max(map(len, [c.title, *col])) for c, col in zip(self.cols, zip(*grid) if grid else [()] * len(self.cols))]
        sep = "+".join(["", *("-" * (w + 2) for w in widths), ""])
        def line(cells, aligns): return border + border.join(f" {t:{a}{w}} " for t, a, w in zip(cells, aligns, widths)) + border
        yield sep
        yield line([c.title for c in self.cols], "^" * len(self.cols))
        yield sep
        for g in grid: yield line(g, [c.align for c in self.cols])
        yield sep
        if total: yield line([format(total(c.key, rows), c.fmt) if c.align == ">" and not callable(c.key) else "" for c in self.cols], [c.align for c in self.cols])
rows = [{"n": "alpha", "qty": 3, "price": 9.99}, {"n": "be", "qty": 12, "price": 100}, {"n": "gamma", "qty": None, "price": "n/a"}]
t = Table(Column("Name", "n"), Column("Qty", "qty", ">", "d"), Column("Price", "price", ">", ",.2f"), Column("Value", lambda r: r["qty"] * r["price"] if r["qty"] else None, ">", ".1f"))
print(*t.render(rows), sep="\n")
print(*t.render([]), sep="\n")
def total(key, rows): return sum(r[key] for r in rows if isinstance(r[key], (int, float)))
print(*t.render(rows, border="!", total=lambda k, r: int(total(k, r)) if k == "qty" else total(k, r)), sep="\n")
def bar(data, width=20):
    top = max(data.values())
    for k, v in data.items(): yield f"{k:>6} |{'█' * round(v / top * width):<{width}}| {v:>5} {v / sum(data.values()):6.1%}"
print(*bar({"jan": 10, "feb": 25, "mar": 17}), sep="\n")
def tree(node, prefix=""):
    name, kids = node
    yield name
    for i, k in enumerate(kids):
        last = i == len(kids) - 1
        for j, l in enumerate(tree(k)): yield ("└── " if last else "├── ") + l if j == 0 else ("    " if last else "│   ") + l
print(*tree(("root", [("a", [("a1", []), ("a2", [])]), ("b", [("b1", [("deep", [])])]), ("c", [])])), sep="\n")
