# requires: 3.12
class Stack[T]:
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, item: T) -> None: self.items.append(item)
    def pop(self) -> T: return self.items.pop()
    def __len__(self): return len(self.items)
def pairs[A, B](a: list[A], b: list[B]) -> list[tuple[A, B]]: return list(zip(a, b))
type Tree[T] = tuple[Tree[T] | None, T, Tree[T] | None]
def insert[T](t: Tree[T], v: T) -> Tree[T]:
    if t is None: return (None, v, None)
    l, x, r = t
    return (insert(l, v), x, r) if v < x else (l, x, insert(r, v))
def walk[T](t: Tree[T]):
    if t: yield from walk(t[0]); yield t[1]; yield from walk(t[2])
s = Stack[int]()
for i in range(3): s.push(i * i)
print(s.pop(), len(s), pairs([1, 2], "ab"), type(s).__name__)
t = None
for v in (5, 2, 8, 1, 9): t = insert(t, v)
print(list(walk(t)), t[1])
class Registry[K, V](dict[K, V]):
    def lookup(self, k: K, default: V | None = None) -> V | None: return self.get(k, default)
r = Registry[str, int](a=1)
print(r.lookup("a"), r.lookup("b", 5), r)
