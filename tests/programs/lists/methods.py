l = [3, 1, 2]
print(l.append(4), l, l.extend("ab"), l, l.insert(1, "i"), l.insert(-1, "j"), l.insert(100, "end"), l)
print(l.pop(), l.pop(0), l.pop(-2), l, l.index(2), l.count(1), l.remove("a") , l, l.copy() is l, l.copy() == l)
l = [5, 3, 9, 1]
print(l.sort(), l, l.sort(reverse=True), l, l.reverse(), l, l.clear(), l)
words = ["pear", "fig", "apple", "kiwi"]
words.sort(key=len)
print(words, sorted(words, key=lambda w: w[-1], reverse=True), sorted(words, key=str.upper))
for f in (lambda: [].pop(), lambda: [1].pop(5), lambda: [1].remove(2), lambda: [1].index(2), lambda: [1, 2].index(1, 1), lambda: [1].pop("a"), lambda: [1, "a"].sort(), lambda: [1].sort(len), lambda: [1].extend(5), lambda: [1].insert(1), lambda: [1].append(), lambda: [1].append(1, 2), lambda: list(5), lambda: list(1, 2), lambda: [1].nope, lambda: [3, 1].sort(key=5), lambda: [].copy(1), lambda: [1].count()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(list(), list("abc"), list((1, 2)), list({1: 2}), list(range(3)), list(x for x in "q"), [1, 2] == [1, 2], [1, 2] < [1, 3], [1] < [1, 0], [] < [0], [1, "a"] == [1, "a"], [2] > [1, 99])
