from datetime import date, datetime, time, timedelta, timezone, tzinfo, MINYEAR, MAXYEAR
import datetime as dt
d = date(2024, 2, 29)
print(d, repr(d), d.isoformat(), d.weekday(), d.isoweekday(), d.isocalendar(), d.toordinal(), d.timetuple(), d.ctime(), d.strftime("%A %d %B %Y %j %U"), f"{d:%d/%m/%y}", d.replace(year=2023, day=1))
print(date.fromisoformat("2024-03-01") - d, d + timedelta(days=366), date.fromordinal(738000), date.fromisocalendar(2024, 9, 4), date.min, date.max, date.resolution)
n = datetime(2024, 12, 31, 23, 59, 58, 999999)
print(n, repr(n), n + timedelta(seconds=1.5), n.isoformat(" ", "milliseconds"), n.date(), n.time(), n.timestamp() > 0, n.replace(microsecond=0), n.strftime("%Y-%m-%dT%H:%M:%S.%f %p %I"))
print(datetime.strptime("2024-01-02 03:04:05 PM", "%Y-%m-%d %I:%M:%S %p"), datetime.strptime("Tue Mar 5 2024", "%a %b %d %Y"), datetime.strptime("+0230", "%z").tzinfo)
for bad in [("x", "%Y"), ("2024-13", "%Y-%m"), ("2024 extra", "%Y")]:
    try:
        datetime.strptime(*bad)
    except ValueError as e:
        print(e)
t = timedelta(days=1, hours=2, minutes=3, seconds=4, microseconds=5)
print(t, repr(t), t.total_seconds(), -t, abs(-t), t * 2, t / 2, t // timedelta(hours=1), t % timedelta(hours=1), divmod(t, timedelta(hours=5)), t / timedelta(minutes=1), t * 1.5, sum([t, t], timedelta()), bool(timedelta()), timedelta(weeks=1, milliseconds=-1))
print(sorted([timedelta(2), timedelta(1), timedelta(hours=30)]), timedelta.max, timedelta.min, hash(timedelta(1)) == hash(timedelta(hours=24)))
utc = timezone.utc; ist = timezone(timedelta(hours=5, minutes=30), "IST"); minus = timezone(-timedelta(hours=3))
a = datetime(2024, 6, 1, 12, tzinfo=utc)
print(a, a.astimezone(ist), a.astimezone(minus), repr(a.astimezone(ist)), a == a.astimezone(ist), a.utcoffset(), a.tzname(), ist, minus, repr(ist), a.astimezone(ist) - a, a.timetz(), dt.UTC is utc if hasattr(dt, "UTC") else True)
print(datetime.fromisoformat("2024-06-01T12:00:00+05:30"), datetime.fromisoformat("2024-06-01"), datetime.fromtimestamp(0, utc), datetime.fromtimestamp(1.5e9, ist), datetime.combine(d, time(1, 2, 3), utc), a.timestamp())
class Fixed(tzinfo):
    def __init__(self, h, name): self.h = h; self.name = name
    def utcoffset(self, dt): return timedelta(hours=self.h)
    def dst(self, dt): return timedelta(0) if dt is None or dt.month not in (6, 7) else timedelta(hours=1)
    def tzname(self, dt): return self.name
z = datetime(2024, 6, 1, tzinfo=Fixed(2, "XX"))
print(z, z.dst(), z.tzname(), z.strftime("%Z %z"), z.astimezone(utc), datetime(2024, 6, 1, tzinfo=utc).astimezone(Fixed(2, "YY")), z.utctimetuple()[:6])
class Broken(tzinfo):
    def utcoffset(self, dt): raise RuntimeError("no offset")
try:
    datetime(2024, 1, 1, tzinfo=Broken()).utcoffset()
except RuntimeError as e:
    print(e)
for call in [lambda: date(2023, 2, 29), lambda: time(25), lambda: d + 1, lambda: d < n.time(), lambda: a - n, lambda: datetime(1, 1, 1) - timedelta(days=1), lambda: timedelta(days=10**10), lambda: date.fromisoformat("x"), lambda: a < n, lambda: timezone(timedelta(hours=24)), lambda: datetime("a"), lambda: date(10000, 1, 1), lambda: n.replace(hour=99)]:
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
class MyDate(date):
    def __new__(cls, *args): return super().__new__(cls, *args)
    def hello(self): return f"hello {self}"
print(MyDate(2024, 1, 1).hello(), type(MyDate(2024, 1, 1) + timedelta(1)).__name__, MyDate.fromisoformat("2024-05-05").hello(), MyDate.today() is not None)
print(time(1, 2, 3, 4, utc), time.fromisoformat("04:05"), time(12).isoformat("minutes"), time.min < time.max, time(1).replace(minute=5), f"{time(1, 2):%H.%M}")
print(MINYEAR, MAXYEAR, type(datetime.now() - datetime.now()).__name__, datetime.now(utc).tzinfo, datetime.utcfromtimestamp(86400) if False else "")
days = [date(2024, 1, 1) + timedelta(days=i) for i in range(0, 60, 7)]
print([str(x) for x in days], max(days), {d.month for d in days}, (days[-1] - days[0]).days)
import copy
print(copy.copy(a) == a, copy.deepcopy(t) == t, n.__reduce__()[0] is datetime, d.__reduce_ex__(2)[0].__name__, vars(dt).keys() >= {"date"})
print(datetime.__doc__[:40], date.today.__doc__, dt.__name__, datetime.__module__)
