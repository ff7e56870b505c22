class Res:
    live = []
    def __init__(self, n): self.n = n; Res.live.append(n)
    def __del__(self): Res.live.remove(self.n); print("del", self.n)
def exc():
    r = Res("exc")
    raise ValueError
try: exc()
except ValueError: print("handler", Res.live)
print("after handler", Res.live)
def inner():
    r = Res("inner")
    def deeper():
        q = Res("deeper")
        return 1 / 0
    return deeper()
def outer():
    r = Res("outer")
    try:
        return inner()
    except ZeroDivisionError as e:
        print("caught", type(e).__name__, sorted(Res.live))
    print("left", sorted(Res.live))
outer()
print(Res.live)
