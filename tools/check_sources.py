"""Checks that linters do not cover: the length of files, which part of the package imports which, and what is imported late.

    python tools/check_sources.py

Prints a line for each finding and exits with status 1 when there is one.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 1000
GENERATED = {"kimi_runtime/syntax/nodes.pyx", "kimi_runtime/syntax/nodes.pxd", "docs/bytecode.md"}
# A part may import the parts before it. The order is the flow of a program: source, tree, code, result.
# Declarations (cimport) are free: code objects and values are the contract of compiler and machine.
ORDER = [
    "errors", "containers", "processors", "memory", "allocator", "syntax", "analysis", "bytecode", "vm", "objects", "regex",
    "aio", "_core", "files", "library", "result", "cache", "jit", "running", "engine", "profiling", "session", "policies",
    "runtime", "guarding", "pool", "cli",
]
# The gate and the proxies of modules belong to the objects; a runtime with processes is a runtime.
SAME = {"bridge": "objects", "isolation": "runtime"}
FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:(?:    .*)?\n)+", re.MULTILINE)
IMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+c?import\b|c?import\s+(kimi_runtime\.\S+))", re.MULTILINE)
# The parts whose code runs while a guest does: what they import then would be at its cost.
IN_RUNS = tuple(f"kimi_runtime/{part}/" for part in (
    "aio", "analysis", "bridge", "bytecode", "library", "memory", "objects", "regex", "syntax", "vm"))
AT_START = {("kimi_runtime/bridge/native_warnings.pyx", "warnings")}     # looked up again on purpose; no guest runs then
LATE_IMPORT = re.compile(r"\s+(?:from\s+(\S+)\s+import\b|import\s+(\S+))")
FUNCTION = re.compile(r"\s*(?:async\s+)?(?:def|cdef|cpdef)\b.*[(:]")


def tracked():
    """Paths of the files under version control, relative to the root."""
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in out.splitlines() if (ROOT / name).is_file()]


def too_long(names):
    for name in names:
        if name in GENERATED or not name.endswith((".py", ".pyx", ".pxd", ".pxi", ".h", ".md", ".pyi")):
            continue
        count = len((ROOT / name).read_text(errors="replace").splitlines())
        if count > LONGEST:
            yield f"{name}: {count} lines, more than {LONGEST}"


def part_of(module):
    """The part that a dotted name inside the package belongs to."""
    part = module.split(".")[1] if "." in module else "__init__"
    return SAME.get(part, part)


def wrong_imports(names):
    for name in names:
        if not name.startswith("kimi_runtime/") or not name.endswith((".py", ".pyx")):
            continue
        module = name.removesuffix(".pyx").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        part = part_of(module)
        if part not in ORDER:
            continue
        package = module if name.endswith("__init__.py") else module.rpartition(".")[0]
        for found in IMPORT.finditer(FOR_TYPES.sub("", (ROOT / name).read_text())):
            target = found[1] or found[2]
            if target.startswith("."):
                dots = len(target) - len(target.lstrip("."))
                base = package.split(".")[: len(package.split(".")) - dots + 1]
                target = ".".join([*base, target.lstrip(".")]).rstrip(".")
            if not target.startswith("kimi_runtime."):
                continue
            other = part_of(target)
            if other in ORDER and ORDER.index(other) > ORDER.index(part) and "cimport" not in found[0]:
                yield f"{name}: {part} imports {other}, which comes after it"


def late_imports(names):
    """Imports of modules of the host in functions that a guest's run may get to."""
    for name in names:
        if not name.startswith(IN_RUNS) or "/guest/" in name or not name.endswith((".py", ".pyx", ".pxi")):
            continue
        functions = []      # indents of those around the line
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            indent = len(line) - len(line.lstrip())
            if not line.strip():
                continue
            functions = [each for each in functions if each < indent]
            found = LATE_IMPORT.match(line)
            module = found and (found[1] or found[2])
            if functions and module and not module.startswith((".", "kimi_runtime")) and (name, module) not in AT_START:
                yield f"{name}:{number}: {module} is imported in a function: at the top, or by _core.host_module"
            if FUNCTION.match(line):
                functions.append(indent)


def main():
    names = tracked()
    findings = [*too_long(names), *wrong_imports(names), *late_imports(names)]
    print("\n".join(findings) or f"{len(names)} files checked")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
