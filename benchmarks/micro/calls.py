"""Calls: guest functions with each kind of argument, methods, classes, host functions."""


def nothing():
    pass


def add(a, b):
    return a + b


def defaults(a, b=2, c=3):
    return a + b + c


def star(*args):
    return args


def keywords(a, **kwargs):
    return kwargs


def only(a, *, b):
    return a - b


def bench_call_no_args(n):
    for _ in range(n):
        nothing()
    return n


def bench_call(n):
    x = 0
    for i in range(n):
        x = add(i, 1)
    return x


def bench_call_keyword(n):
    x = 0
    for i in range(n):
        x = add(a=i, b=1)
    return x


def bench_call_default(n):
    x = 0
    for i in range(n):
        x = defaults(i)
    return x


def bench_call_kwonly(n):
    x = 0
    for i in range(n):
        x = only(i, b=1)
    return x


def bench_call_varargs(n):
    x = ()
    for i in range(n):
        x = star(i, 1)
    return x


def bench_call_varkw(n):
    x = {}
    for i in range(n):
        x = keywords(i, b=1)
    return x


def bench_call_star(n):
    pair = (1, 2)
    x = 0
    for _ in range(n):
        x = add(*pair)
    return x


def bench_call_star_kw(n):
    named = {"a": 1, "b": 2}
    x = 0
    for _ in range(n):
        x = add(**named)
    return x


def bench_lambda(n):
    double = lambda v: v + v  # noqa: E731
    x = 0
    for i in range(n):
        x = double(i)
    return x


def bench_recursion(n):
    def down(k):
        if k == 0:
            return 0
        return down(k - 1)

    for _ in range(n // 50):
        down(49)
    return n


def bench_closure_var(n):
    x = 0
    k = 5

    def loop(n):
        nonlocal x
        for _ in range(n):
            x += k
        return x

    return loop(n)


def bench_make_closure(n):
    f = None
    for i in range(n):
        f = lambda: i  # noqa: E731
    return f()


def bench_decorated(n):
    def wrap(f):
        def inner(*args, **kwargs):
            return f(*args, **kwargs)

        return inner

    f = wrap(add)
    x = 0
    for i in range(n):
        x = f(i, 1)
    return x


def bench_host_len(n):
    items = [1, 2, 3]
    x = 0
    for _ in range(n):
        x = len(items)
    return x


def bench_host_abs(n):
    x = 0
    for i in range(n):
        x = abs(i)
    return x


def bench_host_min2(n):
    x = 0
    for i in range(n):
        x = min(i, 10)
    return x


def bench_host_int_of_str(n):
    x = 0
    for _ in range(n):
        x = int("42")
    return x


def bench_host_str_of_int(n):
    x = ""
    for i in range(n):
        x = str(i)
    return x


def bench_isinstance(n):
    x = False
    for i in range(n):
        x = isinstance(i, int)
    return x


def bench_isinstance_tuple(n):
    x = False
    for _ in range(n):
        x = isinstance("a", (int, str))
    return x


def bench_generator_next(n):
    def gen():
        while True:
            yield 1

    g = gen()
    x = 0
    for _ in range(n):
        x += next(g)
    return x


def bench_generator_for(n):
    def gen(n):
        for i in range(n):
            yield i

    x = 0
    for v in gen(n):
        x = v
    return x


def bench_generator_send(n):
    def gen():
        x = 0
        while True:
            x = yield x

    g = gen()
    g.send(None)
    send = g.send
    x = 0
    for i in range(n):
        x = send(i)
    return x


def bench_yield_from(n):
    def inner(n):
        for i in range(n):
            yield i

    def outer(n):
        yield from inner(n)

    x = 0
    for v in outer(n):
        x = v
    return x


def bench_make_generator(n):
    def gen():
        yield 1

    x = 0
    for _ in range(n):
        for v in gen():
            x += v
    return x


def bench_sort_key(n):
    items = [(i * 7919) % 1000 for i in range(1000)]
    out = items
    for _ in range(n // 1000):
        out = sorted(items, key=lambda v: -v)
    return out[0]


def bench_map_lambda(n):
    out = []
    for _ in range(n // 1000):
        out = list(map(lambda v: v + 1, range(1000)))
    return out[-1]


def bench_filter_lambda(n):
    out = []
    for _ in range(n // 1000):
        out = list(filter(lambda v: v & 1, range(1000)))
    return out[-1]
