# ruff: noqa: F821
"""The file of the host passes the source of a warning in the place of the stream; there it never runs, since C code does."""


def _repaired(init):
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        if source is None and file is not None and not hasattr(file, "write"):
            file, source = None, file
        init(self, message, category, filename, lineno, file, line, source)

    return __init__


WarningMessage.__init__ = _repaired(WarningMessage.__init__)
del _repaired
