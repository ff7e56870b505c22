"""Matrix code on lists: product, transpose, determinant, Gauss elimination, game of life."""


def multiply(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def plain_multiply(a, b):
    n, m, p = len(a), len(b), len(b[0])
    c = [[0.0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            total = 0.0
            for k in range(m):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return c


def solve(a, b):
    n = len(a)
    m = [row[:] + [value] for row, value in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            for c in range(i, n + 1):
                m[r][c] -= factor * m[i][c]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (m[i][n] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return x


def life(grid, steps):
    rows, columns = len(grid), len(grid[0])
    for _ in range(steps):
        new = [[0] * columns for _ in range(rows)]
        for r in range(rows):
            for c in range(columns):
                count = 0
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        if dr or dc:
                            count += grid[(r + dr) % rows][(c + dc) % columns]
                if count == 3 or (count == 2 and grid[r][c]):
                    new[r][c] = 1
        grid = new
    return grid


def main():
    n = 40
    a = [[float((i * j) % 7 + (i == j) * 10) for j in range(n)] for i in range(n)]
    b = [[float((i + 2 * j) % 5) for j in range(n)] for i in range(n)]
    product = multiply(a, b)
    again = plain_multiply(a, b)
    x = solve(a, [float(i) for i in range(n)])
    grid = [[(r * c + r) % 3 == 0 for c in range(30)] for r in range(30)]
    transposed = [list(row) for row in zip(*product)]
    return product == again, round(sum(map(sum, transposed)), 6), round(sum(x), 9), sum(map(sum, life(grid, 6)))
