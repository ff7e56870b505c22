a = bytearray(b"abc")
alias = a
a.append(100); a.extend(b"ef"); a += b"g"; a.insert(0, 48); a[1] = 65; a[2:4] = b"XYZ"; a *= 2
print(a, alias is a, len(a), a.pop(), a.pop(0), a)
a.remove(90); a.reverse(); del a[0]; del a[::3]
print(a, a.find(b"Z"), a.index(89), a.count(b"X"), a.copy() == a, a.copy() is a, bytes(a), list(a), a.decode("latin-1"))
a.clear()
print(a, bytearray(2), bytearray("é", "latin-1"), bytearray([1, 2]), bytearray(b"q") == b"q", bytearray(b"b") > b"a", bool(bytearray()))
for f in (lambda: a.pop(), lambda: a.append(256), lambda: a.append("x"), lambda: a.remove(5), lambda: a.extend([300]), lambda: a.extend("s"), lambda: hash(a), lambda: a.insert("x", 1), lambda: exec("a[5] = 1", {"a": a}), lambda: exec("a[0:0] = 'x'", {"a": a}), lambda: a.index(1), lambda: exec("a[::2] = b'abc'", {"a": bytearray(b"abcd")})):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = bytearray(b"hello")
m = memoryview(x)
m[0] = 72
try:
    x.append(1)
except BufferError as e:
    print(e)
m.release()
x.append(33)
print(x)
