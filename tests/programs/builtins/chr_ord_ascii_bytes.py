for n in (0, 9, 65, 127, 128, 255, 256, 8364, 0xD800, 0xFFFF, 0x10000, 0x10FFFF): print(n, ascii(chr(n)), ord(chr(n)) == n, chr(n).isprintable())
for v in (-1, 0x110000, 2**40, "a", 1.5, None):
    try: chr(v)
    except Exception as e: print(type(e).__name__, e)
for v in ("", "ab", 5, b"ab", None, [1]):
    try: ord(v)
    except TypeError as e: print(e)
print(ord(b"a"), ord(bytearray(b"z")), chr(True), hex(255), hex(-16), oct(64), bin(5), bin(-5), hex(2**70), bin(True), hex(0), ascii([1, "ü", b"\xff"]), bytes(range(65, 70)), bytes([0, 127, 255]), list(b"\x00A\xff"), bytes.fromhex("00ff 41"), b"\x41\n\t'".hex(), int("ff", 16).to_bytes(2, "little"), bytes("ü", "utf-16-le"), "".join(map(chr, range(97, 103))), sum(map(ord, "abc")), max("aZ", key=ord), sorted("bAé", key=ord), [ord(c) - 96 for c in "xyz"], "abc".translate({97: "1", 98: None}), bytes(b ^ 0x20 for b in b"AbC"), b"abc"[::-1], bytes(reversed(b"abc")), bytes(sorted(b"cab")), b"".join(bytes([i]) for i in range(3)), 300 .to_bytes(2, "big"), int.from_bytes(b"\x01\x2c", "big"))
print({i: chr(i) for i in range(97, 100)}, "".join(chr(ord(c) ^ 1) for c in "bcd"), "%c%c" % (65, "b"), f"{65:c}", "\x41" "\u0042", "A" < "a" < "é" < "😀", "Z" < "a", "10" < "9", "" < "a", "abc" < "abd", "ab" < "abc", b"a" < b"b", "ß".upper(), "İ".lower() == "i̇", "ﬁ".upper(), "ǆ".title(), "Σ".lower(), "ΑΣ".lower(), "ŉ".upper())
