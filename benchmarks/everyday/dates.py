"""Works with dates: business days, ages, groups by week and month."""
from collections import defaultdict
from datetime import date, datetime, timedelta


def business_days(start, end, holidays):
    day, count = start, 0
    while day <= end:
        if day.weekday() < 5 and day not in holidays:
            count += 1
        day += timedelta(days=1)
    return count


def age(born, today):
    years = today.year - born.year
    if (today.month, today.day) < (born.month, born.day):
        years -= 1
    return years


def main():
    holidays = {date(year, month, day) for year in range(2000, 2012) for month, day in ((1, 1), (5, 1), (12, 25))}
    total = business_days(date(2000, 1, 1), date(2011, 12, 31), holidays)
    weeks = defaultdict(list)
    start = datetime(2020, 1, 1, 8, 30)
    for i in range(4000):
        moment = start + timedelta(hours=7 * i, minutes=13 * i % 60)
        weeks[moment.isocalendar()[:2]].append(moment)
    longest = max(weeks.items(), key=lambda item: len(item[1]))
    gaps = []
    for moments in weeks.values():
        for a, b in zip(moments, moments[1:]):
            gaps.append((b - a).total_seconds())
    texts = [moment.strftime("%Y-%m-%d %H:%M") for moments in weeks.values() for moment in moments]
    parsed = [datetime.fromisoformat(text) for text in texts]
    ages = [age(date(1950 + i % 60, 1 + i % 12, 1 + i % 28), date(2024, 6, 15)) for i in range(5000)]
    return total, longest[0], len(longest[1]), sum(gaps), max(parsed).isoformat(), sum(ages)
