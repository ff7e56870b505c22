def f(x):
    match x:
        case {"type": "circle", "r": r}: return f"circle {r}"
        case {"type": "rect", "w": w, "h": h, **rest}: return f"rect {w}x{h} {rest}"
        case {"nested": {"list": [first, *_]}}: return f"nested {first}"
        case {1: one, None: none}: return f"keys {one} {none}"
        case {"opt": None | 0}: return "opt falsy"
        case {"k": int() | float() as num}: return f"num {num}"
        case {**everything} if len(everything) == 1: return f"single {everything}"
        case {}: return "any mapping"
        case _: return "not mapping"
for v in ({"type": "circle", "r": 2}, {"type": "circle", "r": 2, "extra": 1}, {"type": "rect", "w": 1, "h": 2, "c": 3}, {"type": "rect", "w": 1, "h": 2}, {"nested": {"list": [1, 2]}}, {"nested": {"list": []}}, {1: "a", None: "b"}, {True: "a", None: "b"}, {"opt": None}, {"opt": 0}, {"opt": 1}, {"k": 5}, {"k": 1.5}, {"k": "s"}, {}, {"a": 1, "b": 2}, [], "s", None):
    print(v, "->", f(v))
class Def(dict):
    def __missing__(self, k): return "made"
match Def():
    case {"zz": v}: print("missing used?", v)
    case _: print("missing not used")
class D2(dict):
    def get(self, k, default=None): print("get", k, end=" "); return super().get(k, default)
match D2(a=1):
    case {"a": v, **r}: print(v, r)
K = type("K", (), {"A": "x", "B": 2})
match {"x": 1, 2: "two"}:
    case {K.A: a, K.B: b}: print("value keys", a, b)
match {"a": {"b": {"c": 5}}}:
    case {"a": {"b": {"c": c}}}: print(c)
match {"x": [1, {"y": (2, 3)}]}:
    case {"x": [p, {"y": (q, r)}]}: print(p, q, r)
try:
    match {"x": 1}:
        case {K.A: a, "x": b}: print("dup")
except ValueError as e: print(e)
events = [{"e": "key", "code": 65, "mods": ["ctrl"]}, {"e": "click", "pos": (3, 4)}, {"e": "quit"}, {"x": 1}]
for ev in events:
    match ev:
        case {"e": "key", "code": code, "mods": ["ctrl", *more]}: print("ctrl+", chr(code), more)
        case {"e": "click", "pos": (x, y)} if x < y: print("click", x, y)
        case {"e": other}: print("event", other)
        case _: print("unknown", ev)
