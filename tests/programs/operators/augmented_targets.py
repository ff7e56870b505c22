log = []
class Box:
    def __init__(self): self.d = {"k": 1}
    def __getitem__(self, i): log.append(("get", i)); return self.d.get(i, 0)
    def __setitem__(self, i, v): log.append(("set", i, v)); self.d[i] = v
    def __getattr__(self, n): log.append(("getattr", n)); return 10
def key(): log.append("key"); return "k"
def box(): log.append("box"); return b
b = Box()
box()[key()] += 5
b["z"] -= 1
b.fresh *= 3
print(b.d, b.fresh, log)
l = [1, 2, 3]
alias = l
l += (4,)
l *= 2
print(l, alias is l)
t = ([1], 2)
try:
    t[0] += [9]
except TypeError as e:
    print(e, t)
d = {"a": [1]}
d["a"] += [2]
d["n"] = d.get("n", 0) + 1
d["n"] <<= 4
s = {1, 2}
s2 = s
s |= {3}; s &= {2, 3, 4}; s ^= {4}; s -= {2}
print(d, sorted(s), s is s2)
l[1:3] += ["x"]
l[0] **= 3
l[-1] //= 2
print(l)
n = 7
n //= 2; n **= 3; n %= 10; n <<= 3; n >>= 1; n |= 1; n ^= 3; n &= 0xFE; n /= 4
print(n)
try:
    undefined += 1
except NameError as e:
    print(e)
try:
    d["missing"] += 1
except KeyError as e:
    print(repr(e))
