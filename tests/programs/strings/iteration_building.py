words = "the quick brown fox jumps over the lazy dog".split()
out = ""
for i, w in enumerate(words):
    out += w[0].upper() + w[1:]
    if i < len(words) - 1:
        out += "_" if i % 2 else "-"
print(out)
counts = {}
for ch in out.lower():
    if ch.isalpha():
        counts[ch] = counts.get(ch, 0) + 1
print(sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:6])
def caesar(text, k):
    r = []
    for c in text:
        if c.isupper(): r.append(chr((ord(c) - 65 + k) % 26 + 65))
        elif c.islower(): r.append(chr((ord(c) - 97 + k) % 26 + 97))
        else: r.append(c)
    return "".join(r)
e = caesar("Hello, World! xyz", 5)
print(e, caesar(e, -5))
def rle(s):
    if not s: return ""
    out, prev, n = [], s[0], 0
    for c in s:
        if c == prev: n += 1
        else:
            out.append(f"{prev}{n if n > 1 else ''}")
            prev, n = c, 1
    return "".join(out) + f"{prev}{n if n > 1 else ''}"
print(rle("aaabccdddd"), rle(""), rle("abc"))
print(all(w == w[::-1] for w in ["level", "noon"]), [w for w in words if w == "".join(sorted(w))])
print("\n".join("*" * i + " " * (5 - i) + "|" for i in range(1, 6)))
vowels = 0
for c in "programming language":
    match c:
        case "a" | "e" | "i" | "o" | "u": vowels += 1
print(vowels)
