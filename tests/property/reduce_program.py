"""Make a failing program smaller: statements are taken out as long as the two engines still differ in the same way.

    python tests/property/reduce_program.py SEED [FEATURES] [--filter TEXT]
    python tests/property/reduce_program.py FILE.py

The way is 'crash', 'hangs' or 'differs'; --filter also asks for a text in the difference. Prints the smaller program.
"""

from __future__ import annotations

import ast
import os
import pathlib
import pickle
import signal
import sys

from run_programs import judge
from seeded_programs import ALL_FEATURES, PRELUDE, make_program

SECONDS = 10


def outcome_of(source: str) -> str:
    """Judge a program in a forked child."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(SECONDS)
        os.write(writer, pickle.dumps(judge(source)[:20000]))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGALRM:
        return "hangs"
    return pickle.loads(data) if code == 0 and data else f"crash: {code}"


def way(outcome: str) -> str:
    """Return the kind of an outcome."""
    if outcome in ("", "skip", "hangs") or outcome.startswith("not a program"):
        return outcome[:6]
    return "crash" if outcome.startswith("crash") else "differs"


def bodies(tree: ast.AST):
    """Yield (owner, field) of each list of statements, outer ones first."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            if isinstance(getattr(node, field, None), list) and getattr(node, field):
                yield node, field


def attempt(tree: ast.Module, owner: ast.AST, field: str, start: int, size: int, keeps) -> bool:
    """Try the program without some statements of a list; undo that when it no longer fails."""
    old = getattr(owner, field)
    new = old[:start] + old[start + size:]
    if not new and field in ("body",) and not isinstance(owner, ast.Module):
        new = [ast.Pass()]
        if len(old) == 1 and isinstance(old[0], ast.Pass):
            return False
    setattr(owner, field, new)
    if keeps(tree):
        return True
    setattr(owner, field, old)
    return False


def hoist(tree: ast.Module, owner: ast.AST, field: str, index: int, keeps) -> bool:
    """Try the body of a compound statement in its place."""
    old = getattr(owner, field)
    node = old[index]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not isinstance(getattr(node, "body", None), list):
        return False
    setattr(owner, field, old[:index] + node.body + old[index + 1:])
    if keeps(tree):
        return True
    setattr(owner, field, old)
    return False


def reduce(source: str, wanted: str = "") -> str:
    """Return a smaller program that fails in the same way."""
    kind = way(outcome_of(source))
    prelude = PRELUDE if source.startswith(PRELUDE) else ""

    def keeps(tree: ast.Module) -> bool:
        try:
            text = prelude + ast.unparse(ast.fix_missing_locations(tree))
            compile(text, "x", "exec")
        except (SyntaxError, ValueError):
            return False
        outcome = outcome_of(text)
        return way(outcome) == kind and wanted in outcome

    tree = ast.parse(source.removeprefix(prelude))
    changed = True
    while changed:
        changed = False
        for owner, field in list(bodies(tree)):
            size = len(getattr(owner, field))
            while size:
                start = len(getattr(owner, field)) - size
                while start >= 0:
                    if attempt(tree, owner, field, start, size, keeps):
                        changed = True
                    start -= size
                size //= 2
            if field in ("body", "orelse", "finalbody"):
                for index in range(len(getattr(owner, field)) - 1, -1, -1):
                    changed |= hoist(tree, owner, field, index, keeps)
    return prelude + ast.unparse(tree)


if __name__ == "__main__":
    arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
    wanted_text = sys.argv[sys.argv.index("--filter") + 1] if "--filter" in sys.argv else ""
    if arguments[0].endswith(".py"):
        program = pathlib.Path(arguments[0]).read_text(encoding="utf-8")
    else:
        program = make_program(int(arguments[0]), tuple(arguments[1].split(",")) if len(arguments) > 1 and "," in arguments[1] else ALL_FEATURES)
    smaller = reduce(program, wanted_text)
    print(smaller.removeprefix(PRELUDE))
    print("=" * 60, outcome_of(smaller), sep="\n")
