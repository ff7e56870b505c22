class Stop(BaseException):
    pass

try:
    raise Stop("base exception")
except Exception:
    print("never")
