import atexit
import sys

atexit.register(lambda: print(sys.last_type, sys.last_value))
del sys.excepthook
raise ValueError("original")
