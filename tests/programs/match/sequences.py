def f(x):
    match x:
        case []: return "empty"
        case [1]: return "one"
        case [1, 2]: return "one two"
        case ["a", *rest]: return f"a then {rest}"
        case [x, "mid", y]: return f"mid {x} {y}"
        case [*init, "end"]: return f"init {init}"
        case (0, *_, 9): return "0..9"
        case [[a, b], [c, d]]: return f"pairs {a}{b}{c}{d}"
        case [int(n), str(s)]: return f"int str {n} {s}"
        case [x, y] if x == y: return f"equal {x}"
        case [_, _, third, *others]: return f"third {third} {others}"
        case [single]: return f"single {single}"
        case _: return "no"
class Seq:
    def __len__(self): return 1
    def __getitem__(self, i): return [1][i]
for v in ([], (), [1], (1,), [1, 2], ["a"], ["a", 1, 2], ["x", "mid", "y"], ["p", "q", "end"], [0, 9], [0, 1, 2, 9], [[1, 2], (3, 4)], [5, "s"], [7, 7], [1, 2, 3, 4], ["only"], "string", b"bytes", bytearray(b"x"), {1: 2}, {1}, range(2), range(0), iter([1]), 5, None, memoryview(b"a"), Seq()):
    print(v if not isinstance(v, (Seq,)) and "object" not in repr(v) and "memory" not in repr(v) else type(v).__name__, "->", f(v))
match [1, 2, 3, 4, 5]:
    case [a, *mid, z]: print(a, mid, z, type(mid))
match (1, (2, (3, 4))):
    case a, (b, (c, d)): print(a, b, c, d)
match [1, [2, 3]]:
    case [a, [b, *c]] as whole: print(a, b, c, whole)
match 1, 2:
    case (x, y): print(x, y)
match (5,):
    case x,: print("trailing comma", x)
match [1, 2, 3]:
    case *all_, : print(all_)
match [1, 2]:
    case [a, 5]: print("no")
    case [b, 2]: print("bound?", b, "a" in dir())
print([(a, b) for p in [(1, 2), [3, 4], 5] for a, b in [p if isinstance(p, (tuple, list)) else (0, 0)]])
class ListSub(list): pass
match ListSub([1]):
    case [x]: print("list subclass", x)
for src in ("match x:\n case [*a, *b]: pass", "match x:\n case [a, a]: pass", "match x:\n case a: pass\n case b: pass", "match x:\n case _ | 1: pass", "match x:\n case [a] | b: pass", "match x:\n case {**r, 'a': 1}: pass", "match x:\n case C(a=1, a=2): pass", "match x:\n case 1 + 1: pass", "match x:\n case f'x': pass", "match x:\n case {'a': 1, 'a': 2}: pass", "match x:\n case a | b: pass", "match x:\n case C(a=1, b): pass", "match x:\n case _ as y: pass", "match x:\n case y as _: pass", "match x:\n case -a: pass", "match x:\n case {a: 1}: pass", "match x:\n case {**_}: pass", "match x:\npass", "match x:\n case 1:\n"):
    try: compile(src, "s", "exec"); print("ok", repr(src))
    except SyntaxError as e: print(e.msg)
