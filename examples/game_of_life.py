"""Conway's game of life on an unbounded grid, with sets and generators. A guest program."""

GLIDER_GUN = """
........................O...........
......................O.O...........
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO..............
OO........O...O.OO....O.O...........
..........O.....O.......O...........
...........O...O....................
............OO......................
"""


def read(picture):
    lines = picture.strip().splitlines()
    return {(x, y) for y, line in enumerate(lines) for x, char in enumerate(line) if char == "O"}


def neighbours(cell):
    x, y = cell
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx or dy:
                yield x + dx, y + dy


def step(alive):
    counts = {}
    for cell in alive:
        for near in neighbours(cell):
            counts[near] = counts.get(near, 0) + 1
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)}


def generations(alive):
    while alive:
        yield alive
        alive = step(alive)


def draw(alive, width=48, height=20):
    for y in range(height):
        print("".join("O" if (x, y) in alive else "." for x in range(width)))


def main():
    for number, alive in enumerate(generations(read(GLIDER_GUN))):
        if number % 30 == 0:
            print(f"generation {number}: {len(alive)} cells")
        if number == 90:
            draw(alive)
            break


main()
