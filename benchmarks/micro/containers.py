"""Lists, tuples, dicts, sets."""


def bench_list_append(n):
    out = []
    for i in range(n):
        out.append(i)
    return len(out)


def bench_list_append_pop(n):
    out = []
    for i in range(n):
        out.append(i)
        out.pop()
    return len(out)


def bench_list_get(n):
    items = [1, 2, 3, 4]
    x = 0
    for i in range(n):
        x = items[i & 3]
    return x


def bench_list_get_const(n):
    items = [1, 2, 3, 4]
    x = 0
    for _ in range(n):
        x = items[2]
    return x


def bench_list_get_negative(n):
    items = [1, 2, 3, 4]
    x = 0
    for _ in range(n):
        x = items[-1]
    return x


def bench_list_set(n):
    items = [1, 2, 3, 4]
    for i in range(n):
        items[i & 3] = i
    return items


def bench_list_augment(n):
    items = [1, 2, 3, 4]
    for i in range(n):
        items[i & 3] += 1
    return items


def bench_list_float_items(n):
    items = [0.5, 1.5, 2.5, 3.5]
    x = 0.0
    for i in range(n):
        x += items[i & 3]
    return x


def bench_list_slice(n):
    items = [1, 2, 3, 4]
    x = []
    for _ in range(n):
        x = items[1:3]
    return x


def bench_list_build(n):
    x = []
    for i in range(n):
        x = [i, 1, 2]
    return x


def bench_list_in(n):
    items = [1, 2, 3, 4]
    c = 0
    for _ in range(n):
        if 3 in items:
            c += 1
    return c


def bench_matrix_get(n):
    grid = [[1, 2], [3, 4]]
    x = 0
    for i in range(n):
        x += grid[i & 1][1]
    return x


def bench_tuple_build(n):
    x = ()
    for i in range(n):
        x = (i, i)
    return x


def bench_tuple_get(n):
    items = (1, 2, 3)
    x = 0
    for _ in range(n):
        x = items[1]
    return x


def bench_dict_get_int(n):
    table = {0: 1, 1: 2, 2: 3, 3: 4}
    x = 0
    for i in range(n):
        x = table[i & 3]
    return x


def bench_dict_get_str(n):
    table = {"a": 1, "b": 2}
    x = 0
    for _ in range(n):
        x = table["b"]
    return x


def bench_dict_set_str(n):
    table = {"a": 1, "b": 2}
    for i in range(n):
        table["b"] = i
    return table


def bench_dict_set_int(n):
    table = {}
    for i in range(n):
        table[i & 255] = i
    return len(table)


def bench_dict_augment(n):
    table = {"a": 0}
    for _ in range(n):
        table["a"] += 1
    return table


def bench_dict_get_method(n):
    table = {"a": 1}
    x = 0
    for _ in range(n):
        x = table.get("a", 0)
    return x


def bench_dict_in(n):
    table = {"a": 1}
    c = 0
    for _ in range(n):
        if "a" in table:
            c += 1
    return c


def bench_dict_tuple_key(n):
    table = {}
    for i in range(n):
        table[i & 7, 1] = i
    return len(table)


def bench_dict_build(n):
    x = {}
    for i in range(n):
        x = {"a": i, "b": 2}
    return x


def bench_set_add(n):
    seen = set()
    for i in range(n):
        seen.add(i & 255)
    return len(seen)


def bench_set_in(n):
    seen = {1, 2, 3}
    c = 0
    for i in range(n):
        if i in seen:
            c += 1
    return c


def bench_sum_list(n):
    items = list(range(1000))
    x = 0
    for _ in range(n // 1000):
        x = sum(items)
    return x


def bench_list_of_range(n):
    x = []
    for _ in range(n // 1000):
        x = list(range(1000))
    return x[-1]


def bench_dict_setdefault(n):
    groups = {}
    for i in range(n):
        groups.setdefault(i & 7, []).append(i)
    return len(groups)
