def cleanup(d):
    del d["missing"]

try:
    1 / 0
except ZeroDivisionError:
    cleanup({})
