for n in (0, 1, -1, 255, -256, 2**31, 2**63 - 1, 2**100):
    print(n, n.bit_length(), n.bit_count(), n.conjugate(), n.real, n.imag, n.numerator, n.denominator, n.as_integer_ratio())
print((1024).to_bytes(2, "big"), (1024).to_bytes(4, "little"), (-2).to_bytes(3, "big", signed=True), (5).to_bytes())
print(int.from_bytes(b"\x04\x00", "big"), int.from_bytes(b"\xff\xfe", "big", signed=True), int.from_bytes([1, 2, 3], "little"))
for f in (lambda: (300).to_bytes(1, "big"), lambda: (-1).to_bytes(2, "big"), lambda: (1).to_bytes(2, "middle"), lambda: int.from_bytes("ab", "big"), lambda: (1).to_bytes(-1, "big"), lambda: (1).foo):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print((7).__add__(3), (7).__add__(2.0), (7).__radd__(1), (7).__truediv__(2), (5).__index__(), (5).__bool__(), int.__mul__(6, 7), (3).__lt__(4), (3).__eq__("3"))
print((5).__hash__(), (-1).__hash__(), (2**61 - 1).__hash__(), (2**61).__hash__(), (-2**61).__hash__())
print(5 .real, 5..real, 0x_ff, 0b1_0, 0o7_7, 1_0.0_1)
