def g(name, n):
    for i in range(n):
        r = yield f"{name}{i}"
        if r: name += r
gs = [g(c, 3) for c in "abc"]
out = []
for k in (0, 1, 2, 2, 1, 0, 0, 2, 1): out.append(next(gs[k]))
print(out, [next(x, "end") for x in gs])
outer = (f"{a}{b}" for a in g("x", 2) for b in g("y", 2))
print(next(outer), next(g("z", 1)), list(outer))
def nested(n):
    if n:
        for v in nested(n - 1): yield v + 1
    yield 0
print(list(nested(5)))
stack = [iter(range(3))]
seen = []
while stack:
    try: v = next(stack[-1])
    except StopIteration: stack.pop(); continue
    seen.append(v)
    if len(seen) < 12: stack.append(iter(range(v)))
print(seen)
a, b = g("p", 2), g("q", 2)
print([x + y for x, y in zip(a, b)], next(a, None))
it = g("s", 4)
print(next(it), it.send("!"), it.send(None), it.send("?"), next(it, "done"))
def call_inside():
    inner = g("i", 2)
    yield next(inner)
    yield from inner
    yield sorted(g("k", 3), reverse=True)
print(list(call_inside()))
gens = {n: g(n, n_) for n, n_ in (("u", 1), ("v", 2))}
print({k: list(v) for k, v in gens.items()}, sum(len(x) for x in g("w", 5)), max(g("m", 3)), dict(enumerate(g("e", 2))), ",".join(g("j", 3)), [*g("st", 2), *g("ar", 1)])
