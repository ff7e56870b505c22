"""Writes the table of what native types and modules show to guests into docs/security.md.

    python tools/gen_exposure.py            rewrite the chapter
    python tools/gen_exposure.py --check    exit status 1 when it is out of date

The table is made from kimi_runtime/bridge/exposure.py and the catalog of the library, without looking at this Python's types,
so that it is the same on every host.
"""
from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kimi_runtime.bridge import exposure  # noqa: E402
from kimi_runtime.library.catalog import ENTRIES  # noqa: E402
from kimi_runtime.library.entries import Native  # noqa: E402

BEGIN = "<!-- exposure: made by tools/gen_exposure.py -->"
END = "<!-- end of exposure -->"
SYSTEM_DEPENDENT = {"posix", "errno", "itertools"}  # their lists depend on the host


def code(names: str) -> str:
    return " ".join(f"`{name}`" for name in sorted(names.split()))


def rows(table: dict[str, str], private: dict[str, str]) -> list[str]:
    found, bare = [], []
    for key in sorted(table):
        names = f"{table[key]} {private.get(key, '')}"
        withheld = exposure.WITHHELD.get(key, "")
        shown = key.rpartition(":")[2] if ":" in key else key
        if not names.strip() and not withheld:
            bare.append(shown)
            continue
        text = code(names)
        if withheld:
            text += ("; " if text else "") + f"without {code(withheld)}"
        found.append(f"| `{shown}` | {text} |")
    if bare:
        found.append(f"| {' '.join(f'`{name}`' for name in bare)} | – |")
    return found


def chapter() -> str:
    lines = [
        BEGIN, "## What each type and module exposes", "",
        "Made from `kimi_runtime/bridge/exposure.py` by `tools/gen_exposure.py`. A type in no table shows nothing; classes that "
        "guest code makes are free. Beside its own names every listed type may show what it has of these:", "",
        code(" ".join(exposure.UNDERSCORED)), "",
        "For a guest some names mean something else than for the host, whatever a table says: `__subclasses__` is there for "
        "classes that guest code made and names no others; `__self__` not for functions of modules; `__globals__`, `__code__` "
        "and `__closure__` for the guest's own functions only; `f_globals`, `f_builtins` and `tb_frame` for library code only; "
        "`__dict__` of classes leaves out what is not listed; `__getattribute__`, `__setattr__`, `__delattr__`, "
        "`__reduce_ex__`, `__getstate__` and `__get__` ask the gate again; what belongs to the shared library cannot be set, "
        "and lists and dictionaries of it come as copies.", "",
        "### Types of the host", "", "| type | names |", "|---|---|", *rows(exposure.HOST, exposure.HOST_PRIVATE), "",
        "### Types of this package", "", "| type | names |", "|---|---|", *rows(exposure.OWN, exposure.OWN_PRIVATE), "",
        "### Modules in C", "",
        "Library code imports these; guests only those that are set in bold. Other modules run as guest code and have what "
        "their source defines, but for the modules that they import.", "", "| module | names |", "|---|---|",
    ]
    for name, entry in sorted(ENTRIES.items()):
        if isinstance(entry, Native):
            names = " ".join({*entry.names, *(each for each, _ in entry.replace)})
            shown = f"**`{name}`**" if entry.public else f"`{name}`"
            text = "all that the host has" if name in SYSTEM_DEPENDENT - {"posix"} else (
                "calculations, types of results and constants" if name == "posix" else code(names))
            lines.append(f"| {shown} | {text} |")
    return "\n".join([*lines, END, ""])


def main() -> None:
    path = ROOT / "docs" / "security.md"
    text = path.read_text(encoding="utf-8") if path.exists() else "# Security\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2].lstrip("\n") if rest else ""
    new = before.rstrip("\n") + "\n\n" + chapter() + (f"\n{after}" if after else "")
    if "--check" in sys.argv:
        if new != text:
            print("docs/security.md is out of date: run tools/gen_exposure.py")
            sys.exit(1)
        return
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
