"""Arithmetic and comparison, names and constants."""

LEVEL = 3


def bench_int_add_mul(n):
    x = 1
    for i in range(n):
        x = i * 3 + x - i
    return x


def bench_int_mod_floordiv(n):
    x = 0
    for i in range(n):
        x = i % 7 + i // 3
    return x


def bench_int_bits(n):
    x = 0
    for i in range(n):
        x = (x ^ i) & 65535 | i >> 3
    return x


def bench_int_shift(n):
    x = 0
    for i in range(n):
        x = (1 << (i & 15)) + x & 4095
    return x


def bench_int_pow(n):
    x = 0
    for i in range(n):
        x = (i & 63) ** 2
    return x


def bench_int_divide(n):
    x = 0.0
    for i in range(n):
        x = i / 4
    return x


def bench_float_ops(n):
    x = 1.5
    y = 0.25
    for _ in range(n):
        x = x * 0.5 + y - 0.125
    return x


def bench_mixed_ops(n):
    x = 1.5
    for i in range(n):
        x = x * 0.5 + i
    return x


def bench_big_int(n):
    x = 1 << 80
    y = 12345678901234567890123
    for _ in range(n):
        x = x + y - 7
    return x


def bench_big_int_mul(n):
    y = 12345678901234567890123
    x = 0
    for i in range(n):
        x = y * i
    return x


def bench_overflow_edge(n):
    x = 0
    for i in range(n):
        x = (9223372036854775807 + (i & 1)) - 9223372036854775800
    return x


def bench_hash_mix(n):
    h = 2166136261
    for i in range(n):
        h = (h ^ (i & 255)) * 16777619 & 4294967295
    return h


def bench_compare_chain(n):
    c = 0
    for i in range(n):
        if 10 < i < 1000000000:
            c += 1
    return c


def bench_bool_and_or(n):
    c = 0
    for i in range(n):
        if (i & 1 and i & 2) or not i & 4:
            c += 1
    return c


def bench_ternary(n):
    x = 0
    for i in range(n):
        x = 1 if i & 1 else 2
    return x


def bench_is_none(n):
    x = None
    c = 0
    for _ in range(n):
        if x is None:
            c += 1
    return c


def bench_global_load(n):
    x = 0
    for _ in range(n):
        x = LEVEL
    return x


def bench_global_store(n):
    global LEVEL
    for _ in range(n):
        LEVEL = 3
    return LEVEL


def bench_swap(n):
    a, b = 1, 2
    for _ in range(n):
        a, b = b, a
    return a, b


def bench_unpack_tuple(n):
    pair = (1, 2, 3)
    x = 0
    for _ in range(n):
        a, b, c = pair
        x = c
    return x, a, b


def bench_unpack_star(n):
    items = [1, 2, 3, 4]
    x = 0
    for _ in range(n):
        a, *rest = items
        x = a
    return x, rest


def bench_try_no_raise(n):
    x = 0
    for i in range(n):
        try:
            x = i
        except ValueError:
            x = 0
    return x


def bench_try_finally(n):
    x = 0
    for i in range(n):
        try:
            x += 1
        finally:
            x += 1
    return x


def bench_raise_catch(n):
    c = 0
    for _ in range(n):
        try:
            raise ValueError
        except ValueError:
            c += 1
    return c


def bench_raise_in_call(n):
    def fail():
        raise ValueError("no")

    c = 0
    for _ in range(n):
        try:
            fail()
        except ValueError as e:
            c += 1
    return c


def bench_key_error(n):
    table = {}
    c = 0
    for i in range(n):
        try:
            table[i]
        except KeyError:
            c += 1
    return c


def bench_match_literal(n):
    x = 0
    for i in range(n):
        match i & 3:
            case 0:
                x = 1
            case 1:
                x = 2
            case 2:
                x = 3
            case _:
                x = 4
    return x


def bench_match_sequence(n):
    item = (1, 2)
    x = 0
    for _ in range(n):
        match item:
            case [a, b, c]:
                x = 0
            case [a, b]:
                x = a + b
    return x
