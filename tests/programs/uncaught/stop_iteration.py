next(iter([1]))
it = iter([])
next(it)
