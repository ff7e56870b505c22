"""Run hostile programs and tell which objects keep pages of ended runs in memory, by type and by who refers to them.

    python tools/held_pages.py [--runs N] [--start SEED] [--owners] [--soak]

A page of a guest's heap stays as long as one block in it is in use. What is in use after the caches are emptied was made in a
run and lives on in the process: a cache that was filled at first use, or a list of free objects of CPython's. With --owners the
memory of the process is searched for words that point to such blocks.
"""

from __future__ import annotations

import argparse
import array
import bisect
import collections
import contextlib
import ctypes
import gc
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "security")]

from fuzz_limits import HERE, Fuzzer  # noqa: E402
from hostile_programs import corpus  # noqa: E402
from soak import Soak  # noqa: E402

from kimi_runtime import engine  # noqa: E402
from kimi_runtime.library import loader  # noqa: E402
from kimi_runtime.memory import heap  # noqa: E402

OFFSETS = (0, 16, 32, 24, 40)       # of an object in its block: behind the collector's header, and a managed dictionary's


MEMORY = os.open("/proc/self/mem", os.O_RDONLY)


def word(address: int) -> int:
    """Return 8 bytes of memory, 0 where there is none."""
    try:
        return int.from_bytes(os.pread(MEMORY, 8, address), "little")
    except (OSError, OverflowError):
        return 0


def known_types() -> dict[int, type]:
    """Return all types by their addresses."""
    found, todo = {}, [object]
    while todo:
        kind = todo.pop()
        if id(kind) not in found:
            found[id(kind)] = kind
            todo += type.__subclasses__(kind)
    for kind in (object for object in gc.get_objects() if isinstance(object, type)):
        found[id(kind)] = kind
    return found


class Pages:
    """What is in use in pages of ended runs."""

    def __init__(self) -> None:
        self.types = known_types()
        self.pages = heap.pages_left()
        self.blocks = {block: size for _, size, blocks in self.pages for block in blocks}
        self.sorted = sorted(self.blocks)

    def object_in(self, block: int, size: int) -> tuple[int, type] | None:
        """Return the address and type of the object in a block."""
        for offset in OFFSETS:
            if offset + 16 <= size:
                kind = self.types.get(word(block + offset + 8))
                if kind is not None and word(block + offset) < 1 << 24:
                    return block + offset, kind
        return None

    def name(self, block: int, size: int) -> str:
        """Say what is in a block."""
        found = self.object_in(block, size)
        if found is None:
            return f"no object of {size}"
        address, kind = found
        if not word(address):
            return f"free {kind.__name__}"
        return f"{kind.__name__} {self.text(address, kind, size)}".rstrip()

    def text(self, address: int, kind: type, size: int, depth: int = 2) -> str:
        """Show a little of an object, without calling anything of it."""
        length = word(address + 16)
        if kind is str and length + 49 <= max(size, 100) and word(address + 32) & 0x60 == 0x60:
            return repr(os.pread(MEMORY, length, address + 48).decode("latin-1"))[:60]
        if kind is bytes and length < 100:
            return repr(os.pread(MEMORY, length, address + 32))[:60]
        if kind is tuple and length < 30 and depth:
            places = [word(address + 24 + 8 * i) for i in range(length)]
            parts = [(at, self.types.get(word(at + 8))) for at in places]
            shown = ("?" if each is None else each.__name__ + self.text(at, each, 100, depth - 1) for at, each in parts)
            return "(" + ", ".join(shown)[:150] + ")"
        if issubclass(kind, type) and address in self.types:
            return self.types[address].__qualname__
        return ""

    def block_of(self, address: int) -> int | None:
        """Return the block in use of such a page that an address lies in."""
        at = bisect.bisect_right(self.sorted, address) - 1
        if at >= 0 and address < self.sorted[at] + self.blocks[self.sorted[at]]:
            return self.sorted[at]
        return None

    def referrers(self) -> dict[int, list[int]]:
        """Return for each block where in memory a word points into it."""
        found = collections.defaultdict(list)
        low, high = self.sorted[0], self.sorted[-1] + 65536
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for line in maps.read().splitlines():
                match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+\s*(.*)", line)
                if match is None:
                    continue
                at, end = int(match[1], 16), int(match[2], 16)
                if end - at > 1 << 30:
                    spans = [(page, page + 16384) for page, _, _ in self.pages]
                else:
                    spans = [(at, end)]
                for start, stop in spans:
                    try:
                        memory.seek(start)
                        words = array.array("Q", memory.read(stop - start))
                    except OSError:
                        continue
                    for index, value in enumerate(words):
                        block = self.block_of(value) if low <= value < high else None
                        if block is not None:
                            found[block].append(start + 8 * index)
        return found

    def holder(self, address: int) -> str:
        """Say what object of the host a place in memory belongs to, where it is one of pymalloc's."""
        block = self.block_of(address)
        if block is not None:
            return "guest: " + self.name(block, self.blocks[block])
        pool = address & ~0x3FFF
        try:
            size = (ctypes.c_uint32.from_address(pool + 36).value + 1) * 16
        except ValueError:
            return "?"
        if size > 512:
            return "elsewhere"
        start = pool + 48 + (address - pool - 48) // size * size
        found = self.object_in(start, size)
        return f"{self.name(start, size)} +{address - start}" if found else f"block of {size} +{address - start}"


def dictionaries(pages: Pages) -> None:
    """Print which dictionaries have their keys in such pages, and who refers to them."""
    for each in gc.get_objects():
        if type(each) is dict and pages.block_of(word(id(each) + 32)) is not None:
            names = [getattr(other, "__qualname__", getattr(other, "__name__", "")) for other in gc.get_referrers(each)]
            print(f"keys of a dictionary of {len(each)}:", str(list(each))[:200], "<-", [str(name)[:60] for name in names][:4])


def report(owners: bool) -> None:
    """Print what holds pages."""
    engine.default_cache().clear()
    for _ in range(3):
        gc.collect()
    heap.trim()
    pages = Pages()
    print(f"{len(pages.pages)} pages, {len(pages.blocks)} blocks, {sum(pages.blocks.values()):,} bytes; {heap.figures()}")
    kinds: collections.Counter[str] = collections.Counter()
    alone: collections.Counter[str] = collections.Counter()
    for _, size, blocks in pages.pages:
        for block in blocks:
            name = pages.name(block, size)
            kinds[name if name.startswith(("free", "no")) else name.split(" ")[0]] += 1
            if len(blocks) == 1:
                alone[name] += 1
    print("by type:", *(f"{count:6} {name}" for name, count in kinds.most_common(60)), sep="\n  ")
    print("alone in their page:", *(f"{count:6} {name}" for name, count in alone.most_common(60)), sep="\n  ")
    if owners:
        dictionaries(pages)
        places = pages.referrers()
        for page, size, blocks in pages.pages:
            for block in blocks:
                holders = "; ".join(sorted({pages.holder(at) for at in places[block][:6]}))
                print(f"{page:x} {len(blocks)}/{size} {pages.name(block, size)}  <- {holders[:400]}")


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--owners", action="store_true")
    parser.add_argument("--soak", action="store_true", help="programs of tools/soak.py instead of the fuzzer's")
    options = parser.parse_args()
    loader.load_all()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        if options.soak:
            Soak(options.runs, 8).run()
        else:
            fuzzer = Fuzzer(corpus((HERE,)), lambda seed, text: print(seed, text))
            for seed in range(options.start, options.start + options.runs):
                fuzzer.one(seed)
    report(options.owners)
    return 0


if __name__ == "__main__":
    sys.exit(main())
