class Plugin:
    plugins = {}
    def __init_subclass__(cls, /, key=None, **kw):
        super().__init_subclass__(**kw)
        Plugin.plugins[key or cls.__name__.lower()] = cls
        print("sub", cls.__name__, key)
class A(Plugin): pass
class B(Plugin, key="bee"): pass
class C(B, key="see"): pass
print(sorted(Plugin.plugins), Plugin.plugins["bee"] is B)
for src in ("class D(Plugin, wrong=1): pass", "class E(key=1): pass", "class F(object, x=2, y=3): pass"):
    try: exec(src)
    except TypeError as e: print(e)
class Field:
    order = []
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.name = name; Field.order.append((owner.__name__, name))
    def __get__(self, o, t=None): return self if o is None else o.__dict__.get(self.name, self.kind())
    def __set__(self, o, v):
        if not isinstance(v, self.kind): raise TypeError(f"{self.name} must be {self.kind.__name__}, not {type(v).__name__}")
        o.__dict__[self.name] = v
class Model:
    def __init_subclass__(cls):
        cls.fields = [k for k, v in cls.__dict__.items() if isinstance(v, Field)]
        cls.__init__ = Model.make_init(cls.fields)
    @staticmethod
    def make_init(fields):
        def __init__(self, **kw):
            for k, v in kw.items():
                if k not in fields: raise TypeError(f"unexpected {k}")
                setattr(self, k, v)
        return __init__
    def __repr__(self): return f"{type(self).__name__}(" + ", ".join(f"{f}={getattr(self, f)!r}" for f in self.fields) + ")"
class User(Model):
    name = Field(str); age = Field(int); tags = Field(list)
u = User(name="ann", age=3)
print(u, User.fields, Field.order)
for f in (lambda: User(age="x"), lambda: User(zz=1), lambda: setattr(u, "tags", ())):
    try: f()
    except TypeError as e: print(e)
class Boom:
    def __set_name__(self, o, n): raise ValueError(f"boom {n}")
try:
    class G: b = Boom()
except Exception as e:
    print(type(e).__name__, e, getattr(e, "__notes__", None) or repr(e.__cause__) if False else "")
class Base:
    def __init_subclass__(cls, **kw): raise LookupError("no subclassing " + cls.__name__)
try:
    class H(Base): pass
except LookupError as e: print(e)
