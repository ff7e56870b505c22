class Event:
    counter = 0
    def __init__(self, time, action, *args):
        self.time, self.action, self.args = time, action, args
        Event.counter += 1
        self.order = Event.counter
        self.cancelled = False
    def __lt__(self, o): return (self.time, self.order) < (o.time, o.order)
class Simulator:
    def __init__(self): self.now, self.queue, self.log = 0.0, [], []
    def schedule(self, delay, action, *args):
        e = Event(self.now + delay, action, *args)
        lo, hi = 0, len(self.queue)
        while lo < hi:
            mid = (lo + hi) // 2
            if e < self.queue[mid]: hi = mid
            else: lo = mid + 1
        self.queue.insert(lo, e)
        return e
    def run(self, until=float("inf")):
        while self.queue and self.queue[0].time <= until:
            e = self.queue.pop(0)
            if e.cancelled: continue
            self.now = e.time
            e.action(*e.args)
    def note(self, msg): self.log.append(f"{self.now:6.2f} {msg}")
class Random:
    def __init__(self, seed): self.s = seed
    def next(self):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return (self.s >> 33) / 2**31
    def exp(self, mean):
        import math
        return -mean * math.log(1 - self.next())
class Shop:
    def __init__(self, sim, tills, rng):
        self.sim, self.free, self.rng, self.line = sim, tills, rng, []
        self.served, self.waits = 0, []
    def arrive(self, n):
        self.sim.note(f"customer {n} arrives (queue {len(self.line)})")
        self.line.append((n, self.sim.now))
        self.dispatch()
        if n < 8: self.sim.schedule(self.rng.exp(2.0), self.arrive, n + 1)
    def dispatch(self):
        while self.free and self.line:
            n, t = self.line.pop(0)
            self.free -= 1
            self.waits.append(self.sim.now - t)
            self.sim.schedule(self.rng.exp(5.0), self.leave, n)
    def leave(self, n):
        self.free += 1
        self.served += 1
        self.sim.note(f"customer {n} leaves")
        self.dispatch()
sim = Simulator()
shop = Shop(sim, 2, Random(42))
sim.schedule(0, shop.arrive, 1)
c = sim.schedule(1, sim.note, "cancelled event"); c.cancelled = True
for i in range(3): sim.schedule(3.5, sim.note, f"tie {i}")
sim.run(until=10)
print(f"paused at {sim.now:.3f} with {len(sim.queue)} pending")
sim.run()
print("\n".join(sim.log))
print(shop.served, f"{sum(shop.waits) / len(shop.waits):.4f} {max(shop.waits):.4f}", Event.counter)
