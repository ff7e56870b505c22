import struct, array, binascii, base64, zlib, gzip, bz2, lzma, hashlib, hmac, quopri, io
print(struct.pack(">IhB5sf?d", 1, -2, 255, b"abc", 1.5, True, 2.25), struct.unpack("<hHq", struct.pack("<hHq", -1, 65535, -2**40)), struct.calcsize("@iq"), list(struct.iter_unpack(">H", b"\0\1\0\2")))
s = struct.Struct("!2sH"); b = bytearray(8); s.pack_into(b, 2, b"xy", 258); print(b, s.unpack_from(b, 2), s.size, s.format)
for f in [lambda: struct.pack("B", 256), lambda: struct.unpack("I", b"a"), lambda: struct.pack("z", 1), lambda: struct.pack("I"), lambda: struct.pack("i", "a"), lambda: struct.pack("I", -1)]:
    try:
        f()
    except struct.error as e:
        print(type(e).__name__, e)
a = array.array("i", [3, 1, 2]); a.append(7); a.extend([1, 1]); a[1:3] = array.array("i", [9]); print(a, a.itemsize, a.typecode, a.tolist(), a.count(1), a.index(9), sum(a), a * 2, a == array.array("i", a), a.tobytes()[:4], array.array("d", [1.5]), array.array("u", "hé"), sorted(a), a[::-1], len(a), 9 in a, a.pop(), a.buffer_info()[1])
from collections.abc import MutableSequence
import copy
print(isinstance(a, MutableSequence), copy.copy(a), copy.deepcopy(a) == a, memoryview(a)[0], array.typecodes, a.__reduce_ex__(3)[0].__name__)
for f in [lambda: array.array("x"), lambda: a.append("a"), lambda: array.array("b", [200]), lambda: a.remove(1000), lambda: a + [1]]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
out = io.BytesIO(); a.tofile(out); c = array.array("i"); c.frombytes(out.getvalue()); print(c == a)
raw = bytes(range(256))
print(binascii.hexlify(raw[:8], ":"), binascii.unhexlify("deadBEEF"), binascii.crc32(raw), binascii.b2a_base64(b"hello"), binascii.a2b_base64("aGVsbG8="), binascii.crc_hqx(b"a", 0), binascii.b2a_uu(b"cat"))
for f in [lambda: binascii.unhexlify("abc"), lambda: binascii.unhexlify("zz"), lambda: base64.b64decode("abc"), lambda: base64.b64decode("ab$=", validate=True), lambda: base64.b32decode("A"), lambda: base64.b64encode("str")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, type(e).__mro__[1].__name__, e)
for name in ("b64", "urlsafe_b64", "b32", "b16", "a85", "b85", "b32hex", "standard_b64"):
    e = getattr(base64, name + "encode")(raw[250:] + b"hello"); print(name, e, getattr(base64, name + "decode")(e) == raw[250:] + b"hello")
z = zlib.compress(b"hello " * 100); print(len(z) < 60, zlib.decompress(z) == b"hello " * 100, zlib.crc32(b"a"), zlib.adler32(b"a"))
co = zlib.compressobj(9); part = co.compress(b"abc" * 50) + co.flush(); do = zlib.decompressobj(); print(do.decompress(part + b"tail") == b"abc" * 50, do.unused_data, do.eof)
try:
    zlib.decompress(b"garbage")
except zlib.error as e:
    print(type(e), e)
for m in (gzip, bz2, lzma):
    d = m.compress(b"data " * 50); print(m.__name__, m.decompress(d) == b"data " * 50)
    try:
        m.decompress(b"bad data here")
    except Exception as e:
        print(type(e).__name__, e)
buf = io.BytesIO()
with gzip.GzipFile(fileobj=buf, mode="wb", mtime=0) as f: f.write(b"line1\nline2\n")
buf.seek(0)
with gzip.open(buf, "rt") as f: print(f.readlines())
for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s"):
    print(name, hashlib.new(name, b"abc").hexdigest()[:32], getattr(hashlib, name)(b"abc").digest_size)
h = hashlib.sha256(); h.update(b"a"); g = h.copy(); g.update(b"b"); print(h.hexdigest()[:16], g.hexdigest()[:16], h.name, h.block_size, hashlib.shake_128(b"x").hexdigest(5), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 10).hex()[:16], sorted(hashlib.algorithms_guaranteed)[:4], hashlib.blake2b(b"x", digest_size=8, key=b"k").hexdigest())
print(hmac.new(b"key", b"msg", "sha256").hexdigest(), hmac.compare_digest(b"a", b"b"), hmac.digest(b"k", b"m", "md5").hex(), hmac.HMAC(b"k", digestmod=hashlib.sha1).name)
try:
    hashlib.new("nope")
except ValueError as e:
    print(e)
print(quopri.encodestring("é=".encode()), quopri.decodestring(b"=C3=A9"))
