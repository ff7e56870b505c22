class L(list):
    def __getitem__(self, i): log.append(i); return super().__getitem__(i)
log = []
for value in (L([1, 2, 3, 4]), L([1]), L([]), L([1, 2])):
    log.clear()
    match value:
        case [x, *_, y]: print("ends", x, y, log)
        case [x]: print("one", x, log)
        case []: print("none", log)
for value in (L("abcd"), L("ab")):
    log.clear()
    match value:
        case [a, b, *rest, c]: print(a, b, rest, c, type(rest).__name__)
        case [*init, "b"]: print(init, type(init).__name__)
class D(dict):
    def __getitem__(self, k): raise AssertionError("not called")
match D(a=1, b=2):
    case {"a": x, **rest}: print(x, rest, type(rest).__name__)
def kinds(v):
    match v:
        case [_, _]: return "two"
        case [1 | 2 as n, *_] if n > 1: return f"starts {n}"
        case (a, (b, [c])): return (a, b, c)
        case {"k": [first, *_]} | {"j": first}: return first
        case str() | bytes(): return "text"
    return "other"
print([kinds(v) for v in ([1, 2], [2, 2, 2], [1, 2, 3], {"k": [7]}, {"j": 8}, {"k": []}, "ab", b"ab", None)])
