from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
import zoneinfo
berlin = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York"); utc = ZoneInfo("UTC")
a = datetime(2024, 3, 31, 1, 30, tzinfo=berlin)
print(a, repr(a), a.utcoffset(), a.dst(), a.tzname(), a.astimezone(ny), a + timedelta(hours=1), (a + timedelta(hours=2)).utcoffset())
print(datetime(2024, 10, 27, 2, 30, tzinfo=berlin).utcoffset(), datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=berlin).utcoffset(), datetime(2024, 7, 1, 12, tzinfo=timezone.utc).astimezone(ny), datetime(2100, 7, 1, tzinfo=ny), datetime(1800, 1, 1, tzinfo=berlin).utcoffset(), datetime(1945, 6, 1, tzinfo=berlin).tzname())
print(berlin, repr(berlin), berlin.key, ZoneInfo("Europe/Berlin") is berlin, ZoneInfo.no_cache("Europe/Berlin") is berlin, datetime(2024, 1, 1, tzinfo=ny) - datetime(2024, 1, 1, tzinfo=berlin), utc.utcoffset(datetime(2024, 1, 1)), {"Europe/Berlin", "Asia/Tokyo"} <= available_timezones())
for key in ["Nope/Zone", "../etc/passwd", "/etc/passwd", "", "Europe"]:
    try:
        print(ZoneInfo(key))
    except (ZoneInfoNotFoundError, ValueError, OSError) as e:
        print(type(e).__name__ if not isinstance(e, OSError) else "OSError", str(e)[:60] if isinstance(e, ZoneInfoNotFoundError) else "")
print(datetime.fromtimestamp(0, ny), datetime.fromtimestamp(1700000000, berlin).isoformat(), [ZoneInfo(k).utcoffset(datetime(2024, 7, 1)) for k in ("Asia/Kolkata", "Australia/Sydney", "Asia/Tokyo", "America/Sao_Paulo")])
print(sorted([datetime(2024, 1, 1, 12, tzinfo=ny), datetime(2024, 1, 1, 12, tzinfo=berlin)])[0].tzinfo)
