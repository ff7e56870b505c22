log = []
class A:
    def __init__(s, n): s.n = n
    def __add__(s, o): log.append("A.add"); return NotImplemented if isinstance(o, str) else ("A+", s.n)
    def __radd__(s, o): log.append("A.radd"); return ("r+A", s.n)
    def __iadd__(s, o): log.append("A.iadd"); s.n += 1; return s
    def __isub__(s, o): return NotImplemented
    def __sub__(s, o): return ("A-", o)
    def __imul__(s, o): return "replaced"
    def __eq__(s, o): log.append("A.eq"); return NotImplemented
    def __lt__(s, o): log.append("A.lt"); return NotImplemented
    def __gt__(s, o): log.append("A.gt"); return "gt"
class B(A):
    def __radd__(s, o): log.append("B.radd"); return "B.radd"
    def __eq__(s, o): log.append("B.eq"); return "B.eq"
class C:
    def __radd__(s, o): log.append("C.radd"); return "C.radd"
    def __rmul__(s, o): return f"{o}*C"
    def __rpow__(s, o): return f"{o}**C"
    def __ror__(s, o): return f"{o}|C"
    def __rand__(s, o): return "and"
    def __rlshift__(s, o): return "lsh"
    def __rfloordiv__(s, o): return "fl"
    def __rmod__(s, o): return "mod"
def show(v):
    print(v, log); log.clear()
show(A(1) + A(2)); show(A(1) + B(2)); show(B(1) + A(2)); show(1 + A(3)); show(A(1) + C())
try: A(1) + "s"
except TypeError as e: show(e)
a = A(5); keep = a
a += 1; show((a is keep, a.n))
a -= 3; show(a)
a = A(1); a *= 2; show(a)
show(A(1) == A(2)); show(A(1) == B(2)); show(B(1) == A(2)); show(A(1) != A(2)); show(A(1) < A(2))
try: A(1) <= A(2)
except TypeError as e: show(e)
show([3 * C(), "s" * C(), [1] * C(), 2 ** C(), {1} | C(), {} | C(), 1 & C(), 1 << C(), 7.5 // C(), 7 % C(), "%s" % C() if False else ""])
l = [1]; ref = l
l += C() if False else (2,)
show((l, ref is l))
try: l += 5
except TypeError as e: show(e)
try:
    t = (1,); t += [2]
except TypeError as e: show(e)
x = [1, 2]; x += "ab"; x *= 2; show(x)
s = "a"; s *= 3; s += "b"; show(s)
class NoneAdd:
    __add__ = None
    __radd__ = lambda s, o: "radd"
    __eq__ = None
for f in (lambda: NoneAdd() + 1, lambda: 1 + NoneAdd(), lambda: NoneAdd() == 1):
    try: show(f())
    except TypeError as e: show(e)
class PowMod:
    def __pow__(s, e, m=None): return (e, m)
print(pow(PowMod(), 2), pow(PowMod(), 2, 3), PowMod() ** 4)
