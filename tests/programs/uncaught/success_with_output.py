import sys
print("all good")
print("warning", file=sys.stderr)
