class Column:
    order = 0
    def __init__(self, kind, *, primary=False, default=None): Column.order += 1; self.n, self.kind, self.primary, self.default = Column.order, kind, primary, default
    def __set_name__(self, o, name): self.name = name
    def __get__(self, o, t): return self if o is None else o._row.get(self.name, self.default)
    def __set__(self, o, v): o._row[self.name] = self.kind(v) if v is not None else None; o._dirty.add(self.name)
    def _cmp(op): return lambda self, v: (self.name, op, v)
    __eq__, __ne__, __lt__, __gt__ = map(_cmp, ("==", "!=", "<", ">"))
    __hash__ = object.__hash__
class Meta(type):
    models = {}
    def __new__(m, name, bases, ns, table=None):
        cls = super().__new__(m, name, bases, ns)
        cols = {}
        for b in reversed(cls.__mro__): cols.update({k: v for k, v in vars(b).items() if isinstance(v, Column)})
        cls.columns = dict(sorted(cols.items(), key=lambda kv: kv[1].n))
        cls.table, cls.rows, cls.next_id = table or name.lower() + "s", {}, 1
        if bases: m.models[cls.table] = cls
        return cls
    @property
    def schema(cls): return f"CREATE {cls.table} (" + ", ".join(f"{n} {c.kind.__name__}{'*' if c.primary else ''}" for n, c in cls.columns.items()) + ")"
    def __len__(cls): return len(cls.rows)
class Model(metaclass=Meta):
    id = Column(int, primary=True)
    def __init__(self, **kw):
        self._row, self._dirty = {}, set()
        for k, v in kw.items():
            if k not in self.columns: raise AttributeError(f"{type(self).__name__} has no column {k!r}")
            setattr(self, k, v)
    def save(self):
        if self.id is None: self.id = type(self).next_id; type(self).next_id += 1
        type(self).rows[self.id] = dict(self._row); changed = sorted(self._dirty); self._dirty.clear()
        return changed
    @classmethod
    def find(cls, *conds, order=None):
        ops = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}
        out = [r for r in cls.rows.values() if all(r.get(n) is not None and ops[o](r[n], v) for n, o, v in conds)]
        return [cls(**r) for r in (sorted(out, key=lambda r: r[order.name]) if order is not None else out)]
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in sorted(self._row.items()))})"
class User(Model): name = Column(str); age = Column(int, default=18)
class Admin(User, table="staff"): level = Column(float, default=1.0)
print(User.schema, Admin.schema, sorted(Meta.models), User.name.name)
for n, a in (("ann", "30"), ("bob", 25), ("cy", None)): print(User(name=n, age=a).save(), end=" ")
u = User.find(User.name == "ann")[0]
u.age += 1; print(u, u.save(), User.find(User.age > 20, order=User.age), len(User), User.find(User.name != "ann", User.age < 99), User().age, Admin(name="z").level)
Admin(name="root", level="9").save(); print(Admin.find(), len(Admin), len(User))
for f in (lambda: User(zz=1), lambda: User(age="x"), lambda: User.nope):
    try: f()
    except (AttributeError, ValueError) as e: print(type(e).__name__, e)
