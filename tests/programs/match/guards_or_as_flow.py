log = []
def chk(x, r=True): log.append(x); return r
def f(v):
    match v:
        case int(x) if chk(("g1", x), False): return "never"
        case int() | str() as x if chk(("g2", x), x != 3): return f"g2 {x}"
        case (1 | 2 | 3) as small: return f"small {small}"
        case [(1 | 2) as a, ("x" | "y") as b]: return f"pair {a}{b}"
        case ("a", n) | (n, "a"): return f"either side {n}"
        case {"v": (int() | float()) as n} | [n]: return f"num {n}"
        case _ if chk("wild", False): return "no"
    return "end"
for v in (1, 3, "s", [1, "x"], [5, "x"], ("a", 9), (9, "a"), {"v": 2.5}, [None], None):
    print(v, f(v), log); log.clear()
def loop(items):
    out = []
    for it in items:
        match it:
            case "skip": continue
            case "stop": break
            case [*inner]:
                for x in inner:
                    match x:
                        case 0: break
                        case _: out.append(x)
                else: out.append("all")
            case other: out.append(other)
    else: out.append("loop else")
    return out
print(loop(["a", "skip", [1, 2], [1, 0, 2], "b"]), loop([1, "stop", 2]))
def calc(expr):
    match expr:
        case ("+", a, b): return calc(a) + calc(b)
        case ("-", a): return -calc(a)
        case ("-", a, b): return calc(a) - calc(b)
        case ("*", *args):
            r = 1
            for a in args: r *= calc(a)
            return r
        case ("let", str(n), v, body): return calc(subst(body, n, calc(v)))
        case int() | float(): return expr
        case _: raise ValueError(f"bad expr {expr!r}")
def subst(e, n, v):
    match e:
        case str(s) if s == n: return v
        case (op, *args): return (op, *(subst(a, n, v) for a in args))
        case _: return e
print(calc(("+", 1, ("*", 2, 3, ("-", 4)))), calc(("let", "x", ("+", 1, 2), ("*", "x", "x"))))
try: calc(("?", 1))
except ValueError as e: print(e)
def nested_try(x):
    match x:
        case {"err": e}:
            try: raise e
            except ValueError as v: return f"caught {v}"
            finally: log.append("fin")
        case y: return y
print(nested_try({"err": ValueError("m")}), nested_try(5), log)
x = [1, 2]
match x:
    case [a, b] if (total := a + b) > 2: print(total, a, b)
print(a, b, total)
def gen(v):
    match v:
        case [a, b]: yield a; yield b
        case {"k": k}: yield from k
print(list(gen([1, 2])), list(gen({"k": "ab"})), list(gen(5)), (lambda: [m for m in [1]])())
class C:
    match 5:
        case n: attr = n
print(C.attr, C.n)
