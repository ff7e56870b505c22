z = 3 - 4j
print(z, abs(z), z.real, z.imag, z.conjugate(), -z, +z, z * z, z / 2, z ** 2, 1 / z, z == 3 - 4j, z != 1)
print(complex(1, 2), complex("1+2j"), complex("  -3j "), complex(2.5), complex(True), complex(1j, 1j), complex())
print(repr(complex(0, -0.0)), repr(complex(-0.0, 1)), repr(complex(float("nan"), float("inf"))), 1e20j, 5j)
print(f"{z:.2f} {z:>15} {z:+g} {z.imag:05.1f}")
for expr in (lambda: z < 1, lambda: z // 1, lambda: z % 2, lambda: int(z), lambda: float(z), lambda: complex("1 + 2j"),
             lambda: z / 0, lambda: complex("x"), lambda: complex(1, "2"), lambda: complex("1", 2), lambda: divmod(z, 1)):
    try:
        print(expr())
    except Exception as e:
        print(type(e).__name__, e)
print(hash(3 + 0j) == hash(3), bool(0j), bool(1j), {1: "a"}[1 + 0j], sum([1j, 2, 3.5]))
