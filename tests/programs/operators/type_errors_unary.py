for value in [1, 1.5, True, 2j, "s", b"b", [1], (1,), {1}, {}, None, len, int, ...]:
    for op in "-+~":
        try:
            print(op, type(value).__name__, eval(op + "v", {"v": value}))
        except TypeError as e:
            print(op, e)
    print("not", not value)
