"""The type checker ``ty`` over a program and stubs of what the host hands to it."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import Any

from .findings import RULES, Finding

#: What the checker itself finds better, or what differs on purpose: guests have names that files of a project have not.
LEFT_OUT = {"unresolved-reference", "unresolved-import", "invalid-syntax", "possibly-unresolved-reference"}


def find() -> str:
    """The path of the program.

    Raises:
        ImportError: it is not installed.
    """
    beside = os.path.join(sysconfig.get_path("scripts"), "ty")
    found = beside if os.access(beside, os.X_OK) else shutil.which("ty")
    if found is None:
        raise ImportError("types=True needs the type checker ty: pip install 'kimi-runtime[types]'", name="ty")
    return found


def check(source: str, filename: str, stub: str, timeout: float) -> list[Finding]:
    """Runs the type checker in a folder of its own. It reads the program and runs nothing of it.

    Args:
        source: text of the program.
        filename: the name that findings show.
        stub: text of ``__builtins__.pyi``.
        timeout: seconds.

    Raises:
        ImportError: ty is not installed.
        TimeoutError: it took too long.
        RuntimeError: it failed.
    """
    program = find()
    with tempfile.TemporaryDirectory(prefix="kimi-check-") as folder:
        for name, text in (("guest.py", source), ("__builtins__.pyi", stub), ("ty.toml", "")):
            with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        try:
            done = subprocess.run(
                [program, "check", "--project", folder, "--python-version", version, "--output-format", "gitlab",
                 "--no-progress", "guest.py"],
                cwd=folder, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=timeout,
                stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the type checker took more than {timeout:g} s: give type_timeout more seconds") from None
    try:
        rows = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"the type checker failed with status {done.returncode}: {done.stderr.strip()[-500:]}") from None
    return [_finding(row, filename) for row in rows if row["check_name"] not in LEFT_OUT]


def _finding(row: dict[str, Any], filename: str) -> Finding:
    rule = "type-error" if row["severity"] in ("major", "critical", "blocker") else "type-warning"
    place = row["location"]["positions"]
    message = row["description"].removeprefix(f"{row['check_name']}: ")
    return Finding(rule, f"{message} ({row['check_name']})", filename, place["begin"]["line"], place["begin"]["column"],
                   place["end"]["line"], place["end"]["column"], RULES[rule][0])
