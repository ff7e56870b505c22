a = [1, 2]
b = a
print(a is b, a is not b, a is [1, 2], None is None, () is (), True is True, 1 is not None)
x = 257
y = x
print(x is y, "abc" is not None, ... is Ellipsis, NotImplemented is NotImplemented)
print(3 in [1, 2, 3], 3 not in (1, 2), "b" in "abc", "" in "", b"a" in b"abc", 97 in b"abc", 2 in {1: 0, 2: 0}, 5 in range(0, 10, 5), 5.0 in range(6), "a" in {"a"})
for container, item in [("abc", 1), (b"abc", "a"), (b"abc", 300), (5, 1), (None, 1), ({1}, []), ({1: 2}, {})]:
    try:
        print(item in container)
    except Exception as e:
        print(type(e).__name__, e)
class C:
    def __contains__(self, x): return "truthy" if x > 2 else ""
class I:
    def __iter__(self): return iter([1, 2, 3])
class G:
    def __getitem__(self, i):
        if i > 4: raise IndexError
        return i * i
class N:
    __contains__ = None
    def __iter__(self): return iter([1])
print(3 in C(), 1 in C(), 2 in I(), 9 in I(), 9 in G(), 10 in G(), 4 not in G())
try:
    print(1 in N())
except TypeError as e:
    print(e)
gen = (i for i in range(5))
print(2 in gen, list(gen))
