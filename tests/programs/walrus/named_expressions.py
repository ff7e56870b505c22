if (n := 10) > 5: print(n)
print((a := 1, b := 2), a, b, [c := 3, c ** 2], (d := [1]) is d, {"k": (e := 5)}, e)
while (n := n - 3) > 0: print(n, end=" ")
print(n)
data = iter([1, 2, 0, 3])
while x := next(data): print("x", x)
print([y := f, y ** 2] if (f := 4) else None, (z := z2 if (z2 := 9) > 3 else 0), z)
print([last := i for i in range(4)], last, [(j, k) for j in range(3) if (k := j * j) > 0], k)
def f(v=(dflt := 7)): return v
print(f(), dflt, f(v := 3) if False else f((v := 3)), v)
def g():
    if any((bad := x) < 0 for x in [1, -2, 3]): return bad
def h():
    [inner := q for q in range(3)]
    def deep():
        nonlocal inner
        (inner := inner + 10)
        return inner
    return deep(), inner
print(g(), h())
def glob():
    global made
    (made := "global walrus")
glob(); print(made)
lam = lambda: (t := 5) + t
print(lam(), "t" in globals(), (lambda: [u := 1, u])())
s = "abc"
print(s[(i := 1)], s[(p := 0):(q := 2)], p, q, f"{(w := 6)} {w}", (m := 5) == 5, not (r := 0), (1, (r2 := 2)), m)
assert (ok := True), "msg"
print(ok, bb if (bb := 1) else 0)
match (subject := [1, 2]):
    case [x1, y1] if (tot := x1 + y1): print(subject, tot)
with_ = {True: "t"}[(flag := True)]
print(with_, flag, max((best := 0), 5), best, print(end="") or (pr := "after"), pr)
for src in ("x := 1", "(x.y := 1)", "(x[0] := 1)", "((a, b) := 1)", "[i := 0 for i in range(3)]", "[[(j := 0) for i in range(5)] for j in range(5)]", "[x for x in (y := [1])]", "f(a := 1, b=c := 2)", "(a := 1) = 2", "def f(x=y := 1): pass", "lambda: x := 1", "class C:\n [z := 1 for _ in [1]]", "(x := 1, 2)", "x = (y := 0)", "f'{x:=5}'", "(lambda: (x := 1))()", "del (x := 1)", "(*x := 1)", "(x := y := 1)", "print(x := 1)", "a[b := 1]", "{(k := 1): (v := 2)}", "{k := 1: 2}", "{q := 1, 2}", "x = y := 1", "return_ = [p := 1]", "with (a := 1): pass", "assert x := 1", "if x := 1: pass", "while x := 0: pass", "(True := 1)", "(None := 1)", "import (x := 1)", "@(d := print)\ndef f(): pass"):
    try: compile(src, "<w>", "exec"); print("ok:", src)
    except SyntaxError as e: print(src, "->", e.msg)
