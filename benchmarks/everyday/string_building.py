"""Builds strings: tables, Caesar cipher, run lengths, Roman numerals, palindromes, wrapping."""

ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"),
         (5, "V"), (4, "IV"), (1, "I")]


def caesar(text, shift):
    result = ""
    for char in text:
        if char.isalpha():
            base = ord("A") if char.isupper() else ord("a")
            result += chr((ord(char) - base + shift) % 26 + base)
        else:
            result += char
    return result


def run_lengths(text):
    out, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(f"{text[i]}{j - i}")
        i = j
    return "".join(out)


def roman(number):
    out = ""
    for value, symbol in ROMAN:
        while number >= value:
            out += symbol
            number -= value
    return out


def wrap(words, width):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 1 > width and line:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def table(rows):
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    lines = ["+" + "+".join("-" * (w + 2) for w in widths) + "+"]
    for row in rows:
        lines.append("|" + "|".join(f" {str(cell).ljust(w)} " for cell, w in zip(row, widths)) + "|")
    return "\n".join(lines + lines[:1])


def main():
    text = "The Quick Brown Fox, 42 times! " * 60
    coded = caesar(text, 3)
    back = caesar(coded, -3)
    runs = run_lengths("aaabbbccccd" * 400)
    numerals = [roman(n) for n in range(1, 2000)]
    palindromes = [n for n in range(20000) if str(n) == str(n)[::-1]]
    lines = wrap(text.split() * 4, 60)
    rows = [(i, roman(i + 1), f"{i / 7:.3f}", "x" * (i % 9)) for i in range(400)]
    return back == text, len(runs), sum(map(len, numerals)), len(palindromes), len(lines), hash_of(table(rows))


def hash_of(text):
    value = 0
    for char in text:
        value = (value * 31 + ord(char)) % 1000003
    return value
