def queens(n):
    sols = []
    def place(row, cols, d1, d2, acc):
        if row == n: sols.append(tuple(acc)); return
        for c in range(n):
            if c in cols or row + c in d1 or row - c in d2: continue
            place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c}, acc + [c])
    place(0, frozenset(), frozenset(), frozenset(), [])
    return sols
print([len(queens(n)) for n in range(1, 8)], queens(6)[0])
for c in queens(5)[0]: print("." * c + "Q" + "." * (4 - c))
GRID = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
def sudoku(s):
    cells = [int(c) for c in s]
    peers = {i: {j for j in range(81) if j != i and (i // 9 == j // 9 or i % 9 == j % 9 or (i // 27 == j // 27 and i % 9 // 3 == j % 9 // 3))} for i in range(81)}
    guesses = 0
    def solve():
        nonlocal guesses
        best = None
        for i in range(81):
            if not cells[i]:
                opts = {1, 2, 3, 4, 5, 6, 7, 8, 9} - {cells[j] for j in peers[i]}
                if best is None or len(opts) < len(best[1]):
                    best = (i, opts)
                    if len(opts) <= 1: break
        if best is None: return True
        i, opts = best
        for v in sorted(opts):
            cells[i] = v
            guesses += 1
            if solve(): return True
        cells[i] = 0
        return False
    return cells if solve() else None, guesses
sol, g = sudoku(GRID)
for r in range(0, 81, 9): print(*sol[r:r + 9], sep="")
print(g, sudoku("123456780000000009" + "0" * 63)[0])
def subset_sum(nums, target):
    for i, n in enumerate(nums):
        if n == target: yield [n]
        elif n < target:
            for rest in subset_sum(nums[i + 1:], target - n): yield [n] + rest
print(list(subset_sum([3, 34, 4, 12, 5, 2], 9)))
def parens(n):
    def go(s, o, c):
        if len(s) == 2 * n: yield s
        if o < n: yield from go(s + "(", o + 1, c)
        if c < o: yield from go(s + ")", o, c + 1)
    return list(go("", 0, 0))
print(parens(3), len(parens(6)))
def maze(m):
    start = next((r, c) for r, row in enumerate(m) for c, ch in enumerate(row) if ch == "S")
    stack, seen = [(start, "")], set()
    while stack:
        (r, c), path = stack.pop(0)
        if not (0 <= r < len(m) and 0 <= c < len(m[0])) or m[r][c] == "#" or (r, c) in seen: continue
        if m[r][c] == "E": return path
        seen.add((r, c))
        stack += [((r + dr, c + dc), path + d) for d, dr, dc in (("U", -1, 0), ("D", 1, 0), ("L", 0, -1), ("R", 0, 1))]
print(maze(["S.#.", "..#E", "#..."]), maze(["S#E"]))
def knights(n):
    board = {(0, 0): 1}
    def moves(r, c): return [(r + a, c + b) for a, b in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)) if 0 <= r + a < n and 0 <= c + b < n and (r + a, c + b) not in board]
    pos = (0, 0)
    for k in range(2, n * n + 1):
        opts = moves(*pos)
        if not opts: return k - 1
        pos = min(opts, key=lambda p: (len(moves(*p)), p))
        board[pos] = k
    return len(board)
print(knights(5), knights(6))
