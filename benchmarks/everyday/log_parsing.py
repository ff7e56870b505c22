"""Parses a web server log by a regular expression and sums it up."""
import random
import re
from collections import Counter, defaultdict

LINE = re.compile(r'(?P<ip>\d+\.\d+\.\d+\.\d+) - - \[(?P<day>[^:]+):(?P<time>[^ ]+) [^\]]+\] "(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" '
                  r'(?P<status>\d{3}) (?P<size>\d+|-)')


def make_log(count):
    numbers = random.Random(8)
    lines = []
    for _ in range(count):
        ip = ".".join(str(numbers.randrange(1, 30)) for _ in range(4))
        path = numbers.choice(["/", "/login", "/api/items/%d" % numbers.randrange(50), "/static/app.js"])
        status = numbers.choice([200, 200, 200, 301, 404, 500])
        size = numbers.choice(["-", str(numbers.randrange(100, 90000))])
        lines.append(f'{ip} - - [{numbers.randrange(1, 29):02d}/Mar/2024:{numbers.randrange(24):02d}:{numbers.randrange(60):02d}:00 +0000] '
                     f'"GET {path} HTTP/1.1" {status} {size}')
    lines[::97] = ["broken line"] * len(lines[::97])
    return "\n".join(lines)


LOG = make_log(4000)


def main():
    hits, statuses, sizes = Counter(), Counter(), defaultdict(int)
    hours, bad = defaultdict(int), 0
    for line in LOG.splitlines():
        match = LINE.match(line)
        if match is None:
            bad += 1
            continue
        entry = match.groupdict()
        path = re.sub(r"/\d+$", "/:id", entry["path"])
        hits[path] += 1
        statuses[entry["status"]] += 1
        if entry["size"] != "-":
            sizes[entry["ip"].split(".")[0]] += int(entry["size"])
        hours[int(entry["time"][:2])] += 1
    errors = [line for line in LOG.splitlines() if re.search(r'" 5\d\d ', line)]
    return hits.most_common(), sorted(statuses.items()), sum(sizes.values()), sorted(hours.items())[:4], bad, len(errors)
