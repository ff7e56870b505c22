def boom(n):
    if n == 2: raise ValueError(f"at {n}")
    return n
for src in ("[boom(i) for i in range(4)]", "{boom(i) for i in range(4)}", "{i: boom(i) for i in range(4)}", "list(boom(i) for i in range(4))", "[i for i in range(4) if boom(i) or True]", "[j for i in range(4) for j in [boom(i)]]", "{[]: 1 for _ in [1]}", "{[] for _ in [1]}", "[a for a, b in [(1, 2), 3]]", "[a for a, b in [(1, 2, 3)]]", "[1 / i for i in (2, 0)]", "sum(str(i) for i in range(2))", "[x.nope for x in [1]]", "[*i for i in []]", "{**d for d in []}", "(yield 1 for i in x)"):
    try:
        print(eval(src))
    except Exception as e:
        print(src, "->", type(e).__name__, e.msg if isinstance(e, SyntaxError) else e)
seen = []
try:
    [seen.append(i) or boom(i) for i in range(5)]
except ValueError:
    print(seen)
g = (boom(i) for i in range(4))
print(next(g), next(g))
try:
    next(g)
except ValueError as e:
    print(e)
print(next(g, "finished"), list(g))
def stop():
    return [next(iter([])) for _ in range(2)]
try:
    stop()
except StopIteration as e:
    print("StopIteration escapes list comp", repr(e))
try:
    list(next(iter([])) for _ in range(2))
except RuntimeError as e:
    print(e, type(e.__cause__).__name__)
try:
    {k: v for k, v in [("a", 1), ("b",)]}
except ValueError as e:
    print(e)
