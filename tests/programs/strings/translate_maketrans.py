t = str.maketrans("abc", "xyz")
print("aabbcc-d".translate(t), sorted(t.items()))
t = str.maketrans({"a": "1", "b": None, 99: 100, "d": "long"})
print("abcd".translate(t), sorted(t.items(), key=lambda kv: kv[0]))
print("hello world".translate(str.maketrans("lo", "01", "hd")))
class T:
    def __getitem__(self, c):
        if c > 110: raise LookupError
        return c + 1
print("hello".translate(T()), "abc".translate({97: None}), "abc".translate({}))
for f in (lambda: str.maketrans("ab", "c"), lambda: str.maketrans({"ab": 1}), lambda: str.maketrans(1), lambda: "a".translate(5), lambda: "a".translate({97: 0x110000}), lambda: "a".translate({97: 1.5}), lambda: str.maketrans({1.5: 1})):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(b"hello".translate(bytes.maketrans(b"el", b"ip")), b"hello".translate(None, b"l"))
