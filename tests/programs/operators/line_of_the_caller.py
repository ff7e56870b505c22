# What looks at its caller's frame in an operator sees the line of that operation.
import sys
def where(): return sys._getframe(2).f_lineno
class A:
    def __add__(s,o): print("add", where()); return 1
    def __invert__(s): print("inv", where()); return 1
    def __neg__(s): print("neg", where()); return 1
    def __bool__(s): print("bool", where()); return True
    def __getitem__(s,i): print("getitem", where()); return 1
    def __setitem__(s,i,v): print("setitem", where())
    def __delitem__(s,i): print("delitem", where())
    def __contains__(s,i): print("contains", where()); return 1
    def __lt__(s,o): print("lt", where()); return 1
    def __eq__(s,o): print("eq", where()); return 1
    def __getattr__(s,n): print("getattr", where()); return 1
    def __setattr__(s,n,v): print("setattr", where())
    def __iter__(s): print("iter", where()); return iter([1,2])
    def __format__(s,f): print("format", where()); return "x"
    def __iadd__(s,o): print("iadd", where()); return s
    def __hash__(s): print("hash", where()); return 1
    def __enter__(s): print("enter", where()); return 1
    def __exit__(s,*a): print("exit", where()); return 1
    def __call__(s): print("call", where()); return 1
    @property
    def p(s): print("prop", where()); return 1
a = A()
x = 1
a + 1
~a
-a
not a
if a: x = 2
while a:
    break
a[0]
a[0] = 1
del a[0]
1 in a
a < 1
a == 1
if a == 1: x = 3
if a < 1: x = 4
if 1 in a: x = 5
a.zz
a.zz = 1
for q in a: x = 6
b, c = a
f"{a}"
a += 1
{a}
{a: 1}
with a:
    x = 7
a()
a.p
[*a]
x = a and 1
x = a or 1
y = 1 if a else 2
1 + a if 0 else a + a
assert a
match a:
    case 3: x = 8
def f():
    b = A()
    b + 1
    x = 1
    ~b
    x = 2
    if b: x = 3
    x = 4
    b[0]
    x = 5
    b.zz
    x = 6
    [*b]
    x = 7
    return b + 1
f()
