"""The functions of ``shutil`` that library modules need; guests cannot import it."""
import os


def get_terminal_size(fallback=(80, 24)):
    """The size that COLUMNS and LINES give, or fallback."""
    size = []
    for name, default in zip(("COLUMNS", "LINES"), fallback):
        try:
            value = int(os.environ[name])
        except (KeyError, ValueError):
            value = 0
        size.append(value if value > 0 else default)
    return os.terminal_size(size)


def copyfileobj(source, target, length=65536):
    """Copy from one stream to another."""
    while data := source.read(length):
        target.write(data)
