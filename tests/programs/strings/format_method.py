print("{} {} {}".format(1, "two", 3.0), "{1} {0} {1}".format("a", "b"), "{x} {y}".format(x=1, y=2), "{0} {k}".format(0, k="v"), "{{}} {{{0}}}".format(5))
print("{0[1]} {0[0]} {1[key]} {1[2]}".format([1, 2], {"key": "v", 2: "int"}), "{0.real} {0.imag}".format(3 + 4j), "{a[0].real}".format(a=[1 + 1j]))
print("{:>10}|{:<10}|{:^10}|{:*^10}".format("r", "l", "c", "s"), "{:{w}.{p}f}".format(3.14159, w=10, p=2), "{0!r:>8} {0!s:>8} {1!a}".format("x", "é"))
print("{:d} {:x} {:,} {:.1%} {:e} {:05d} {:+}".format(5, 255, 1234567, 0.256, 12345.678, 42, 7), "{:s}".format("str"), "{:10s}|".format("ab"), "{:.2}".format("abc"))
class P:
    def __init__(self): self.x = 3; self.d = {"k": [7, 8]}
    def __format__(self, spec): return f"P<{spec}>"
print("{0.x} {0.d[k][1]} {0:abc} {0!s:.3}".format(P()) if False else "{0.x} {0.d[k][1]} {0:abc}".format(P()), format(P(), "q"), format(P()))
print("{a} {b}".format_map({"a": 1, "b": 2}))
class D(dict):
    def __missing__(self, k): return f"<{k}>"
print("{a} {zz}".format_map(D(a=1)))
for t, a in [("{} {}", (1,)), ("{0} {}", (1, 2)), ("{} {0}", (1, 2)), ("{x}", ()), ("{", ()), ("}", ()), ("{0", (1,)), ("{0!x}", (1,)), ("{0.foo}", (1,)), ("{0[a]}", ([1],)), ("{0[5]}", ([1],)), ("{:d}", ("s",)), ("{:q}", (1,)), ("{!r", (1,)), ("{0!}", (1,)), ("{:{}}", (1,)), ("{0[}", (1,)), ("{:{:{}}}", (1, 2, 3)), ("{a.b}", ())]:
    try:
        print(t.format(*a))
    except Exception as e:
        print(repr(t), type(e).__name__, e)
for v, s in [("s", "d"), ("s", "+"), ("s", "="), ("s", ","), (None, "5"), ([1], ">5"), ({}, "x"), ((), "s"), (b"a", "3"), (object, "<")]:
    try:
        print(format(v, s))
    except Exception as e:
        print(s, type(e).__name__, e)
