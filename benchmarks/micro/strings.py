"""Strings."""


def bench_concat_compare(n):
    a = "abc"
    c = 0
    for _ in range(n):
        if a + "def" == "abcdef":
            c += 1
    return c


def bench_concat_grow(n):
    s = ""
    for _ in range(n):
        s += "x"
    return len(s)


def bench_compare_eq(n):
    a = "hello"
    b = "".join(["hel", "lo"])
    c = 0
    for _ in range(n):
        if a == b:
            c += 1
    return c


def bench_compare_lt(n):
    a = "hello"
    b = "help"
    c = 0
    for _ in range(n):
        if a < b:
            c += 1
    return c


def bench_index(n):
    s = "hello world"
    x = ""
    for i in range(n):
        x = s[i & 7]
    return x


def bench_slice(n):
    s = "hello world"
    x = ""
    for _ in range(n):
        x = s[2:7]
    return x


def bench_contains(n):
    s = "hello world"
    c = 0
    for _ in range(n):
        if "wor" in s:
            c += 1
    return c


def bench_fstring(n):
    x = ""
    for i in range(n):
        x = f"a{i}b"
    return x


def bench_fstring_str(n):
    name = "bob"
    x = ""
    for _ in range(n):
        x = f"hello {name}!"
    return x


def bench_fstring_spec(n):
    x = ""
    for i in range(n):
        x = f"{i:>8d}"
    return x


def bench_fstring_float(n):
    v = 3.14159
    x = ""
    for _ in range(n):
        x = f"{v:.2f}"
    return x


def bench_percent(n):
    x = ""
    for i in range(n):
        x = "a%db" % i
    return x


def bench_format_method(n):
    x = ""
    for i in range(n):
        x = "a{}b".format(i)
    return x


def bench_upper(n):
    s = "hello"
    x = ""
    for _ in range(n):
        x = s.upper()
    return x


def bench_split(n):
    s = "a,b,c"
    x = []
    for _ in range(n):
        x = s.split(",")
    return x


def bench_join(n):
    parts = ["a", "b", "c"]
    x = ""
    for _ in range(n):
        x = "-".join(parts)
    return x


def bench_replace(n):
    s = "hello world"
    x = ""
    for _ in range(n):
        x = s.replace("o", "0")
    return x


def bench_startswith(n):
    s = "hello world"
    c = 0
    for _ in range(n):
        if s.startswith("hell"):
            c += 1
    return c


def bench_strip(n):
    s = "  hello  "
    x = ""
    for _ in range(n):
        x = s.strip()
    return x


def bench_ord_chr(n):
    x = ""
    for i in range(n):
        x = chr(ord("a") + (i & 15))
    return x


def bench_isdigit(n):
    s = "12345"
    c = 0
    for _ in range(n):
        if s.isdigit():
            c += 1
    return c
