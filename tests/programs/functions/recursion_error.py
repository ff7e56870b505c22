def forever(n): return forever(n + 1)
try:
    forever(0)
except RecursionError as e:
    print(type(e).__name__, e, isinstance(e, RuntimeError))
class R:
    def __repr__(self): return repr(self)
    def __getattr__(self, n): return self.missing
    def __eq__(self, o): return self == o
    def __add__(self, o): return self + o
    def __call__(self): return self()
    def __len__(self): return len(self)
    def __iter__(self): return iter(self)
for f in (lambda r: repr(r), lambda r: r.x, lambda r: r == 1, lambda r: r + 1, lambda r: r(), lambda r: len(r), lambda r: iter(r)):
    try:
        f(R())
        print("no error")
    except RecursionError as e:
        print(type(e).__name__)
def gen(): yield from gen()
try:
    next(gen())
except RecursionError:
    print("generator recursion")
def mutual_a(): mutual_b()
def mutual_b(): mutual_a()
try:
    mutual_a()
except RecursionError:
    print("mutual")
print(forever.__name__, sum(range(10)))
def cleanup():
    log = []
    def go(n):
        try:
            go(n + 1)
        finally:
            if n < 3: log.append(n)
    try: go(0)
    except RecursionError: pass
    return log
print(cleanup())
