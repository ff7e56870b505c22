matrix = [[1, 2], [3, 4]]
value = matrix[0][1] + matrix[1][0] * matrix[2][0]
