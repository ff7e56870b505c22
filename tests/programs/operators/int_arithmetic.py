values = [0, 1, -1, 7, -7, 2**31, -2**31, 2**62, 2**63 - 1, -2**63, 2**63, 10**25, -10**25]
for a in values:
    for b in values:
        row = [a + b, a - b, a * b]
        try:
            row += [a // b, a % b, divmod(a, b)]
        except ZeroDivisionError as e:
            row.append(str(e))
        print(a, b, row)
