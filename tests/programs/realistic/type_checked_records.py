class Field:
    def __init__(self, type_, default=..., *, check=None): self.type, self.default, self.check = type_, default, check
    def __set_name__(self, owner, name): self.name, self.slot = name, "_" + name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        try: return obj.__dict__[self.slot]
        except KeyError: raise AttributeError(f"{owner.__name__}.{self.name} is unset") from None
    def __set__(self, obj, v):
        if not isinstance(v, self.type):
            want = " or ".join(t.__name__ for t in self.type) if isinstance(self.type, tuple) else self.type.__name__
            raise TypeError(f"{self.name}: expected {want}, got {type(v).__name__}")
        if self.check and not self.check(v): raise ValueError(f"{self.name}: {v!r} rejected")
        obj.__dict__[self.slot] = v
    def __delete__(self, obj): obj.__dict__.pop(self.slot, None)
class RecordMeta(type):
    def __new__(m, name, bases, ns, frozen=False):
        fields = {}
        for b in reversed(bases): fields.update(getattr(b, "_fields", {}))
        fields.update({k: v for k, v in ns.items() if isinstance(v, Field)})
        ns["_fields"], ns["__match_args__"] = fields, tuple(fields)
        cls = super().__new__(m, name, bases, ns)
        if frozen:
            def locked(self, k, v=None): raise AttributeError(f"{name} is frozen")
            cls.replace_allowed = True
            base_set = cls.__setattr__
            def __setattr__(self, k, v):
                if getattr(self, "_ready", False): locked(self, k)
                base_set(self, k, v)
            cls.__setattr__ = __setattr__
        return cls
    def __iter__(cls): return iter(cls._fields)
    def __len__(cls): return len(cls._fields)
class Record(metaclass=RecordMeta):
    def __init__(self, *args, **kw):
        names = list(self._fields)
        if len(args) > len(names): raise TypeError(f"{type(self).__name__} takes {len(names)} values, got {len(args)}")
        given = dict(zip(names, args))
        if dup := given.keys() & kw.keys(): raise TypeError(f"duplicate {sorted(dup)}")
        given |= kw
        if unknown := given.keys() - self._fields.keys(): raise TypeError(f"unknown {sorted(unknown)}")
        for n, f in self._fields.items():
            if n in given: setattr(self, n, given[n])
            elif f.default is not ...: setattr(self, n, f.default() if callable(f.default) else f.default)
            else: raise TypeError(f"missing {n}")
        self._ready = True
    def asdict(self): return {n: getattr(self, n) for n in self._fields}
    def replace(self, **kw): return type(self)(**{**self.asdict(), **kw})
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.asdict().items())})"
    def __eq__(self, o): return type(o) is type(self) and o.asdict() == self.asdict()
    def __hash__(self): return hash(tuple(self.asdict().values()))
class Person(Record):
    name = Field(str); age = Field(int, 0, check=lambda v: v >= 0); tags = Field(list, list)
class Employee(Person): salary = Field((int, float))
class Point(Record, frozen=True): x = Field(int, 0); y = Field(int, 0)
p = Person("ann", 3); e = Employee("bob", salary=1.5, age=40)
p.tags.append("t")
print(p, e, list(Employee), len(Person), Person("x").tags, p == Person("ann", 3, ["t"]), p.replace(age=9), Point(1) == Point(1, 0), hash(Point(2)) == hash(Point(2)), {Point(): "o"}[Point(0, 0)])
match e:
    case Employee(name, age, salary=s) if s < 2: print("matched", name, age, s)
for f in (lambda: Person(), lambda: Person(1), lambda: Person("a", -1), lambda: Person("a", zz=1), lambda: Person("a", name="b"), lambda: Person(1, 2, 3, 4), lambda: setattr(p, "age", "x"), lambda: Employee("q", salary=None), lambda: setattr(Point(), "x", 5), lambda: Point("s")):
    try: f(); print("ok")
    except (TypeError, ValueError, AttributeError) as x: print(type(x).__name__, x)
del p.age
try: p.age
except AttributeError as x: print(x)
