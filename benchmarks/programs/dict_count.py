"""Counting 500,000 items in a dict."""


def main():
    counts = {}
    for i in range(500000):
        key = i * 7919 % 1009
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    most = max(counts.values())
    return len(counts), most, counts[0]
