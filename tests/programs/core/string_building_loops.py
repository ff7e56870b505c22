s = ""
for i in range(200): s += chr(97 + i % 26) if i % 7 else str(i)
print(s, len(s))
t = s
t += "!"
print(len(s), len(t), s is not t, t[:-1] == s)
parts = []
for w in s.split("h"): parts.append(w.upper() if len(parts) % 2 else w)
print("H".join(parts)[:60])
out = ""
for a in range(3):
    line = ""
    for b in range(3): line += f"{a * b:>3}" + ("|" if b < 2 else "")
    out += line + "\n"
print(out, end="")
def rep(x, n):
    r = x
    for _ in range(n): r = r + x
    return r
print(rep("ab", 3), rep(b"z", 2), rep([1], 2), rep((None,), 1), rep(1.5, 2), rep("é", 1))
x = "a"
for _ in range(10): x = x + x
print(len(x), x.count("aa"))
acc = {"s": ""}
class O: s = ""
o = O()
lst = ["", b""]
for ch in "hello":
    acc["s"] += ch; o.s += ch * 2; lst[0] += ch; lst[1] += ch.encode()
print(acc, o.s, O.s, lst)
k = "ab" * 3
k *= 2
k %= () if "%" not in k else 1
print(k, "%s-%s" % ("x", 1) + "y", ("a" "b" + "c") * 2, "x" + str(1) + repr("q") + f"{2}")
print("".join(["x"] * 3 + list("yz")), "".join(c for c in "a1b2" if c.isalpha()), "".join(reversed("abc")), str().join("abc"), ",".join(map(repr, [1, "a"])), "ab".join("12"), sep="|")
text = "line one\nline two\n\nline four"
n = 0
for line in text.split("\n"):
    n += 1
    if not line: continue
    print(n, line.split()[-1], line.index("e"), line.replace("line ", ">"), line[5:].title())
try:
    bad = "a"
    bad += 1
except TypeError as e: print(e, bad)
try:
    for i in [1]: out = out + i
except TypeError as e: print(e)
