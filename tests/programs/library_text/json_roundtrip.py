import json
from json import JSONDecodeError, JSONDecoder, JSONEncoder
data = {"a": [1, 2.5, None, True, "é\n\"x"], "b": {"c": {}, "d": []}, "n": -0.0, "big": 10**30, "inf": float("inf")}
text = json.dumps(data)
print(text)
print(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
print(json.dumps(data, separators=(",", ":")))
print(json.loads(text) == data)
for bad in ["{", "[1,]", '{"a" 1}', "nul", '"\x01"', "[1] 2", '{"a":1,}', "", "'a'", "[1e5, 1E-2, -]", '"\\u12"', '{1:2}']:
    try:
        print(json.loads(bad))
    except JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno, e.msg, e.doc == bad, type(e).__mro__[1].__name__)
    except ValueError as e:
        print("other", e)
class P:
    def __init__(self, x): self.x = x
class E(JSONEncoder):
    def default(self, o):
        if isinstance(o, P): return {"__p__": o.x}
        if isinstance(o, (set, frozenset)): return sorted(o)
        if isinstance(o, complex): return [o.real, o.imag]
        return super().default(o)
print(json.dumps([P(1), {3, 1, 2}, 2j, {"k": P([P(2)])}], cls=E))
print(json.dumps(P(1), default=lambda o: vars(o)))
try:
    json.dumps(P(1))
except TypeError as e:
    print(e)
try:
    json.dumps({(1, 2): 3})
except TypeError as e:
    print(e)
print(json.dumps({(1, 2): 3, "a": 1, 2: 3, None: 4, True: 5, 1.5: 6}, skipkeys=True))
l = []; l.append(l)
try:
    json.dumps(l)
except ValueError as e:
    print(e)
try:
    json.dumps(float("nan"), allow_nan=False)
except ValueError as e:
    print(e)
print(json.loads('{"a": 1, "a": 2, "b": [1.5, 2]}', object_pairs_hook=list, parse_float=str, parse_int=lambda s: int(s) * 10))
print(json.loads('{"x": {"y": 1}}', object_hook=lambda d: tuple(d.items())))
print(json.loads("[NaN, Infinity, -Infinity]", parse_constant=lambda c: c.upper()))
print(JSONDecoder().raw_decode('[1, 2] tail'))
print("".join(JSONEncoder(indent=1).iterencode({"a": (1, [])})))
import io
f = io.StringIO(); json.dump([1, {"a": "b"}], f); f.seek(0); print(f.getvalue(), json.load(f))
print(json.loads(b'{"caf\xc3\xa9": 1}'), json.loads("\ufeff1".encode("utf-16")))
class MyDict(dict): pass
class MyInt(int):
    def __repr__(self): return "MyInt!"
from enum import IntEnum
class Color(IntEnum): RED = 1
print(json.dumps([MyDict(a=MyInt(3)), Color.RED, (1, 2)]))
from collections import OrderedDict, namedtuple
print(json.dumps([OrderedDict(b=1, a=2), namedtuple("N", "x y")(1, 2)]))
deep = None
for _ in range(50): deep = [deep]
print(json.loads(json.dumps(deep)) == deep)
