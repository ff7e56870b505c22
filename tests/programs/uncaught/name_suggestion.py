value_count = 3
print(value_cuont)
