DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
class Date:
    __slots__ = ("y", "m", "d")
    def __init__(self, y, m, d):
        if not 1 <= m <= 12: raise ValueError(f"month must be in 1..12, not {m}")
        if not 1 <= d <= self.month_days(y, m): raise ValueError(f"day {d} is out of range for {y}-{m:02}")
        for k, v in zip(self.__slots__, (y, m, d)): setattr(self, k, v)
    @staticmethod
    def leap(y): return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
    @classmethod
    def month_days(cls, y, m): return 29 if m == 2 and cls.leap(y) else DAYS[m - 1]
    @classmethod
    def parse(cls, s):
        try: y, m, d = map(int, s.split("-"))
        except ValueError as e: raise ValueError(f"bad date {s!r}") from e
        return cls(y, m, d)
    @property
    def ordinal(self):
        y = self.y - 1
        return y * 365 + y // 4 - y // 100 + y // 400 + sum(self.month_days(self.y, m) for m in range(1, self.m)) + self.d
    @classmethod
    def from_ordinal(cls, n):
        y = n // 366 or 1
        while cls(y + 1, 1, 1).ordinal <= n: y += 1
        n -= cls(y, 1, 1).ordinal - 1
        m = 1
        while n > (k := cls.month_days(y, m)): n -= k; m += 1
        return cls(y, m, n)
    @property
    def weekday(self): return ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[(self.ordinal - 1) % 7]
    def __add__(self, days): return Date.from_ordinal(self.ordinal + days)
    def __sub__(self, o): return self.ordinal - o.ordinal if isinstance(o, Date) else self + -o
    def _key(self): return self.y, self.m, self.d
    def __eq__(self, o): return isinstance(o, Date) and self._key() == o._key()
    def __lt__(self, o): return self._key() < o._key()
    def __hash__(self): return hash(self._key())
    def __repr__(self): return f"Date({self.y}, {self.m}, {self.d})"
    def __format__(self, spec): return (spec or "%Y-%m-%d").replace("%Y", f"{self.y:04}").replace("%m", f"{self.m:02}").replace("%d", f"{self.d:02}").replace("%a", self.weekday)
    def add_months(self, n):
        y, m = divmod(self.y * 12 + self.m - 1 + n, 12)
        return Date(y, m + 1, min(self.d, self.month_days(y, m + 1)))
a = Date(2024, 2, 28)
print(a + 1, a + 2, a - 28, Date(2024, 12, 25) - a, f"{a} {a:%d.%m.%Y (%a)}", a.add_months(12), Date(2024, 1, 31).add_months(1), Date(2023, 12, 31).add_months(-10), [y for y in (1900, 2000, 2023, 2024) if Date.leap(y)])
print(sorted(map(Date.parse, ["2024-05-01", "2023-12-31", "2024-01-15"])), Date.parse("2000-01-01").weekday, all(Date.from_ordinal(n).ordinal == n for n in range(1, 800000, 9973)), {a: 1}[Date(2024, 2, 28)])
for bad in ("2024-13-01", "2023-02-29", "x", "1-2", "2024-00-10"):
    try: Date.parse(bad)
    except ValueError as e: print(e, "| cause:", repr(e.__cause__))
def calendar(y, m):
    first = (Date(y, m, 1).ordinal - 1) % 7
    cells = ["  "] * first + [f"{d:2}" for d in range(1, Date.month_days(y, m) + 1)]
    yield f"{y}-{m:02}".center(20).rstrip()
    yield "Mo Tu We Th Fr Sa Su"
    for i in range(0, len(cells), 7): yield " ".join(cells[i:i + 7])
print(*calendar(2024, 2), sep="\n")
def easter(y):
    a, b, c = y % 19, y // 100, y % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * l) // 433
    n = (h + l - 7 * m + 90) // 25
    return Date(y, n, (h + l - 7 * m + 33 * n + 19) % 32)
print([f"{easter(y)}" for y in (2023, 2024, 2025, 2000)])
