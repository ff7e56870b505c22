"""What a profile-guided build is trained with (``make pgo``): every benchmark program a few times, runs, sessions, errors."""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import kimi_runtime as kr  # noqa: E402
from snippets import snippets  # noqa: E402

FOLDERS = ("programs", "everyday", "allocation")


def main() -> int:
    runtime = kr.Runtime(limits=kr.Limits(seconds=600))
    for folder in FOLDERS:
        for path in sorted((HERE / folder).glob("*.py")):
            runtime.run(path.read_text() + "\nfor _ in range(3):\n    main()\n", filename=path.name, check=True)
    for source in snippets(300, 1):
        runtime.run(source)
    with runtime.session() as session:
        for i in range(3000):
            runtime.run("1+1")
            session.run(f"x = {i}; x + 1")
            session.run("missing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
