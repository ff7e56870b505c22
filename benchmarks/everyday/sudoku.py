"""Solves a sudoku by backtracking with candidate sets."""

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def candidates(board, position):
    row, column = divmod(position, 9)
    used = set(board[row * 9:row * 9 + 9])
    used |= set(board[column::9])
    corner = row // 3 * 27 + column // 3 * 3
    for r in range(3):
        used |= set(board[corner + 9 * r:corner + 9 * r + 3])
    return [digit for digit in range(1, 10) if digit not in used]


def solve(board):
    best = None
    for position in range(81):
        if board[position] == 0:
            options = candidates(board, position)
            if not options:
                return False
            if best is None or len(options) < len(best[1]):
                best = (position, options)
    if best is None:
        return True
    position, options = best
    for digit in options:
        board[position] = digit
        if solve(board):
            return True
        board[position] = 0
    return False


def valid(board):
    for i in range(9):
        if set(board[i * 9:i * 9 + 9]) != set(range(1, 10)) or set(board[i::9]) != set(range(1, 10)):
            return False
    return True


def main():
    solved = []
    for turn in range(6):
        board = [int(c) for c in PUZZLE]
        board = [(d + turn - 1) % 9 + 1 if d else 0 for d in board]
        assert solve(board) and valid(board)
        solved.append("".join(map(str, board)))
    return solved
