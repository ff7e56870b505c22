def vigenere(text, key, sign=1):
    out, k = [], 0
    for c in text:
        if c.isalpha() and c.isascii():
            base = 65 if c.isupper() else 97
            out.append(chr((ord(c) - base + sign * (ord(key[k % len(key)].lower()) - 97)) % 26 + base))
            k += 1
        else: out.append(c)
    return "".join(out)
s = vigenere("Attack at Dawn! 5am", "Lemon")
print(s, vigenere(s, "Lemon", -1))
def xor(data, key): return bytes(b ^ key[i % len(key)] for i, b in enumerate(data))
e = xor(b"secret message", b"k3y")
print(e.hex(), xor(e, b"k3y"))
def crc32(data):
    crc = 0xFFFFFFFF
    for b in data:
        crc ^= b
        for _ in range(8): crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF
print(f"{crc32(b'123456789'):08x} {crc32(b''):#010x}")
def fnv(s):
    h = 0xcbf29ce484222325
    for b in s.encode(): h = ((h ^ b) * 0x100000001b3) & 0xFFFFFFFFFFFFFFFF
    return h
print(hex(fnv("hello")), fnv("héllo"))
def rotl(x, n): return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF
def sha1(m):
    h = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
    bits = len(m) * 8
    m += b"\x80" + b"\0" * ((55 - len(m)) % 64) + bits.to_bytes(8, "big")
    for i in range(0, len(m), 64):
        w = [int.from_bytes(m[i + j:i + j + 4], "big") for j in range(0, 64, 4)]
        for t in range(16, 80): w.append(rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1))
        a, b, c, d, e = h
        for t in range(80):
            if t < 20: f, k = (b & c) | (~b & d), 0x5A827999
            elif t < 40: f, k = b ^ c ^ d, 0x6ED9EBA1
            elif t < 60: f, k = (b & c) | (b & d) | (c & d), 0x8F1BBCDC
            else: f, k = b ^ c ^ d, 0xCA62C1D6
            a, b, c, d, e = (rotl(a, 5) + f + e + k + w[t]) & 0xFFFFFFFF, a, rotl(b, 30), c, d
        h = [(x + y) & 0xFFFFFFFF for x, y in zip(h, (a, b, c, d, e))]
    return "".join(f"{x:08x}" for x in h)
print(sha1(b"abc"), sha1(b""), sha1(b"a" * 200), sep="\n")
B64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
def b64(data):
    out = ""
    for i in range(0, len(data), 3):
        chunk = data[i:i + 3]
        n = int.from_bytes(chunk + b"\0" * (3 - len(chunk)), "big")
        out += "".join(B64[n >> s & 63] for s in (18, 12, 6, 0))[:len(chunk) + 1] + "=" * (3 - len(chunk))
    return out
print([b64(x) for x in (b"", b"f", b"fo", b"foo", b"\xff\xfe\xfd\xfc")])
def egcd(a, b): return (a, 1, 0) if b == 0 else (lambda g, x, y: (g, y, x - a // b * y))(*egcd(b, a % b))
p, q, pub = 61, 53, 17
n, phi = p * q, (p - 1) * (q - 1)
priv = egcd(pub, phi)[1] % phi
print(n, priv, priv == pow(pub, -1, phi), [pow(pow(m, pub, n), priv, n) for m in (65, 123)], pow(65, pub, n))
def miller(n):
    d, r = n - 1, 0
    while d % 2 == 0: d //= 2; r += 1
    for a in (2, 3, 5, 7, 11, 13):
        if n % a == 0: return n == a
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True
print([n for n in range(2, 60) if miller(n)], miller(2**61 - 1), miller(2**67 - 1))
