"""Gives guests a module of the host, and looks at what the runs cost. An embedding example:

    python examples/embedding/host_modules.py
"""
import types

import kimi_runtime as kr


def make_inventory():
    """A module made for the guests: they see its names, and can call what is in it."""
    stock = {"desk lamp": 7, "bookshelf": 0}
    module = types.ModuleType("inventory")
    module.count = stock.get
    module.reserve = lambda name, n: stock.__setitem__(name, stock[name] - n)
    return module


GUEST = """
import inventory

def order(name, wanted):
    have = inventory.count(name)
    if have is None:
        raise LookupError(f"{name!r} is not sold here")
    taken = min(have, wanted)
    inventory.reserve(name, taken)
    return taken

[order(name, n) for name, n in wishes]
"""


def main():
    runtime = kr.Runtime(host_modules={"inventory": make_inventory()})
    for wishes in ([("desk lamp", 5), ("bookshelf", 1)], [("desk lamp", 5)], [("piano", 1)]):
        result = runtime.run(GUEST, {"wishes": wishes}, filename="<order>")
        print(result.value if result.ok else f"{result.error} (line {result.error.line})")
        # The second run of the same source takes its code from the cache.
        print("  compiled" if not result.stats.cached else "  cached", "| instructions > 10:", result.stats.instructions > 10)


main()
