a, b = 1, 2
[c, d] = "xy"
(e, (f, [g, h])) = (1, (2, (3, 4)))
print(a, b, c, d, e, f, g, h)
a, b = b, a
a = b = c = []
c.append(1)
print(a, b, a is b)
x = [0, 1, 2]
i = 0
i, x[i] = 1, "set"
print(i, x)
class O: pass
o = O()
o.a, o.b = 5, {"k": 1}
o.b["z"], (o.c, *o.rest) = "zz", [1, 2, 3]
print(o.__dict__)
for p, (q, *r) in [(1, "abc"), (2, [9])]:
    print(p, q, r)
() = []
[] = ()
(lone,) = [7]
[lone2] = {8}
print(lone, lone2)
first, *_, last = range(10)
*init, tail = "hello"
head, *body = {"a": 1, "b": 2}
m, *n, o2 = 1, 2
print(first, last, init, tail, head, body, m, n, o2)
for src in ("a, b = 1", "a, b = [1]", "a, b = [1, 2, 3]", "a, *b, c = [1]", "a, b = None", "*a, = 5", "a, b = {1}", "(a, b), c = 1, 2", "a, b, *c = 'x'", "a, = []", "() = [1]", "a, b = iter([1])", "a, b = 'abc'", "for a, b in [(1, 2), 3]: pass", "[a, b] = 1, 2, 3", "x.y.z = 1", "a.b, c = 1, 2"):
    try:
        exec(src)
    except Exception as e:
        print(src, type(e).__name__, e)
