TEXT = """It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief -- it was the epoch of incredulity!"""
def words(text):
    word = []
    for ch in text.lower() + " ":
        if ch.isalpha() or ch == "'":
            word.append(ch)
        elif word:
            yield "".join(word)
            word.clear()
freq = {}
for w in words(TEXT):
    freq[w] = freq.get(w, 0) + 1
top = sorted(freq.items(), key=lambda p: (-p[1], p[0]))[:5]
width = max(len(w) for w, _ in top)
for w, n in top:
    print(f"{w:>{width}} {'#' * n} {n} ({n / sum(freq.values()):.1%})")
bigrams = {}
prev = None
for w in words(TEXT):
    if prev is not None: bigrams[prev, w] = bigrams.get((prev, w), 0) + 1
    prev = w
print(max(bigrams.items(), key=lambda kv: kv[1]), len(bigrams))
by_len = {}
for w in freq: by_len.setdefault(len(w), set()).add(w)
print({k: sorted(v) for k, v in sorted(by_len.items())})
def wrap(text, width):
    line, out = "", []
    for w in text.split():
        if line and len(line) + 1 + len(w) > width:
            out.append(line); line = w
        else: line = f"{line} {w}" if line else w
    return out + ([line] if line else [])
for l in wrap(TEXT, 40): print(f"|{l:<40}|")
for l in wrap(TEXT, 40)[:2]:
    gaps = l.count(" ")
    extra = 40 - len(l)
    parts = l.split(" ")
    print("|" + "".join(p + " " * (1 + extra // gaps + (i < extra % gaps)) if i < gaps else p for i, p in enumerate(parts)) + "|")
print(" ".join(w[::-1] for w in TEXT.split()[:6]), TEXT.title()[:30], sum(c in "aeiou" for c in TEXT.lower()))
markov = {}
ws = list(words(TEXT))
for a, b in zip(ws, ws[1:]): markov.setdefault(a, []).append(b)
seed, w, out = 7, "it", []
for _ in range(12):
    out.append(w)
    seed = (seed * 1103515245 + 12345) % 2**31
    nxt = markov.get(w)
    if not nxt: break
    w = nxt[seed % len(nxt)]
print(" ".join(out))
