l = [1, 2, 3, 4, 5, 6]
for x in l:
    if x % 2 == 0:
        l.remove(x)
print(l)
l = [1, 2, 3]
for x in l:
    if len(l) < 8:
        l.append(x * 10)
print(l)
l = list(range(6))
it = iter(l)
next(it)
del l[:]
print(list(it), next(it, "done"))
l.append(1)
print(list(it))
l = [1, 2, 3]
for i, x in enumerate(l):
    l[i] = x * x
    if i == 0:
        l.pop()
print(l)
r = reversed([1, 2, 3])
print(next(r), list(r), list(r))
class Key:
    def __init__(self, v): self.v = v
    def __lt__(self, o):
        data.append(1)
        return self.v < o.v
data = [Key(2), Key(1), Key(3)]
try:
    data.sort()
except ValueError as e:
    print(e, len(data))
def bad(k):
    raise RuntimeError("key")
data = [3, 1, 2]
try:
    data.sort(key=bad)
except RuntimeError as e:
    print(e, data)
d = {1: 1, 2: 2}
try:
    for k in d:
        d[k + 10] = 1
except RuntimeError as e:
    print(e)
try:
    for k in d:
        del d[k]
except RuntimeError as e:
    print(e)
d = {1: 1, 2: 2}
for k in d:
    d[k] *= 5
for k in list(d):
    if k == 1: del d[k]
print(d)
s = {1, 2, 3}
try:
    for x in s:
        s.add(x + 100)
except RuntimeError as e:
    print(e)
