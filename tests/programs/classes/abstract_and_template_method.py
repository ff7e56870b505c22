class AbstractError(TypeError): pass
def abstract(f): f.is_abstract = True; return f
class ABC:
    def __init_subclass__(cls): cls._missing = sorted(n for n in dir(cls) if getattr(getattr(cls, n, None), "is_abstract", False))
    def __new__(cls, *a, **k):
        if getattr(cls, "_missing", None): raise AbstractError(f"Can't instantiate {cls.__name__} with {', '.join(cls._missing)}")
        return super().__new__(cls)
class Exporter(ABC):
    def __init__(self, sep=";"): self.sep = sep
    def export(self, rows):
        out = [self.header(rows)] if self.wants_header() else []
        for n, r in enumerate(rows):
            try: out.append(self.row(r))
            except self.Skip as s: out.append(f"#{n} skipped: {s}")
        return self.finish(out)
    class Skip(Exception): pass
    def wants_header(self): return True
    def header(self, rows): return self.sep.join(rows[0])
    def finish(self, lines): return "\n".join(lines)
    @abstract
    def row(self, r): ...
class Csv(Exporter):
    def row(self, r):
        if None in r.values(): raise self.Skip("has none")
        return self.sep.join(map(str, r.values()))
class Html(Exporter):
    def wants_header(self): return False
    def row(self, r): return "<tr>" + "".join(f"<td>{v}</td>" for v in r.values()) + "</tr>"
    def finish(self, lines): return "<table>" + super().finish(lines).replace("\n", "") + "</table>"
class Half(Exporter):
    @abstract
    def extra(self): ...
class Full(Half):
    def row(self, r): return str(len(r))
    def extra(self): return "x"
rows = [{"a": 1, "b": "x"}, {"a": None, "b": 2}]
for cls in (Csv, Html, Full, Exporter, Half):
    try: print(cls.__name__, cls(sep=",").export(rows))
    except AbstractError as e: print(e)
print(Half._missing, Full._missing, Csv.Skip is Exporter.Skip, issubclass(Html.Skip, Exception))
