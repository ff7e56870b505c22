"""Counts words, letters and sentence lengths of a text."""
import random
import re
import string
from collections import Counter

WORDS = ("the quick brown fox jumps over a lazy dog while seven wizards quietly mix boxes of liquor and other things "
         "that nobody has ever asked for in all the years of the old kingdom").split()


def make_text(words):
    numbers = random.Random(11)
    parts = []
    for _ in range(words):
        word = numbers.choice(WORDS)
        if not parts or parts[-1].endswith("."):
            word = word.capitalize()
        chance = numbers.random()
        parts.append(word + ("." if chance < 0.08 else "," if chance < 0.15 else ""))
    return " ".join(parts)


TEXT = make_text(20000)


def main():
    words = [w.strip(string.punctuation).lower() for w in TEXT.split()]
    counts = Counter(words)
    lengths = {}
    for word in words:
        lengths[len(word)] = lengths.get(len(word), 0) + 1
    sentences = [s.strip() for s in re.split(r"[.!?]+", TEXT) if s.strip()]
    average = sum(len(s.split()) for s in sentences) / len(sentences)
    letters = Counter(c for c in TEXT.lower() if c.isalpha())
    vowels = sum(1 for c in TEXT if c in "aeiouAEIOU")
    pairs = Counter(zip(words, words[1:]))
    return counts.most_common(10), sorted(lengths.items()), round(average, 3), letters.most_common(5), vowels, pairs.most_common(5)
