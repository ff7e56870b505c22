"""An index of the words of a text: closures, sorting, comprehensions, string formatting. A guest program."""

TEXT = """\
The miller rose before the river did. He took the lantern and the ledger,
and the river took the rest. When the water came to the second step he
counted the sacks, and when it came to the third he counted them again.
No sack was missing. The river counts differently, said the miller, and
wrote the number down; a ledger is a lantern too.
"""
COMMON = frozenset("a and before did he is it no the them to too was when".split())


def words(text):
    """(line number, word) of each word, in lower case."""
    for number, line in enumerate(text.splitlines(), 1):
        word = ""
        for char in line + " ":
            if char.isalpha():
                word += char.lower()
            elif word:
                yield number, word
                word = ""


def counter():
    """A pair of functions that share a dictionary."""
    counts = {}

    def add(key):
        counts[key] = counts.get(key, 0) + 1

    def most(n):
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n]

    return add, most


def ranges(numbers):
    """"1-3, 5" for 1, 2, 3, 5."""
    out, start, last = [], None, None
    for number in [*numbers, None]:
        if last is not None and number == last + 1:
            last = number
            continue
        if start is not None:
            out.append(f"{start}-{last}" if start != last else str(start))
        start = last = number
    return ", ".join(out)


def main():
    index = {}
    add, most = counter()
    for line, word in words(TEXT):
        if word not in COMMON:
            index.setdefault(word, set()).add(line)
            add(word)
    longest = max(map(len, index))
    for letter in sorted({word[0] for word in index}):
        print(f"[{letter.upper()}]")
        for word in sorted(w for w in index if w.startswith(letter)):
            print(f"  {word:.<{longest + 3}} {ranges(sorted(index[word]))}")
    print("\nmost used:", ", ".join(f"{word} ({count})" for word, count in most(4)))
    lengths = {n: [*filter(lambda w: len(w) == n, sorted(index))] for n in range(9, longest + 1)}
    print("long words:", {n: group for n, group in lengths.items() if group})


main()
