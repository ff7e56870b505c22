"""Building 200,000 strings with f-strings and joining them."""


def main():
    parts = []
    for i in range(200000):
        parts.append(f"item-{i}:{i * 3}/{'even' if i % 2 == 0 else 'odd'}")
    text = ",".join(parts)
    return len(text), text[:24], text[-24:]
