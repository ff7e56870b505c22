"""What a command writes to its standard error, where that is a terminal and where it is not."""
from __future__ import annotations

import os
import pty
import subprocess


def shown_by(command: list[str], terminal: bool = True) -> tuple[int, bytes, bytes]:
    """Runs a command. Returns its exit status, its standard output, and what it wrote to standard error."""
    reader, writer = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writer, stdin=subprocess.DEVNULL) as process:
        os.close(writer)
        shown = b""
        try:
            while more := os.read(reader, 4096):
                shown += more
        except OSError:         # how a terminal ends
            pass
        os.close(reader)
        output, _ = process.communicate(timeout=60)
    return process.returncode, output, shown
