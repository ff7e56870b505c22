def load(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError(f"cannot load {text!r}") from error

print(load("5"))
load("five")
