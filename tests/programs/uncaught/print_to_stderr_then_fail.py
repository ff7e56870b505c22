import sys
print("out 1")
print("err 1", file=sys.stderr)
sys.stderr.write("err 2\n")
raise LookupError("after writing to both")
