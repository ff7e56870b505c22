for text in ["12", " 12 ", "-3", "+4", "1_000", "0012", "0", "-0", "٣٤", "12345678901234567890123"]:
    print(repr(text), int(text))
for text, base in [("ff", 16), ("0xff", 16), ("0b101", 2), ("0o17", 8), ("0x1F", 0), ("0b11", 0), ("z", 36), ("-7f", 16), ("1_0", 2), (b"12", 10)]:
    print(text, base, int(text, base))
for args in [("",), ("x",), ("1.5",), ("12", 1), ("9", 8), ("1__0",), ("_1",), ("010", 0), (None,), ([],), (5, 10), ("5", 40), ("0x", 16), (1j,), (float("nan"),), (float("inf"),), ("é" * 3,)]:
    try:
        print(int(*args))
    except Exception as e:
        print(args, type(e).__name__, e)
print(int(), int(3.99), int(-3.99), int(True), int(1e20), int("7", base=8))
