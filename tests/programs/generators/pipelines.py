def ints(n=0):
    while True:
        yield n
        n += 1
def take(n, it):
    for _, x in zip(range(n), it): yield x
def sieve():
    found = {}
    for q in ints(2):
        if q not in found:
            yield q
            found[q * q] = [q]
        else:
            for p in found.pop(q): found.setdefault(p + q, []).append(p)
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def window(it, n):
    buf = []
    for x in it:
        buf.append(x)
        if len(buf) == n:
            yield tuple(buf)
            buf.pop(0)
def chunks(seq, n):
    for i in range(0, len(seq), n): yield seq[i:i + n]
def groupby(seq, key):
    cur, bunch = object(), None
    for x in seq:
        k = key(x)
        if k != cur:
            if bunch is not None: yield cur, bunch
            cur, bunch = k, []
        bunch.append(x)
    if bunch is not None: yield cur, bunch
def interleave(*its):
    its = [iter(i) for i in its]
    while its:
        for it in list(its):
            try: yield next(it)
            except StopIteration: its.remove(it)
print(list(take(10, sieve())), list(take(12, fib())), list(take(3, (x * x for x in ints(5)))))
print(list(window("abcde", 3)), list(chunks(list(range(7)), 3)), list(groupby("aabbbca", lambda c: c)), list(interleave("abc", [1], (True, False))))
def running_average():
    n = t = 0
    avg = None
    while True:
        t += yield avg
        n += 1
        avg = t / n
r = running_average(); next(r)
print([r.send(v) for v in (10, 20, 60)])
def permute(items):
    if not items: yield ()
    for i, x in enumerate(items):
        for rest in permute(items[:i] + items[i + 1:]): yield (x, *rest)
print(len(list(permute("abcd"))), next(permute("abcd")))
def scheduler(tasks):
    log = []
    queue = list(tasks)
    while queue:
        t = queue.pop(0)
        try: log.append(next(t)); queue.append(t)
        except StopIteration: pass
    return log
def task(name, n):
    for i in range(n): yield f"{name}{i}"
print(scheduler([task("a", 3), task("b", 1), task("c", 2)]))
