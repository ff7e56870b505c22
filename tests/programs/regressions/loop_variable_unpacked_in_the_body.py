# The variable of a loop over pairs is still there after the first statement of the body unpacked it.
def items(d):
    seen = []
    for x in d.items():
        name, value = x
        seen.append((x, name, value))
    return seen


def nested(d):
    seen = []
    for x in d.items():
        name, (first, second) = x
        seen.append(x)
    return seen, name, first, second


def numbered(values):
    for pair in enumerate(values):
        index, value = pair
        print(pair, index, value)


def zipped(a, b):
    for pair in zip(a, b):
        left, right = pair
        print(pair, left, right)
    return pair


print(items({"a": 1, "b": 2}))
print(nested({"a": (1, 2)}))
numbered("xy")
print(zipped("ab", (1, 2)))
for outer in {1: 2}.items():
    k, v = outer
    print(outer, k, v)
print([(x, a) for x in {1: 2}.items() for a, b in [x]])
