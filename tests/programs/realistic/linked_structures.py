class LinkedList:
    class Node:
        __slots__ = "value", "next"
        def __init__(self, value, next=None): self.value, self.next = value, next
    def __init__(self, items=()):
        self.head, self.size = None, 0
        for x in reversed(list(items)): self.push(x)
    def push(self, v): self.head = self.Node(v, self.head); self.size += 1
    def pop(self):
        if self.head is None: raise IndexError("pop from empty LinkedList")
        v, self.head = self.head.value, self.head.next
        self.size -= 1
        return v
    def __iter__(self):
        n = self.head
        while n: yield n.value; n = n.next
    def __len__(self): return self.size
    def __getitem__(self, i):
        if isinstance(i, slice): return LinkedList(list(self)[i])
        if i < 0: i += self.size
        for k, v in enumerate(self):
            if k == i: return v
        raise IndexError(i)
    def reverse(self):
        prev, n = None, self.head
        while n: n.next, prev, n = prev, n, n.next
        self.head = prev
        return self
    def remove(self, v):
        n, prev = self.head, None
        while n and n.value != v: prev, n = n, n.next
        if n is None: raise ValueError(f"{v!r} not in list")
        if prev: prev.next = n.next
        else: self.head = n.next
        self.size -= 1
    def __repr__(self): return " -> ".join(map(repr, self)) or "empty"
    def __eq__(self, o): return len(self) == len(o) and all(a == b for a, b in zip(self, o))
l = LinkedList("abc")
l.push("z")
print(l, len(l), l[0], l[-1], l[1:3], "b" in l, list(l), l.reverse(), l.pop(), l, sorted(l), l == ["b", "a", "z"], bool(LinkedList()))
l.remove("a"); print(l, max(l), [*enumerate(l)])
for f in (lambda: LinkedList().pop(), lambda: l.remove("q"), lambda: l[10]):
    try: f()
    except (IndexError, ValueError) as e: print(type(e).__name__, e)
class BST:
    def __init__(self): self.root = None
    def insert(self, k, v=None):
        def go(n):
            if n is None: return [k, v, None, None]
            if k < n[0]: n[2] = go(n[2])
            elif k > n[0]: n[3] = go(n[3])
            else: n[1] = v
            return n
        self.root = go(self.root)
    def items(self, n=...):
        n = self.root if n is ... else n
        if n: yield from self.items(n[2]); yield n[0], n[1]; yield from self.items(n[3])
    def height(self, n=...):
        n = self.root if n is ... else n
        return 0 if n is None else 1 + max(self.height(n[2]), self.height(n[3]))
    def delete(self, k):
        def least(n): return n if n[2] is None else least(n[2])
        def go(n, k):
            if n is None: raise KeyError(k)
            if k < n[0]: n[2] = go(n[2], k)
            elif k > n[0]: n[3] = go(n[3], k)
            elif n[2] is None: return n[3]
            elif n[3] is None: return n[2]
            else:
                m = least(n[3])
                n[0], n[1] = m[0], m[1]
                n[3] = go(n[3], m[0])
            return n
        self.root = go(self.root, k)
t = BST()
for i, k in enumerate([50, 30, 70, 20, 40, 60, 80, 30]): t.insert(k, i)
print(list(t.items()), t.height())
t.delete(50); t.delete(20); print([k for k, _ in t.items()], t.root[0])
try: t.delete(99)
except KeyError as e: print("missing", e)
class Trie:
    def __init__(self): self.d = {}
    def add(self, w):
        n = self.d
        for c in w: n = n.setdefault(c, {})
        n["$"] = w
    def find(self, p):
        n = self.d
        for c in p:
            if c not in n: return []
            n = n[c]
        def walk(n): return [w for k in sorted(n) for w in ([n[k]] if k == "$" else walk(n[k]))]
        return walk(n)
tr = Trie()
for w in "car card care cat dog do".split(): tr.add(w)
print(tr.find("car"), tr.find("d"), tr.find("x"), len(tr.find("")))
