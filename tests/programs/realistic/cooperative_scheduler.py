class Kernel:
    def __init__(self): self.ready, self.sleeping, self.waiting, self.clock, self.results, self.log = [], [], {}, 0, {}, []
    def spawn(self, name, gen): self.ready.append((name, gen, None, None)); return name
    def wake(self, name, value=None, error=None):
        for n, g in self.waiting.pop(name, []): self.ready.append((n, g, value, error))
    def run(self):
        while self.ready or self.sleeping:
            if not self.ready:
                self.sleeping.sort(key=lambda s: s[:2])
                self.clock, name, gen = self.sleeping.pop(0)
                self.ready.append((name, gen, self.clock, None))
            name, gen, value, error = self.ready.pop(0)
            try: request = gen.throw(error) if error else gen.send(value)
            except StopIteration as s: self.results[name] = s.value; self.wake(name, s.value)
            except Exception as e: self.results[name] = e; self.log.append(f"{name} died: {e!r}"); self.wake(name, error=e)
            else: self.handle(name, gen, request)
        return self.results
    def handle(self, name, gen, req):
        match req:
            case ("sleep", n): self.sleeping.append((self.clock + n, name, gen))
            case ("join", other) if other in self.results:
                r = self.results[other]
                self.ready.append((name, gen, None, r) if isinstance(r, Exception) else (name, gen, r, None))
            case ("join", other): self.waiting.setdefault(other, []).append((name, gen))
            case ("spawn", n, g): self.ready.append((name, gen, self.spawn(n, g), None))
            case None: self.ready.append((name, gen, None, None))
            case _: self.ready.append((name, gen, None, TypeError(f"bad request {req!r}")))
k = Kernel()
def say(who, *what): k.log.append(f"t={k.clock} {who}: {' '.join(map(str, what))}")
def sleep(n): return (yield ("sleep", n))
def worker(name, delays):
    total = 0
    for d in delays:
        now = yield from sleep(d)
        total += d
        say(name, "woke at", now)
    return total
def failing():
    yield
    raise ValueError("worker failure")
def parent():
    a = yield ("spawn", "kid1", worker("kid1", [2, 2]))
    b = yield ("spawn", "kid2", worker("kid2", [1, 4]))
    yield ("spawn", "bad", failing())
    try: yield ("join", "bad")
    except ValueError as e: say("parent", "caught", e)
    x = yield ("join", a)
    y = yield ("join", b)
    say("parent", "joined", x, y)
    try: yield "garbage"
    except TypeError as e: say("parent", e)
    late = yield ("join", "kid1")
    return x + y + late
k.spawn("main", parent())
k.spawn("ticker", (worker("ticker", [3] * 2)))
r = k.run()
print(*k.log, sep="\n")
print({n: v if not isinstance(v, Exception) else repr(v) for n, v in sorted(r.items())}, k.clock)
def producer(n, q):
    for i in range(n):
        while len(q) >= 2: yield "full"
        q.append(i); yield f"put {i}"
def consumer(q, out):
    while True:
        while not q: yield "empty"
        out.append(q.pop(0)); yield f"got {out[-1]}"
q, out, trace = [], [], []
tasks = [producer(5, q), consumer(q, out), consumer(q, out)]
while len(out) < 5:
    for t in tasks: trace.append(next(t, "done"))
print(out, trace)
