grid = [[0] * 3 for _ in range(3)]
for i in range(3):
    for j in range(3):
        grid[i][j] = i * 3 + j
print(grid, [list(r) for r in zip(*grid)], [r[::-1] for r in grid], sum(grid, []))
a = [1, [2, 3]]
b = a[:]
c = list(a)
b[1].append(4); b[0] = 9
print(a, b, c, a[1] is c[1])
a.append(a)
print(a, len(a), a[2] is a, repr(a))
d = {}
d["self"] = d
print(d)
t = ([],)
t[0].append(t)
print(t)
x = [[]] * 3
x[0].append(1)
print(x)
def add(item, to=[]):
    to.append(item)
    return to
print(add(1), add(2), add(3, []))
m = [[1, 2], [3, 4]]
(p, q), r = m
m[0][0], m[1] = m[1], m[0]
print(m[0][0], m[1] is m[0])
matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)], [x for row in matrix for x in row if x % 2])
flat = []
def walk(t, depth=0):
    for x in t:
        if isinstance(x, list): walk(x, depth + 1)
        else: flat.append((depth, x))
walk([1, [2, [3, [4]], 5], [[6]]])
print(flat)
