def mean(xs):
    assert xs, "mean of nothing"
    return sum(xs) / len(xs)

print(mean([1, 2]))
print(mean([]))
