"""Texts split, changed and joined: strings of many sizes."""


def main():
    lines = [f"{n},name {n},{n * 7 % 1000}" for n in range(20_000)]
    text = "\n".join(lines)
    words = {}
    for line in text.split("\n"):
        for field in line.split(","):
            key = field.strip().upper()
            words[key] = words.get(key, 0) + 1
    report = ""
    for key in sorted(words)[:2000]:
        report += key + ": " + str(words[key]) + "\n"
    return len(words), len(report), len(text.replace("name", "a longer name"))
