"""Sorts records in several ways, and some sorts written by hand."""
import random
from functools import cmp_to_key
from operator import itemgetter


def make_people(count):
    numbers = random.Random(4)
    return [{"name": f"{numbers.choice('ABCDEFG')}{numbers.randrange(1000)}", "age": numbers.randrange(18, 90),
             "city": numbers.choice(["Oslo", "Rome", "Lima", "Bonn"]), "score": numbers.random()} for _ in range(count)]


PEOPLE = make_people(3000)


def quick(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    return quick([x for x in items if x < pivot]) + [x for x in items if x == pivot] + quick([x for x in items if x > pivot])


def merge_sort(items):
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def bubble(items):
    items = items[:]
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def compare(a, b):
    if a["city"] != b["city"]:
        return -1 if a["city"] < b["city"] else 1
    return b["age"] - a["age"]


def main():
    by_age = sorted(PEOPLE, key=lambda p: (p["age"], p["name"]))
    by_city = sorted(PEOPLE, key=itemgetter("city", "score"))
    by_rule = sorted(PEOPLE, key=cmp_to_key(compare))
    groups = {}
    for person in by_city:
        groups.setdefault(person["city"], []).append(person)
    top = {city: max(people, key=lambda p: p["score"])["name"] for city, people in groups.items()}
    numbers = [int(p["score"] * 100000) for p in PEOPLE]
    return (by_age[0]["name"], by_rule[0]["name"], sorted(top.items()), quick(numbers) == merge_sort(numbers) == sorted(numbers),
            sum(bubble(numbers[:250])[::25]))
