class Node:
    __slots__ = ("key", "value", "prev", "next")
    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.prev = self.next = None

class LRU:
    def __init__(self, capacity):
        if capacity < 1: raise ValueError("capacity must be positive")
        self.capacity, self.map = capacity, {}
        self.head, self.tail = Node(), Node()
        self.head.next, self.tail.prev = self.tail, self.head
        self.hits = self.misses = 0
    def _unlink(self, n): n.prev.next, n.next.prev = n.next, n.prev
    def _push(self, n):
        n.prev, n.next = self.head, self.head.next
        self.head.next.prev = n
        self.head.next = n
    def __getitem__(self, key):
        try:
            n = self.map[key]
        except KeyError:
            self.misses += 1
            raise
        self.hits += 1
        self._unlink(n); self._push(n)
        return n.value
    def __setitem__(self, key, value):
        if key in self.map:
            n = self.map[key]
            n.value = value
            self._unlink(n)
        else:
            if len(self.map) >= self.capacity:
                old = self.tail.prev
                self._unlink(old)
                del self.map[old.key]
            n = self.map[key] = Node(key, value)
        self._push(n)
    def get(self, key, default=None):
        try: return self[key]
        except KeyError: return default
    def __iter__(self):
        n = self.head.next
        while n is not self.tail:
            yield n.key
            n = n.next
    def __len__(self): return len(self.map)
    def __contains__(self, k): return k in self.map
    def __repr__(self): return f"LRU({', '.join(f'{k}={self.map[k].value}' for k in self)})"

def cached(capacity):
    def deco(f):
        cache = LRU(capacity)
        def wrapper(*args):
            if (v := cache.get(args, wrapper)) is not wrapper: return v
            v = cache[args] = f(*args)
            return v
        wrapper.cache = cache
        return wrapper
    return deco
c = LRU(3)
for i, k in enumerate("abcad"):
    c[k] = i
    print(k, c)
print(c.get("b"), c.get("a"), c, "c" in c, len(c), list(c), c.hits, c.misses)
try: LRU(0)
except ValueError as e: print(e)
@cached(50)
def binom(n, k): return 1 if k in (0, n) else binom(n - 1, k - 1) + binom(n - 1, k)
print(binom(20, 10), binom.cache.hits, binom.cache.misses, len(binom.cache))
@cached(2)
def sq(x):
    print("compute", x, end=" ")
    return x * x
print([sq(x) for x in (1, 2, 1, 3, 2, 1)], sq.cache)
