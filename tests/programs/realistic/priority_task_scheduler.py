class Task:
    def __init__(self, name, deps=(), cost=1, prio=0): self.name, self.deps, self.cost, self.prio, self.state = name, tuple(deps), cost, prio, "new"
    def __repr__(self): return f"{self.name}[{self.state}]"
class CycleError(Exception):
    def __init__(self, path): super().__init__(" > ".join(path)); self.path = path
class Scheduler:
    def __init__(self, workers=1): self.tasks, self.workers, self.log = {}, workers, []
    def add(self, *a, **k):
        t = Task(*a, **k)
        if t.name in self.tasks: raise KeyError(f"duplicate {t.name}")
        self.tasks[t.name] = t
        return self
    def check(self):
        missing = {d for t in self.tasks.values() for d in t.deps} - self.tasks.keys()
        if missing: raise LookupError(f"missing: {sorted(missing)}")
        done = set()
        def visit(n, path):
            if n in path: raise CycleError(path[path.index(n):] + [n])
            if n not in done:
                for d in self.tasks[n].deps: visit(d, path + [n])
                done.add(n)
        for n in self.tasks: visit(n, [])
    def ready(self): return sorted((t for t in self.tasks.values() if t.state == "new" and all(self.tasks[d].state == "done" for d in t.deps)), key=lambda t: (-t.prio, t.name))
    def run(self):
        self.check()
        clock, running = 0, []
        while True:
            for t in self.ready()[:self.workers - len(running)]:
                t.state = "run"
                running.append((clock + t.cost, t.name, t))
                self.log.append(f"{clock}:+{t.name}")
            if not running: break
            running.sort(key=lambda r: r[:2])
            clock, _, t = running.pop(0)
            t.state = "done"
            self.log.append(f"{clock}:-{t.name}")
        return clock
def build(w): return Scheduler(w).add("compile", ["fetch"], 3).add("fetch", cost=2).add("docs", ["fetch"], 4, prio=5).add("test", ["compile"], 5).add("ship", ["test", "docs"], 1).add("lint", prio=9)
for w in (1, 2, 3):
    s = build(w)
    print(w, s.run(), *s.log)
print(list(s.tasks.values()))
for bad in (lambda: build(1).add("lint"), lambda: build(1).add("x", ["nope", "nada"]).run(), lambda: Scheduler().add("a", ["b"]).add("b", ["c"]).add("c", ["a"]).run()):
    try: bad()
    except (KeyError, LookupError, CycleError) as e: print(type(e).__name__, e)
