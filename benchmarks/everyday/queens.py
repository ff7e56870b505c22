"""N queens in three ways, and a knight's tour."""


def queens(n):
    solutions = []

    def place(row, columns, left, right, path):
        if row == n:
            solutions.append(tuple(path))
            return
        for column in range(n):
            if column in columns or row - column in left or row + column in right:
                continue
            place(row + 1, columns | {column}, left | {row - column}, right | {row + column}, path + [column])

    place(0, frozenset(), frozenset(), frozenset(), [])
    return solutions


def count_bits(n, row=0, columns=0, left=0, right=0):
    if row == n:
        return 1
    total = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        total += count_bits(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


def generate(n, board=()):
    if len(board) == n:
        yield board
        return
    row = len(board)
    for column in range(n):
        if all(column != c and abs(column - c) != row - r for r, c in enumerate(board)):
            yield from generate(n, board + (column,))


def knight(n):
    moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    board = [[0] * n for _ in range(n)]

    def free(r, c):
        return [(r + a, c + b) for a, b in moves if 0 <= r + a < n and 0 <= c + b < n and not board[r + a][c + b]]

    r = c = 0
    for step in range(1, n * n + 1):
        board[r][c] = step
        options = free(r, c)
        if not options:
            break
        r, c = min(options, key=lambda place: len(free(*place)))
    return step


def main():
    return len(queens(7)), count_bits(8), sum(1 for _ in generate(6)), knight(12)
