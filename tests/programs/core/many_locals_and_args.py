def many(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, *rest, k0=0, k1=1, k2=2, **kw):
    t = [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9]
    return sum(t), rest, k0 + k1 + k2, sorted(kw)
print(many(*range(20)), many(*range(25), k1=5, z=1, y=2))
names = ", ".join(f"v{i}" for i in range(300))
src = f"def big({names}):\n    return " + " + ".join(f"v{i}" for i in range(300)) + "\nresult = big(*range(300))"
ns = {}
exec(src, ns); print(ns["result"])
src = "def assign():\n" + "".join(f"    x{i} = {i} * 2\n" for i in range(400)) + "    return " + ", ".join(f"x{i}" for i in range(0, 400, 57))
exec(src, ns); print(ns["assign"]())
src = "def deep(n):\n" + "".join("    " * (d + 1) + f"if n > {d}:\n" for d in range(15)) + "    " * 16 + "return 'deepest'\n    return 'shallow'"
exec(src, ns); print(ns["deep"](5), ns["deep"](50))
src = "l = [" + ", ".join(str(i) for i in range(1000)) + "]\nd = {" + ", ".join(f"'k{i}': {i}" for i in range(500)) + "}\nt = (" + ", ".join("1" for _ in range(600)) + ")\ns = {" + ", ".join(str(i % 50) for i in range(700)) + "}"
exec(src, ns); print(len(ns["l"]), ns["d"]["k321"], len(ns["t"]), len(ns["s"]))
print(eval("+".join(["1"] * 500)), eval("(" * 50 + "1" + ")" * 50), eval("-" * 100 + "5"), eval("not " * 21 + "0"), len(eval("'a' " * 300)), eval(" if 1 else ".join(["2"] * 60)))
print(eval("f(" * 30 + "0" + ")" * 30, {"f": lambda x: x + 1}), eval("[" * 40 + "]" * 40) != [], eval("1 < " * 200 + "0"), eval(" and ".join(["1"] * 200)), eval(" or ".join(["0"] * 200)))
src = "def branches(x):\n" + "".join(f"    {'el' if i else ''}if x == {i}: return 'case {i}'\n" for i in range(200)) + "    else: return 'none'"
exec(src, ns); print(ns["branches"](0), ns["branches"](150), ns["branches"](999))
print("%s" * 50 % tuple(range(50)), "{}" * 30 == "".join(["{}"] * 30), f"{1}{2}{3}{4}{5}{6}{7}{8}{9}{10}{11}{12}{13}{14}{15}{16}{17}{18}{19}{20}")
(lambda *a: print(len(a)))(*[1] * 5000)
print(max(*range(1000)), dict(**{f"k{i}": i for i in range(300)})["k299"], (lambda **k: len(k))(**{f"k{i}": i for i in range(300)}))
