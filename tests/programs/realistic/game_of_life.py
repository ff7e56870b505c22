def step(cells):
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy: counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
    return {p for p, n in counts.items() if n == 3 or n == 2 and p in cells}
def show(cells, w, h): return "\n".join("".join("#" if (x, y) in cells else "." for x in range(w)) for y in range(h))
glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for gen in range(5):
    print(f"gen {gen}: {len(glider)} cells", sorted(glider)[0])
    print(show(glider, 6, 5))
    glider = step(glider)
blinker = {(1, 0), (1, 1), (1, 2)}
print(step(step(blinker)) == blinker, sorted(step(blinker)))
r = {(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)}
for _ in range(60): r = step(r)
print(len(r), min(r), max(r))
def rule(n, width=31, rows=8):
    row = [0] * width
    row[width // 2] = 1
    for _ in range(rows):
        yield "".join(" #"[c] for c in row).rstrip()
        row = [n >> (row[i - 1] << 2 | row[i] << 1 | row[(i + 1) % width]) & 1 for i in range(width)]
print(*rule(90), sep="\n"); print(*rule(30, 15, 4), sep="|\n")
