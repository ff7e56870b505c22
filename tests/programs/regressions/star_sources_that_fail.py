class Seq:
    def __init__(self, fail_at): self.fail_at = fail_at
    def __getitem__(self, i):
        if i == self.fail_at: raise TypeError(f"failed at {i}")
        if i > 5: raise IndexError
        return i
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        self.n -= 1
        if self.n < 0: raise OSError("iterator broke")
        return self.n
def g(*a, **k): return a, k
for make in (lambda: g(*Seq(0)), lambda: g(*Seq(2)), lambda: g(*Seq(9)), lambda: g(1, *Seq(1), 2), lambda: [*Seq(1)], lambda: (*Seq(1),), lambda: {*Seq(1)},
             lambda: g(*It(0)), lambda: g(*It(2)), lambda: [*It(1)], lambda: print(*Seq(1)), lambda: max(*Seq(3)), lambda: g(*Seq(9), **{"a": 1}),
             lambda: g(**{1: 2}), lambda: g(**Seq(1)), lambda: list(Seq(1)), lambda: tuple(It(1)), lambda: dict.fromkeys(Seq(1)), lambda: sorted(It(3)), lambda: sum(Seq(4)), lambda: list(zip(Seq(1), "ab"))):
    try: print(make())
    except (TypeError, OSError) as e: print(type(e).__name__, e)
for statement in ("a, b = Seq(1)", "a, *b = Seq(2)", "*a, b = It(2)", "for x in Seq(1): pass", "[x for x in It(1)]", "{**Seq(0)}", "x = [0]; x[:] = Seq(2)", "x = []; x.extend(It(1))", "x = []; x += Seq(1)", "7 in Seq(3)", "del [0][Seq(1)]"):
    try: exec(statement); print("fine", statement)
    except (TypeError, OSError) as e: print(statement, type(e).__name__, e)
