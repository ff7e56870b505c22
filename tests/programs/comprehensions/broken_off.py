import weakref
class A: pass
try:
    [1/0 for x in [A()] if r.append(weakref.ref(x)) or True] if (r:=[]) is not None else 0
except ZeroDivisionError: pass
print(r[0]() is None, sorted(k for k in locals() if len(k)==1))
try:
    [[y/0 for y in [x]] for x in [1]]
except ZeroDivisionError: pass
try:
    [(lambda: x, 1/0) for x in [1]]
except ZeroDivisionError: pass
print([sorted(k for k in locals() if len(k)==1) for only in [1]])
try:
    print(sum(1/z for z in [0]))
except ZeroDivisionError: pass
print([sorted(k for k in locals() if len(k)==1) for only in [1]])
# What a loop keeps for its comprehensions is still there after one was broken off.
k = {}
for x in [[], 1, [], 2]:
    try:
        print([k.get(x, 5) for i in [0] if i in [0]])
    except TypeError as e:
        print(e)
