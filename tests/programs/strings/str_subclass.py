class Name(str):
    def __new__(cls, value, tag=None):
        self = super().__new__(cls, value.title())
        self.tag = tag
        return self
    def __add__(self, o): return Name(str(self) + o, "added")
    def __len__(self): return 99
    def __eq__(self, o): return str.__eq__(self, o) or "almost"
    __hash__ = str.__hash__
    def __getitem__(self, i): return "item:" + str.__getitem__(self, i)
    def __contains__(self, x): return True
    def shout(self): return self.upper() + "!"
n = Name("ada lovelace", tag=1)
print(n, repr(n), n.tag, n.shout(), type(n.shout()).__name__, n + " x", (n + "y").tag, "z" + n, type("z" + n).__name__)
print(len(n), n == "Ada Lovelace", n == "other", n[0], "q" in n, {"Ada Lovelace": 5}[n], f"{n:>20}", "%s" % n, n.split(), type(n.split()[0]), str(n), type(str(n)))
print(isinstance(n, str), n < "B", sorted([Name("b"), Name("a")]), "-".join([n, "x"]), n * 2, list(n)[:3], n.__dict__, vars(n))
class Quiet(str):
    def __str__(self): return "quiet-str"
    def __repr__(self): return "quiet-repr"
    def __format__(self, spec): return "fmt" + spec
q = Quiet("data")
print(q, [q], f"{q} {q!r} {q!s}", "%s %r" % (q, q), "{}".format(q), q + "", str(q), q.upper())
