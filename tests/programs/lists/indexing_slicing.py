l = list(range(10))
print(l[0], l[-1], l[2:5], l[::-1], l[::3], l[-3:], l[:-3], l[7:2:-2], l[50:], l[True], l[:2**70], l[-2**70:3])
l[2:5] = ["a", "b"]
print(l)
l[::4] = ["x"] * 3
print(l)
l[5:5] = [100, 200]; l[:0] = (-1,); l[len(l):] = "z"
print(l)
del l[0], l[-1]
del l[1:3]
del l[::2]
print(l)
l[:] = []
print(l)
l[1:10] = range(3)
print(l)
l[0], l[-1] = l[-1], l[0]
print(l)
m = [1, 2, 3, 4]
m[1:3] = m
print(m)
m[::-1] = m[:]
print(m)
for src in ("l[10]", "l[-10]", "l['a']", "l[1.0]", "l[None]", "l[1, 2]", "l[::0]", "l[2**70]", "l['a':]", "l[::2] ", "l[1:2, 3]"):
    try:
        print(eval(src))
    except Exception as e:
        print(src, type(e).__name__, e)
for src in ("l[10] = 1", "l['a'] = 1", "l[0:1] = 5", "l[::2] = [1]", "l[::0] = []", "del l[10]", "del l['x']", "l.x = 1", "l[1.5] = 2", "l[0:2:2] = 7", "del l[1:'a']"):
    try:
        exec(src)
    except Exception as e:
        print(src, type(e).__name__, e)
