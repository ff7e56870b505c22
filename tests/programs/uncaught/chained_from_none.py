try:
    {}["k"]
except KeyError:
    raise LookupError("clean message") from None
