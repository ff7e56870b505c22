"""Generates different 45-line sources of the kind that a service gets from a code-writing model.

No two texts that `snippets` returns are equal, and names differ too, so that neither a cache of sources nor one of
interned names helps either side.
"""

from __future__ import annotations

import random

_TEMPLATE_ORDERS = '''\
{data} = [
    {{"name": "{s1}", "price": {f1}, "count": {i1}}},
    {{"name": "{s2}", "price": {f2}, "count": {i2}}},
    {{"name": "{s3}", "price": {f3}, "count": {i3}}},
]


class {Cls}:
    """Keeps the {s1} of one {s2}."""

    limit = {i1}

    def __init__(self, {a}, {b}=None):
        self.{a} = {a}
        self.{b} = {b} or []
        self.total = 0.0

    def add(self, {x}):
        if {x}["count"] <= 0:
            raise ValueError(f"bad count {{{x}['count']}} for {{{x}['name']!r}}")
        self.{b}.append({x})
        self.total += {x}["price"] * {x}["count"]
        return self

    def report(self):
        lines = [f"{{{x}['name']:<10}} {{{x}['price']:8.2f}}" for {x} in self.{b}]
        return "\\n".join(lines) + f"\\ntotal {{self.total:.2f}}"


def {fn}({a}, *, rate={f2}, **options):
    {c} = {Cls}({a})
    for {x} in {data}:
        try:
            {c}.add({x})
        except ValueError as error:
            print("skipped", error)
    if rate > 0 and {c}.total > {i2}:
        {c}.total -= {c}.total * rate / 100
    names = sorted({{{x}["name"] for {x} in {c}.{b}}}, key=lambda n: (len(n), n))
    return {c}, names


{c}, {y} = {fn}("{s3}", rate={f3})
print({c}.report())
print({y}[0], len({y}), {c}.total)
'''

_TEMPLATE_NUMBERS = """\
def {fn}({a}, {b}={i1}):
    {c} = 0  # the {s1} of {a} below {b}
    for {x} in range({a}):
        if {x} % {i2} == 0 or {x} % {i3} == 1:
            {c} += {x} * {i1}
        elif {x} > {b}:
            break
        else:
            {c} -= {x} // {i2}
    return {c}


def {gn}({data}):
    {y} = {{}}
    for {x}, {b} in enumerate({data}):
        {y}.setdefault({b} % {i3}, []).append({x})
    while len({y}) > {i2}:
        {y}.popitem()
    return {y}


def {hn}(*{a}, {x}={f1}):
    def inner({y}):
        nonlocal {x}
        {x} = {x} * {f2} + {y}
        return {x}

    yield from (inner({c}) for {c} in {a} if {c} is not None)
    yield {x}


{data} = [({x} * {i2}) ^ {i3} for {x} in range({i1})]
{a} = {gn}({data})
{b} = {{k: len(v) for k, v in {a}.items() if v}}
assert {fn}({i1}) != {f1}, "{s2}"
{c} = list({hn}(1, 2, None, 3, {x}={f3}))
if not {b}:
    print("no {s1}")
elif len({c}) == {i2}:
    print("{s3}", {c}[-1], *{b})
else:
    print(f"{{len({b})}} {s1} and {{{c}[0]:.3f}}", sep="{s2}")
({x}, *{y}), {a} = {data}[:4], {data}[1:-1:2]
with_it = {x} if {x} < {i1} else max({y}, default={i2})
print(with_it, sum({a}), -{x} ** 2, {b}.get({i3}, "{s2}"))
"""

_SYLLABLES = ["ba", "co", "di", "fu", "ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu", "we", "xa", "zo"]


def snippets(count: int, seed: int) -> list[str]:
    """Args: count: how many. seed: the same seed gives the same texts. Returns: the sources, all different."""
    rng = random.Random(seed)

    def word() -> str:
        """A name that no other in this source has: two parameters of one name are a syntax error."""
        while True:
            made = "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) + str(rng.randint(0, 99))
            if made not in used:
                used.add(made)
                return made

    out = []
    used: set[str] = set()
    for number in range(count):
        used.clear()
        values = {name: word() for name in ("data", "fn", "gn", "hn", "a", "b", "c", "x", "y", "s1", "s2", "s3")}
        values |= {name: str(rng.randint(2, 9999)) for name in ("i1", "i2", "i3")}
        values |= {name: f"{rng.uniform(0.1, 99):.4f}" for name in ("f1", "f2", "f3")}
        values["Cls"] = word().capitalize()
        out.append((_TEMPLATE_ORDERS, _TEMPLATE_NUMBERS)[number % 2].format(**values))
    return out
