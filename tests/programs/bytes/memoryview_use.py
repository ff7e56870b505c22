m = memoryview(b"abcdef")
print(m[0], m[-1], bytes(m[1:3]), m[::2].tolist(), len(m), m.nbytes, m.format, m.itemsize, m.ndim, m.shape, m.strides, m.readonly, m.contiguous, m == b"abcdef", m.tobytes(), m.hex(), hash(m) == hash(b"abcdef"))
b = bytearray(range(8))
v = memoryview(b)
v[2:4] = b"\xff\xfe"
v[7] = 9
print(b, v.toreadonly().readonly, v.cast("H").tolist() if v.cast("H").itemsize == 2 else None, v.cast("B", (2, 4)).tolist(), 255 in v, list(v)[:3])
for f in (lambda: memoryview("s"), lambda: memoryview(5), lambda: m[10], lambda: exec("m[0] = 1", {"m": m}), lambda: exec("v[0] = 300", {"v": v}), lambda: exec("v[0:2] = b'abc'", {"v": v}), lambda: v.cast("Z"), lambda: m["a"], lambda: hash(v)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
with memoryview(b) as w:
    print(w[1])
try:
    w[0]
except ValueError as e:
    print(e)
for byte in memoryview(b"xyz"):
    print(byte, end=" ")
print()
