"""Formulas of a spreadsheet, written by its users and run by the host. An embedding example:

    python examples/embedding/spreadsheet.py
"""
import kimi_runtime as kr

PRICES = {"bolts": 0.12, "plates": 3.40, "hinges": 1.95}
COUNTS = {"bolts": 400, "plates": 12, "hinges": 30}
FORMULAS = {
    "net": "sum(prices[name] * counts[name] for name in prices)",
    "tax": "round(net * 0.19, 2)",
    "gross": "net + tax",
    "label": "f'{gross:,.2f} for {sum(counts.values())} parts'",
    "average": "net / missing",
    "broken": "net +* 2",
}


def main():
    cells = {"prices": PRICES, "counts": COUNTS}
    for name, formula in FORMULAS.items():
        result = kr.run(formula, cells, filename=f"<cell {name}>")
        if result.ok:
            cells[name] = result.value
            print(f"{name:<8} {result.value}")
        else:
            print(f"{name:<8} #{result.error.type}: {result.error.message} (column {result.error.column})")


main()
