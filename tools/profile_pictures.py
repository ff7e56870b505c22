"""Makes the pictures of docs/img: each view of the page of a profile, of one program. Needs Chromium.

    PYTHONPATH=. python tools/profile_pictures.py
"""
from __future__ import annotations

import pathlib
import sys
import tempfile
from typing import Any

import browser

import kimi_runtime as kr

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "img"
VIEWS = {"about": "overview", "flame": "flame", "time": "timeline", "kinds": "kinds", "functions": "functions",
         "source": "source", "memory": "memory"}

PROGRAM = '''\
"""Words of a text, counted three ways."""
import math

def make_text(lines):
    text = ""
    for i in range(lines):
        text = f"{i % 97} green bottles, {i % 13} blue ones; " + text
    return text

def count(words):
    found = {}
    for word in words:
        try:
            found[word] += 1
        except KeyError:
            found[word] = 1
    return found

def weigh(found):
    names = ["sqrt", "log1p", "cbrt"]
    total = 0.0
    for number, (word, times) in enumerate(found.items()):
        total += getattr(math, names[number % 3])(times + len(word))
    return total

class Report:
    def __init__(self, found):
        self.rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))

    def lines(self):
        return [f"{word:>12} {times}" for word, times in self.rows]

text = make_text(8_000)
for turn in range(14):
    words = text.split()
    found = count(words)
    weigh(found)
    pairs = {f"{a} {b}": turn for a, b in zip(words, words[1:])}
    Report(pairs).lines()
    for k in range(30):
        Report(found).lines()
    store(len(pairs))
'''


def store(number: int) -> None:
    """A function of the host."""
    import time

    time.sleep(0.01)


def main() -> int:
    if browser.find() is None:
        print("no Chromium", file=sys.stderr)
        return 1
    runtime = kr.Runtime(functions={"store": store}, limits=None)
    with runtime.profile(interval=0.001, memory=True) as profile:
        runtime.run(PROGRAM, filename="words.py", check=True)
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as page:
        path = pathlib.Path(folder) / "words.html"
        profile.save(path)
        page.open(path)
        for view, name in VIEWS.items():
            show(page, view)
            (IMAGES / f"profile-{name}.png").write_bytes(page.picture())
    return 0


def show(page: Any, view: str) -> None:
    """Opens a view, and waits until it is drawn."""
    page.run(f"report.open({view!r})")
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


if __name__ == "__main__":
    sys.exit(main())
