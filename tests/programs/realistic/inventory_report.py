RAW = """
sku,name,category,qty,price
A1,Widget,tools,10,2.50
B2,Gadget,tools,0,19.99
C3,Apple,food,200,0.35
D4,Pear,food,x,0.40
E5,Lamp,home,3,45.00
F6,Chair,home,7
A1,Widget,tools,5,2.75
"""
def parse(raw):
    lines = [l for l in raw.strip().splitlines() if l]
    header = lines[0].split(",")
    for number, line in enumerate(lines[1:], 2):
        cells = line.split(",")
        if len(cells) != len(header):
            yield number, None, f"expected {len(header)} fields, got {len(cells)}"
            continue
        row = dict(zip(header, cells))
        try:
            row["qty"], row["price"] = int(row["qty"]), float(row["price"])
        except ValueError as e:
            yield number, None, str(e)
        else:
            yield number, row, None
good, bad = {}, []
for number, row, error in parse(RAW):
    if error:
        bad.append((number, error))
    elif row["sku"] in good:
        old = good[row["sku"]]
        total = old["qty"] + row["qty"]
        old["price"] = round((old["qty"] * old["price"] + row["qty"] * row["price"]) / total, 4)
        old["qty"] = total
    else:
        good[row["sku"]] = row
print(bad)
by_cat = {}
for r in good.values(): by_cat.setdefault(r["category"], []).append(r)
print(f"{'category':<10}|{'items':>6}|{'units':>6}|{'value':>10}")
print("-" * 10, "-" * 6, "-" * 6, "-" * 10, sep="+")
for cat, rows in sorted(by_cat.items(), key=lambda kv: -sum(r["qty"] * r["price"] for r in kv[1])):
    print(f"{cat:<10}|{len(rows):>6}|{sum(r['qty'] for r in rows):>6}|{sum(r['qty'] * r['price'] for r in rows):>10,.2f}")
low = [r["name"] for r in good.values() if r["qty"] < 5]
print("reorder:", ", ".join(low) or "nothing")
best, *rest = sorted(good.values(), key=lambda r: (r["price"], r["name"]), reverse=True)
print(best["name"], [r["name"] for r in rest], {r["sku"]: r["price"] for r in good.values()})
stats = {f: {"min": min(v), "max": max(v), "mean": sum(v) / len(v)} for f in ("qty", "price") if (v := [r[f] for r in good.values()])}
for f, s in stats.items(): print(f, " ".join(f"{k}={v:.2f}" for k, v in s.items()))
