try:
    int("x")
except ValueError:
    raise SystemExit("converted")
