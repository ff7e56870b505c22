import sys

sys.excepthook = lambda *details: sys.exit(7)
raise ValueError("original")
