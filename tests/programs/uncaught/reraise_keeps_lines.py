def first():
    raise KeyError("origin")

def second():
    try:
        first()
    except KeyError:
        print("logged")
        raise

second()
