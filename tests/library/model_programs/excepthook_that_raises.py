import sys


def hook(kind, value, tb):
    raise KeyError("in the hook")


sys.excepthook = hook
raise ValueError("original")
