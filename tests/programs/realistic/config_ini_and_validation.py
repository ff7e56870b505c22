class Missing(KeyError):
    def __str__(self): return f"missing option {self.args[0]!r} in [{self.args[1]}]"
class Config:
    BOOLS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
    def __init__(self, text=""):
        self.sections = {"DEFAULT": {}}
        section = "DEFAULT"
        for n, raw in enumerate(text.splitlines(), 1):
            line = raw.split("#")[0].strip()
            match list(line):
                case []: continue
                case ["[", *name, "]"]: section = "".join(name).strip(); self.sections.setdefault(section, {})
                case _ if "=" in line: k, v = map(str.strip, line.split("=", 1)); self.sections[section][k.lower()] = v
                case _: raise SyntaxError(f"line {n}: cannot parse {raw!r}")
    def raw(self, section, key):
        for s in (section, "DEFAULT"):
            if key in self.sections.get(s, {}): return self.sections[s][key]
        raise Missing(key, section)
    def get(self, section, key, kind=str, default=...):
        try: v = self.raw(section, key)
        except Missing:
            if default is ...: raise
            return default
        depth = 0
        while "${" in v:
            depth += 1
            if depth > 5: raise RecursionError(f"interpolation too deep in {key}")
            i = v.index("${"); j = v.index("}", i)
            v = v[:i] + self.raw(section, v[i + 2:j]) + v[j + 1:]
        if kind is bool:
            try: return self.BOOLS[v.lower()]
            except KeyError: raise ValueError(f"not a boolean: {v}") from None
        if kind is list: return [p.strip() for p in v.split(",") if p.strip()]
        return kind(v)
    def __getitem__(self, s): return {**self.sections["DEFAULT"], **self.sections[s]}
    def __contains__(self, s): return s in self.sections
    def __iter__(self): return iter(sorted(self.sections.keys() - {"DEFAULT"}))
c = Config("""
root = /srv   # default root
debug = off
[web]
port = 8080
debug = YES
hosts = a.example, b.example,
path = ${root}/web/${port}
[db]
timeout = 2.5
loop = ${loop}
bad = maybe
""")
print(list(c), "web" in c, c["web"], c.get("web", "port", int), c.get("web", "debug", bool), c.get("db", "debug", bool), c.get("web", "hosts", list), c.get("web", "path"), c.get("db", "timeout", float), c.get("db", "zz", int, 7))
for args in (("db", "port"), ("db", "bad", bool), ("db", "timeout", int), ("db", "loop"), ("nosec", "x")):
    try: c.get(*args)
    except (Missing, ValueError, RecursionError) as e: print(type(e).__name__, e, e.__cause__)
try: Config("[a]\nx=1\nnot a line")
except SyntaxError as e: print(e)
SCHEMA = {"name": (str, lambda v: 0 < len(v) < 10), "age": (int, lambda v: v >= 0), "tags?": (list, None), "addr": {"zip": (str, str.isdigit), "geo?": {"lat": (float, None)}}}
def validate(data, schema, path=""):
    for key, rule in schema.items():
        name, optional = key.rstrip("?"), key.endswith("?")
        where = f"{path}.{name}".lstrip(".")
        if name not in data:
            if not optional: yield f"{where}: missing"
        elif isinstance(rule, dict):
            if isinstance(data[name], dict): yield from validate(data[name], rule, where)
            else: yield f"{where}: not an object"
        else:
            kind, check = rule
            if not isinstance(data[name], kind): yield f"{where}: expected {kind.__name__}, got {type(data[name]).__name__}"
            elif check and not check(data[name]): yield f"{where}: invalid value {data[name]!r}"
    for extra in sorted(data.keys() - {k.rstrip("?") for k in schema}): yield f"{path + '.' if path else ''}{extra}: unknown"
for d in ({"name": "ann", "age": 3, "addr": {"zip": "123"}}, {"name": "", "age": -1, "addr": 5, "x": 1}, {"age": "3", "tags": (), "addr": {"zip": "a1", "geo": {"lat": 1, "lon": 2}}}): print(list(validate(d, SCHEMA)) or "valid")
