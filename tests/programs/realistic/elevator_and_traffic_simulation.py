class Elevator:
    def __init__(self, floors): self.floors, self.at, self.dir, self.calls, self.log, self.moves = floors, 0, 1, set(), [], 0
    def call(self, *fs):
        for f in fs:
            if not 0 <= f < self.floors: raise ValueError(f"no floor {f}")
            self.calls.add(f)
        return self
    def step(self):
        if self.at in self.calls:
            self.calls.discard(self.at)
            self.log.append(f"open@{self.at}")
            return True
        if not self.calls: return False
        if not any((f - self.at) * self.dir > 0 for f in self.calls): self.dir = -self.dir; self.log.append("turn")
        self.at += self.dir
        self.moves += 1
        return True
    def run(self, script=()):
        script, t = dict(script), 0
        while self.step() or any(k > t for k in script):
            t += 1
            if t in script: self.call(*script[t])
        return self
e = Elevator(10).call(3, 7, 1).run({4: (2, 9), 12: (0,)})
print(e.log, e.moves, e.at)
try: e.call(10)
except ValueError as x: print(x)
class Light:
    CYCLE = {"red": ("green", 3), "green": ("yellow", 2), "yellow": ("red", 1)}
    def __init__(self, state="red"): self.state, self.left = state, self.CYCLE[state][1]
    def tick(self):
        self.left -= 1
        if self.left == 0: self.state = self.CYCLE[self.state][0]; self.left = self.CYCLE[self.state][1]
def simulate(ticks, arrivals):
    ns, ew = Light("red"), Light("green")
    q = {"ns": [], "ew": []}
    through = {"ns": [], "ew": []}
    for t in range(ticks):
        for road in arrivals.get(t, ()): q[road].append(t)
        for road, light in (("ns", ns), ("ew", ew)):
            if light.state == "green" and q[road]: through[road].append(t - q[road].pop(0))
        yield t, ns.state, ew.state, {k: len(v) for k, v in q.items()}
        ns.tick(); ew.tick()
    yield through
*frames, final = simulate(9, {0: ["ns", "ns", "ew"], 2: ["ew"], 5: ["ns"]})
for f in frames: print(*f)
print(final, {k: sum(v) / len(v) if v else None for k, v in final.items()})
class Robot:
    TURN = {"L": 1, "R": -1}
    def __init__(self, w, h): self.w, self.h, self.pos, self.heading, self.trail = w, h, 0 + 0j, 1 + 0j, [0j]
    def run(self, prog):
        n = ""
        for c in prog:
            if c.isdigit(): n += c
            elif c in self.TURN: self.heading *= 1j ** self.TURN[c]
            elif c == "F":
                for _ in range(int(n or 1)):
                    new = self.pos + self.heading
                    if not (0 <= new.real < self.w and 0 <= new.imag < self.h): raise RuntimeError(f"fell off at ({new.real:g}, {new.imag:g})")
                    self.pos = new; self.trail.append(new)
                n = ""
        return self
    def __str__(self): return "\n".join("".join("R" if complex(x, y) == self.pos else "o" if complex(x, y) in self.trail else "." for x in range(self.w)) for y in reversed(range(self.h)))
r = Robot(5, 4).run("3FL2FLFR1F")
print(r, len(set(r.trail)), abs(r.pos))
try: r.run("9F")
except RuntimeError as x: print(x, r.pos)
