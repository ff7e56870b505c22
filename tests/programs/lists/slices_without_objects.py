# Slices read and stored with plain bounds, at sites that also see everything else.
def cut(a, i, j):
    return a[i:j], a[i:j:-1], a[::-1], a[j::-1], a[:i:-1]


def put(a, i, j, items):
    a[i:j] = items
    return a


def describe(work, *args):
    try:
        return work(*args)
    except Exception as error:
        return type(error).__name__, str(error)


BOUNDS = (None, 0, 1, 3, -1, -2, 7, 100, -100, 2**62, -2**63, 2**63, -2**70, True)
for i in BOUNDS:
    for j in BOUNDS:
        print(i, j, cut([1, 2, 3, 4, 5], i, j), cut((1, 2, 3), i, j)[0], cut("añ€😀z", i, j), put([1, 2, 3, 4], i, j, ["x", "y"]))
for wrong in ("a", 1.0, [], object):
    print(describe(cut, [1, 2], wrong, 1), describe(put, [1], 0, wrong, [1]))
print(describe(put, [1, 2, 3], 1, 2, 5), describe(put, [1, 2, 3], 1, 2, "ab"), describe(put, [1, 2, 3], 1, 2, (9, 8)), describe(put, [1, 2], 0, 1, {7: 1}))
print(describe(put, (1, 2), 0, 1, [1]), describe(put, "ab", 0, 1, [1]), describe(put, bytearray(b"abc"), 0, 1, b"xy"))
itself = [1, 2, 3]
itself[1:2] = itself
print(itself, put(itself, 0, 0, itself)[:4])


class Index:
    def __index__(self):
        return 2


print(cut([1, 2, 3, 4], Index(), None)[0], put([1, 2, 3, 4], None, Index(), []))


class Last:
    def __init__(self, of):
        self.of = of

    def __del__(self):
        self.of.append("from a finalizer")


holder = []
holder.append(Last(holder))
holder.append(2)
holder[0:1] = []
print(holder)


class Own(list):
    def __setitem__(self, key, value):
        print("own", key, value)

    def __getitem__(self, key):
        return "own", key


print(cut(Own([1, 2]), 0, 1)[0], put(Own([1]), 0, 1, [2]) == [1])
large = list(range(10_000))
print(len(large[::-1]), large[9_000:][:3], sum(large[5:-5]), large[::-1][:2])
large[100:9_900] = large[:50]
print(len(large), large[95:160:8])
x = y = 0
table = [[1, 2], [3, 4]]
table[x][y:y + 1] = table[x + 1][::-1]
print(table, [1, 2, 3][:2][::-1], "abc"[1:][0:1])
