class N:
    def __int__(self): return 42
    def __float__(self): return 4.5
    def __complex__(self): return 1 + 2j
    def __index__(self): return 7
    def __bool__(self): return False
n = N()
print(int(n), float(n), complex(n), bool(n), hex(n), bin(n), oct(n), [10, 20, 30, 40, 50, 60, 70, 80][n], "abcdefghij"[n:], range(n), "x" * n, list(range(n, 10)))
class OnlyIndex:
    def __index__(self): return 3
o = OnlyIndex()
print(int(o), float(o), complex(o), chr(o + 0 if isinstance(o, int) else 65), [0] * o, round(2.34567, o), "abc".center(o + 0 if isinstance(o, int) else 5), bytes(o))
class BadInt:
    def __int__(self): return "x"
    def __float__(self): return 1
    def __index__(self): return 2.0
    def __complex__(self): return 1
    def __str__(self): return 5
    def __repr__(self): return None
    def __bool__(self): return 2
    def __len__(self): return -3
    def __hash__(self): return "h"
    def __format__(self, s): return 1
    def __bytes__(self): return "s"
    def __dir__(self): return 3
for f in (int, float, hex, complex, str, repr, bool, len, hash, format, bytes, dir, lambda b: [1, 2][b], lambda b: f"{b}", lambda b: "%s" % b, lambda b: "x" * b, range):
    try:
        print(f(BadInt()))
    except Exception as e:
        print(type(e).__name__, e)
