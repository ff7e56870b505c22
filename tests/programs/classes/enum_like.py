class EnumMeta(type):
    def __new__(m, name, bases, ns):
        members = {k: v for k, v in ns.items() if not k.startswith("_") and not callable(v) and not isinstance(v, (property, classmethod, staticmethod))}
        cls = super().__new__(m, name, bases, {k: v for k, v in ns.items() if k not in members})
        cls._members = {}
        for k, v in members.items():
            dup = next((x for x in cls._members.values() if x.value == v), None)
            if dup is None:
                dup = object.__new__(cls)
                dup.__dict__.update(name=k, value=v)
            cls._members[k] = dup
        return cls
    def __iter__(cls): return iter(dict.fromkeys(cls._members.values()))
    def __len__(cls): return len(dict.fromkeys(cls._members.values()))
    def __getitem__(cls, k): return cls._members[k]
    def __contains__(cls, m): return m in cls._members.values()
    def __getattr__(cls, k):
        try: return cls.__dict__["_members"][k]
        except KeyError: raise AttributeError(k) from None
    def __setattr__(cls, k, v):
        if k != "_members": raise AttributeError(f"cannot reassign {k}")
        super().__setattr__(k, v)
    def __call__(cls, v):
        for m in cls:
            if m.value == v: return m
        raise ValueError(f"{v!r} is not a valid {cls.__name__}")
    def __repr__(cls): return f"<enum {cls.__name__}>"
class Enum(metaclass=EnumMeta):
    def __repr__(self): return f"<{type(self).__name__}.{self.name}: {self.value!r}>"
    def __str__(self): return f"{type(self).__name__}.{self.name}"
    def __setattr__(self, *a): raise AttributeError("members are read-only")
class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    @property
    def hex(self): return {1: "#f00", 2: "#0f0"}[self.value]
    def mix(self, o): return f"{self.name}+{o.name}"
print(list(Color), Color.RED, Color["GREEN"], Color(2), Color.CRIMSON is Color.RED, len(Color), Color.RED in Color, Color, Color.RED.hex, Color.GREEN.mix(Color.RED), isinstance(Color.RED, Color), {Color.RED: "r"}[Color(1)], Color.RED == Color.RED, Color.RED != Color.GREEN)
for f in (lambda: Color(9), lambda: Color["X"], lambda: Color.BLUE, lambda: setattr(Color, "RED", 5), lambda: setattr(Color.RED, "value", 3)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
match Color(1):
    case Color.GREEN: print("green")
    case Color.RED: print("red matched")
class Flag(int):
    names = {}
    def __new__(cls, v, name=None):
        self = super().__new__(cls, v)
        if name: cls.names[v] = name
        return self
    def __or__(s, o): return Flag(int(s) | int(o))
    def __and__(s, o): return Flag(int(s) & int(o))
    def __invert__(s): return Flag(sum(Flag.names) - int(s))
    def __contains__(s, o): return s & o == o
    def __repr__(s): return "|".join(n for v, n in sorted(Flag.names.items()) if v & int(s)) or "0"
R, W, X = (Flag(1 << i, n) for i, n in enumerate("RWX"))
print(R | W, ~R, R in (R | X), W in (R | X), R & W, (R | W | X) & ~W, repr(Flag(5)), R | 4, bool(R & W))
