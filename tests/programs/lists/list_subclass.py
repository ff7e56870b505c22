class Stack(list):
    def push(self, x): self.append(x); return self
    def peek(self): return self[-1]
    def __getitem__(self, i):
        if isinstance(i, str): return [x for x in self if str(x) == i]
        return super().__getitem__(i)
    def __len__(self): return super().__len__()
    def __repr__(self): return "Stack" + super().__repr__()
s = Stack([1]).push(2).push(3)
print(s, s.peek(), s["2"], s[0:2], type(s[0:2]), len(s), s + [4], type(s + [4]), s == [1, 2, 3], isinstance(s, list), s * 2, list(s), sorted(s, reverse=True))
s.extra = "attr"
print(s.__dict__, s.extra, s.copy(), type(s.copy()), [x for x in s], 2 in s, s.index(3), *s)
s += [9]
s[0] = "zero"
print(s, s.pop(), s.reverse(), s)
class Logged(list):
    def __init__(self, *a):
        self.log = []
        super().__init__(*a)
    def __setitem__(self, i, v): self.log.append(("set", i, v)); super().__setitem__(i, v)
    def __delitem__(self, i): self.log.append(("del", i)); super().__delitem__(i)
    def __iter__(self): self.log.append("iter"); return super().__iter__()
    def __contains__(self, x): self.log.append("contains"); return super().__contains__(x)
    def __iadd__(self, o): self.log.append("iadd"); return super().__iadd__(o)
    def append(self, x): self.log.append("append"); super().append(x)
l = Logged("abc")
l[0] = "z"; l[1:2] = ["q", "r"]; del l[0]; l += ["w"]; l.append("v")
print("q" in l, [c for c in l], l.log)
a, *b = l
print(a, b, l.log[-1], len(l), bool(Logged()), l == ["q", "r", "c", "w", "v"])
