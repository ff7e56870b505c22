import threading, queue, time
results = []
lock = threading.Lock()
def worker(n):
    for i in range(3):
        with lock:
            results.append((n, i))
ts = [threading.Thread(target=worker, args=(i,)) for i in range(3)]
for t in ts: t.start()
for t in ts: t.join()
print(sorted(results), [t.is_alive() for t in ts], threading.active_count())

q = queue.Queue(maxsize=2)
out = []
def producer():
    for i in range(6):
        q.put(i)
    q.put(None)
def consumer():
    while (item := q.get()) is not None:
        out.append(item * 2)
        q.task_done()
    q.task_done()
c = threading.Thread(target=consumer); p = threading.Thread(target=producer)
c.start(); p.start()
p.join(); c.join(); q.join()
print(out)

jobs = queue.Queue()
done = []
def daemon():
    while True:
        j = jobs.get()
        time.sleep(0.001)
        done.append(j)
        jobs.task_done()
for _ in range(4): threading.Thread(target=daemon, daemon=True).start()
for j in range(10): jobs.put(j)
jobs.join()
print(sorted(done))

ev = threading.Event()
def waiter():
    print("waiting", ev.wait(5))
w = threading.Thread(target=waiter, name="W"); w.start()
print(w.name, w.daemon)
ev.set(); w.join()
cond = threading.Condition(); items = []
def cons():
    with cond:
        while not items: cond.wait()
        print("got", items.pop())
t = threading.Thread(target=cons); t.start()
with cond:
    items.append("x"); cond.notify()
t.join()
b = threading.Barrier(3)
order = []
def bar(i):
    b.wait(); order.append(i)
ts = [threading.Thread(target=bar, args=(i,)) for i in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]
print(sorted(order), b.n_waiting)
tm = threading.Timer(0.01, print, ("timer fired",)); tm.start(); tm.join()
tm = threading.Timer(5, print, ("never",)); tm.start(); tm.cancel(); tm.join(); print("cancelled")
local = threading.local(); local.v = "main"
def loc():
    local.v = "t"; print(local.v, hasattr(local, "other"))
t = threading.Thread(target=loc); t.start(); t.join(); print(local.v)
class T(threading.Thread):
    def run(self): self.result = sum(range(10))
t = T(); t.start(); t.join(); print(t.result)
sem = threading.Semaphore(2); active = 0; peak = 0
def sw():
    global active, peak
    with sem:
        active += 1; peak = max(peak, active); time.sleep(0.002); active -= 1
ts = [threading.Thread(target=sw) for _ in range(6)]
[t.start() for t in ts]; [t.join() for t in ts]; print(peak)
rl = threading.RLock()
def rw():
    with rl: print("rlock in thread")
with rl:
    t = threading.Thread(target=rw); t.start(); print("main holds")
t.join()
from concurrent.futures import ThreadPoolExecutor, as_completed
with ThreadPoolExecutor(max_workers=3) as ex:
    print(list(ex.map(lambda x: x * x, range(5))))
    fs = [ex.submit(pow, 2, i) for i in range(4)]
    print(sorted(f.result() for f in as_completed(fs)))
    f = ex.submit(lambda: 1 / 0)
    print(type(f.exception()).__name__)
def late():
    time.sleep(0.01); print("late thread ends")
threading.Thread(target=late).start()
t0 = time.perf_counter()
ts = [threading.Thread(target=time.sleep, args=(0.3,)) for _ in range(10)]
[t.start() for t in ts]; [t.join() for t in ts]
print(time.perf_counter() - t0 < 2.5)      # 3 seconds if they did not sleep at the same time
print("main ends")
