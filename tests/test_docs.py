"""Runs the code in README.md and docs/, and checks their links.

Blocks: ``pycon`` as doctests; ``python`` as a host program, its output compared with a ``text`` block that follows; ``console``
as shell commands after ``$``, with the output that follows (``...`` stands for anything). ``sh`` blocks are only shown.
"""
import contextlib
import doctest
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = ROOT / "docs/bytecode.md"
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page != GENERATED)]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page):
    """(language, text, line number, following text block or None) of each fenced block."""
    text = page.read_text()
    found = [(m[1], m[2], text[: m.start()].count("\n") + 2) for m in FENCE.finditer(text)]
    for (language, body, line), after in zip(found, [*found[1:], ("", "", 0)], strict=bool(found)):
        yield language, body, line, after[1] if after[0] == "text" else None


CASES = [
    pytest.param(page, language, body, line, output, id=f"{page.name}:{line}")
    for page in PAGES
    for language, body, line, output in blocks(page)
    if language in ("pycon", "python", "console")
]


@pytest.fixture(scope="module")
def shell_path(tmp_path_factory):
    """A PATH that has ``kimi-cli`` on it."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "kimi-cli"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m kimi_runtime "$@"\n')
    command.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("page, language, body, line, output", CASES)
def test_block(page, language, body, line, output, shell_path):
    if language == "pycon":
        run_doctest(page, body, line)
    elif language == "python":
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            exec(compile("\n" * (line - 1) + body, str(page), "exec"), {"__name__": "__main__"})
        if output is not None:
            assert written.getvalue() == output
    else:
        run_console(body, shell_path)


class Checker(doctest.OutputChecker):
    """Looks past the marks under source lines: the pages show those of 3.11 and 3.12, and 3.13 marks more."""

    def check_output(self, want, got, optionflags):
        if sys.version_info >= (3, 13):
            want, got = (re.sub(r"^ +[~^]+\n", "", text, flags=re.MULTILINE) for text in (want, got))
        return super().check_output(want, got, optionflags)


def run_doctest(page, body, line):
    test = doctest.DocTestParser().get_doctest(preamble(page, line) + body, {}, page.name, str(page), 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(checker=Checker(), optionflags=doctest.ELLIPSIS, verbose=False)
    with contextlib.chdir(ROOT):
        result = runner.run(test, out=report.write)
    assert result.attempted and not result.failed, report.getvalue()


def preamble(page, line):
    """The imports of the page's first block, for the later ones."""
    return "" if ">>> import kimi_runtime as kr" in "".join(
        body for _, body, at, _ in blocks(page) if at == line
    ) else ">>> import kimi_runtime as kr\n"


def run_console(body, path):
    commands = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    assert commands
    for command in commands:
        line, _, expected = command.partition("\n")
        done = subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, timeout=120, cwd=ROOT,
            env={**os.environ, "PATH": path},
        )
        got = done.stdout + done.stderr if "status" not in line else done.stderr + done.stdout
        expected = expected.replace("<BLANKLINE>\n", "\n")
        assert doctest.OutputChecker().check_output(expected, got, doctest.ELLIPSIS), f"{line}\n{got}"


def test_links():
    """Relative links point to files that exist."""
    missing = []
    for page in PAGES:
        prose = re.sub(r"`[^`]*`", "", FENCE.sub("", page.read_text()))
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
            if not target.startswith("http") and not (page.parent / target).exists():
                missing.append(f"{page.name}: {target}")
    assert not missing
