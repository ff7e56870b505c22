for r in (range(5), range(2, 8), range(10, 0, -3), range(0), range(5, 5), range(-3, 3, 2), range(2**65, 2**65 + 6, 2), range(0, -10, -1)):
    print(r, list(r)[:6], len(r) if len(r) < 100 else "big", bool(r), r.start, r.stop, r.step, r[0] if r else None, r[-1] if r else None, r[1:3], r[::-1], 4 in r, 4.0 in r, "x" in r, r.count(2), hash(r) == hash(range(r.start, r.stop, r.step)))
print(range(3) == range(0, 3, 1), range(0, 3, 2) == range(0, 4, 2), range(0) == range(5, 2), range(3) != [0, 1, 2], range(10)[3:8:2], range(10).index(7), range(True), repr(range(1, 2)), reversed(range(4)), list(reversed(range(0, 10, 3))), sum(range(1000)), max(range(5)), sorted(range(3), reverse=True)) if False else print(range(3) == range(0, 3, 1), range(0, 3, 2) == range(0, 4, 2), range(10)[3:8:2], range(10).index(7), list(reversed(range(0, 10, 3))), sum(range(1000)))
for f in (lambda: range(1.5), lambda: range("3"), lambda: range(1, 2, 0), lambda: range(), lambda: range(5)[9], lambda: range(5)["a"], lambda: range(5).index(9), lambda: range(5).start.__setattr__("x", 1), lambda: setattr(range(5), "start", 1), lambda: range(3) + range(3), lambda: range(3) < range(4), lambda: len(range(2**70)), lambda: range(3)[1.0], lambda: exec("range(3)[0] = 1"), lambda: range(None), lambda: range(5, step=2)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, slice(5), slice(None), s.indices(5), slice(-3, None).indices(10), slice(None, None, -1).indices(4), s == slice(1, 10, 2), [0, 1, 2, 3, 4][slice(1, 3)], "abc"[slice(None, None, -1)])
class Show:
    def __getitem__(self, k): return k
S = Show()
print(S[1:2], S[:], S[::2], S[1:2, 3], S[..., None], S["a":"b"], S[1:2:3], S[()], S[1,], S[-1:], S[x := 5], S[lambda: 0] is not None, S[[1]:{}])
for f in (lambda: slice(), lambda: slice(1, 2, 3, 4), lambda: slice(1, 2, 0).indices(5), lambda: slice(1).indices(-1), lambda: slice("a").indices(3), lambda: setattr(s, "start", 5), lambda: [1][slice("a")], lambda: slice(1, 2, 3).indices(), lambda: [1, 2, 3][1:"x"]):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class Idx:
    def __init__(self, n): self.n = n
    def __index__(self): return self.n
print(list(range(10))[Idx(2):Idx(8):Idx(3)], range(Idx(3)), "hello"[Idx(-1)], (1, 2, 3)[Idx(0)], [5] * Idx(2), bytes(5)[Idx(1):], range(10)[Idx(2)])
