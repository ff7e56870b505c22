try:
    {}["saved"]
except KeyError as e:
    saved = e

def later():
    raise saved

later()
