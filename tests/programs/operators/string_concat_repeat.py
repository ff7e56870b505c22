s = "ab"
print(s + "c", s * 3, 3 * s, s * 0, s * -1, "" + "", "x" * True)
t = "start"
for i in range(5):
    t += str(i)
print(t)
u = t
u += "!"
print(t, u)
print(b"a" + b"b", b"xy" * 2, bytearray(b"q") + b"r", b"r" + bytearray(b"q"), [1] + [2], (1,) + (2, 3), [0] * 3, 2 * (1, 2))
rows = [[0] * 2] * 2
rows[0][0] = 9
print(rows)
for f in (lambda: "a" + 1, lambda: 1 + "a", lambda: "a" * "b", lambda: "a" * 1.5, lambda: [1] + (2,), lambda: (1,) + [2],
          lambda: b"a" + "b", lambda: "a" + b"b", lambda: [1] * None, lambda: "a" * 10**30, lambda: [1] * "x", lambda: "a" - "b"):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
