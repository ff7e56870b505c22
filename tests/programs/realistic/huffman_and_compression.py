def huffman(text):
    freq = {}
    for c in text: freq[c] = freq.get(c, 0) + 1
    nodes = [(n, c, None) for c, n in sorted(freq.items())]
    while len(nodes) > 1:
        nodes.sort(key=lambda n: (n[0], n[1]))
        a, b, *nodes = nodes
        nodes.append((a[0] + b[0], min(a[1], b[1]), (a, b)))
    codes = {}
    def walk(node, prefix):
        n, c, kids = node
        if kids is None: codes[c] = prefix or "0"
        else: walk(kids[0], prefix + "0"); walk(kids[1], prefix + "1")
    if nodes: walk(nodes[0], "")
    return codes
def decode(bits, codes):
    back, out, cur = {v: k for k, v in codes.items()}, [], ""
    for b in bits:
        cur += b
        if cur in back: out.append(back[cur]); cur = ""
    if cur: raise ValueError(f"leftover {cur}")
    return "".join(out)
for text in ("abracadabra", "aaaa", "hello world", ""):
    codes = huffman(text)
    bits = "".join(codes[c] for c in text)
    print(repr(text), dict(sorted(codes.items())), bits, len(bits), decode(bits, codes) == text)
try: decode("101010111", huffman("abcab"))
except ValueError as e: print(e)
def lzw(data):
    table = {chr(i): i for i in range(256)}
    out, w = [], ""
    for c in data:
        if w + c in table: w += c
        else: out.append(table[w]); table[w + c] = len(table); w = c
    return out + ([table[w]] if w else [])
def unlzw(codes):
    table = {i: chr(i) for i in range(256)}
    it = iter(codes)
    out = [w := table[next(it)]]
    for k in it:
        e = table[k] if k in table else w + w[0]
        out.append(e)
        table[len(table)] = w + e[0]
        w = e
    return "".join(out)
s = "TOBEORNOTTOBEORTOBEORNOT"
print(lzw(s), unlzw(lzw(s)) == s, len(lzw("ab" * 100)), unlzw(lzw("aaa" * 20)) == "a" * 60)
def bwt(s):
    s += "\0"
    return "".join(r[-1] for r in sorted(s[i:] + s[:i] for i in range(len(s))))
def unbwt(b):
    t = [""] * len(b)
    for _ in b: t = sorted(c + r for c, r in zip(b, t))
    return next(r for r in t if r.endswith("\0"))[:-1]
def mtf(s):
    abc, out = sorted(set(s)), []
    for c in s: i = abc.index(c); out.append(i); abc.insert(0, abc.pop(i))
    return out
b = bwt("banana bandana")
print(repr(b), unbwt(b), mtf(b))
def varint(n):
    out = bytearray()
    while True:
        n, low = n >> 7, n & 0x7F
        out.append(low | (0x80 if n else 0))
        if not n: return bytes(out)
print([varint(n).hex() for n in (0, 127, 128, 300, 2**40)])
