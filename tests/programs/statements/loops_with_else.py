for i in range(3): print(i, end=" ")
else: print("done", i)
for i in []: pass
else: print("empty else", i)
for i in range(5):
    if i == 3: break
else: print("not printed")
print("broke at", i)
n = 5
while n:
    n -= 1
    if n == 2: continue
    print(n, end=" ")
else: print("while else")
while True:
    n += 1
    if n > 3: break
else: print("never")
def find(rows, t):
    for r, row in enumerate(rows):
        for c, v in enumerate(row):
            if v == t: break
        else: continue
        break
    else: return None
    return r, c
print(find([[1, 2], [3, 4]], 3), find([[1]], 9))
for i in range(3):
    for j in range(3):
        if j == 1: continue
        if i == 2: break
        print(i, j, end="; ")
    else: print("inner else", i, end="; ")
print()
for i, (a, *b) in enumerate(["abc", "de", "f"]): print(i, a, b, end=" ")
print()
for x in (y := [1, 2]):
    if x == 1: y = "rebound"
print(x, y)
for d["k"] in [1] if (d := {}) is not None else []: pass
print(d)
r = range(3)
for r in r: pass
print(r)
def ret():
    for i in range(10):
        while True:
            if i == 4: return i
            break
print(ret())
for i in range(3):
    i *= 10
    print(i, end=" ")
print(i)
for ch in "ab" "c": print(ch, end="")
for k, v in {"a": 1}.items(): print(k, v, end=" ")
for t in zip([1, 2], "xy"): print(t, end=" ")
for b in b"hi": print(b, end=" ")
for _ in range(2): pass
else:
    for _ in range(1): print("in else", _)
i = 10
while i > 0: i -= 3
else: print("neg", i)
while 0: print("no")
else: print("zero else")
for i in range(10, 0, -3): print(i, end=" ")
for i in range(2**63, 2**63 + 3): print(i - 2**63, end=" ")
for i in range(-2**63, -2**63 + 2): print(i, end=" ")
print(len(range(2**62)), sum(1 for _ in range(0, 100, 7)))
