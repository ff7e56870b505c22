class Event:
    def __init__(self, name, **data): self.name, self.stopped = name, False; self.__dict__.update(data)
    def stop(self): self.stopped = True
class Bus:
    def __init__(self): self.handlers, self.errors = {}, []
    def on(self, name, prio=0):
        def deco(f):
            self.handlers.setdefault(name, []).append((prio, len(self.handlers.get(name, ())), f))
            self.handlers[name].sort(key=lambda h: (-h[0], h[1]))
            return f
        return deco
    def off(self, f):
        for hs in self.handlers.values(): hs[:] = [h for h in hs if h[2] is not f]
    def emit(self, name, **data):
        e = Event(name, **data)
        out = []
        for key in (name, "*"):
            for _, _, f in list(self.handlers.get(key, ())):
                if e.stopped: return out
                try: out.append(f(e))
                except Exception as ex: self.errors.append(f"{f.__name__}: {type(ex).__name__}: {ex}")
        return out
bus = Bus()
@bus.on("save")
def log_save(e): return f"saved {e.path}"
@bus.on("save", prio=10)
def check(e):
    if not e.path: e.stop(); return "refused"
    return "checked"
@bus.on("*")
def audit(e): return f"audit {e.name}"
@bus.on("save", prio=-1)
def broken(e): return e.missing
once_calls = []
@bus.on("tick")
def once(e): once_calls.append(1); bus.off(once)
print(bus.emit("save", path="/tmp/x"), bus.emit("save", path=""), bus.emit("tick"), bus.emit("tick"), once_calls, bus.emit("other", z=1))
print(bus.errors)
class Observable:
    def __init__(self, value): self._v, self._subs = value, []
    value = property(lambda self: self._v)
    @value.setter
    def value(self, v):
        old, self._v = self._v, v
        if old != v:
            for s in self._subs: s(old, v)
    def subscribe(self, f): self._subs.append(f); return lambda: self._subs.remove(f)
    def map(self, f):
        out = Observable(f(self.value))
        self.subscribe(lambda o, n: setattr(out, "value", f(n)))
        return out
price = Observable(10)
taxed = price.map(lambda p: p * 1.2)
label = taxed.map("{:.2f}".format)
changes = []
undo = label.subscribe(lambda o, n: changes.append((o, n)))
price.value = 20; price.value = 20; price.value = 30
undo(); price.value = 1
print(changes, label.value, taxed.value)
class Command:
    all = {}
    def __init_subclass__(cls, name=None, **kw): super().__init_subclass__(**kw); Command.all[name or cls.__name__.lower()] = cls
    def __init__(self, doc): self.doc = doc
class Append(Command):
    def do(self, t): self.n = len(t); self.doc.append(t)
    def undo(self): self.doc.pop()
class Upper(Command, name="up"):
    def do(self): self.old = self.doc[:]; self.doc[:] = [s.upper() for s in self.doc]
    def undo(self): self.doc[:] = self.old
doc, done = [], []
for line in ("append hello", "append wörld", "up", "nope", "append", "undo", "undo"):
    verb, *args = line.split()
    try:
        if verb == "undo": done.pop().undo()
        else: c = Command.all[verb](doc); c.do(*args); done.append(c)
    except (KeyError, TypeError) as e: print(line, "->", type(e).__name__, e)
    print(line, doc)
