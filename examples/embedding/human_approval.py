"""A program asks people for approval; between the question and the answer it is a file on the disk.

    python examples/embedding/human_approval.py
"""
import pathlib
import tempfile

import kimi_runtime as kr

PROGRAM = """
def pay(name, amount):
    if amount > 100 and not approve(f"Pay {amount} to {name}?"):
        return "refused"
    return "paid"

for name, amount in [("ann", 50), ("bob", 200), ("cid", 300)]:
    print(name, pay(name, amount))
"""
KEY = b"kept where the service keeps its secrets"


def ask(folder, step):
    """Writes down a program that waits; nothing of it stays in memory."""
    path = folder / "waiting.snapshot"
    path.write_bytes(step.dump(key=KEY))
    return path


def answer(path, value):
    """Goes on with a program that was written down."""
    return kr.load(path.read_bytes(), key=KEY).resume(value)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        step = kr.Runtime().session().start(PROGRAM, suspend_on={"approve"})
        for decision in (True, False):
            print(step.args[0], "yes" if decision else "no")
            step = answer(ask(folder, step), decision)
        print(step.result.stdout, end="")


if __name__ == "__main__":
    main()
