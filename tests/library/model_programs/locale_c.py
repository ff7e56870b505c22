"""What programs ask of ``locale`` where only the "C" locale is there."""
import locale

for name in ("xx_YY", "xx_YY.UTF-8", ("xx_YY", "UTF-8")):
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error as error:
        print(type(error).__module__, type(error).__qualname__, error.args, isinstance(error, ValueError))
print(locale.setlocale(locale.LC_ALL, "C"), locale.setlocale(locale.LC_NUMERIC), locale.setlocale(locale.LC_TIME, "POSIX"))
for arguments in ((99, "C"), (99,), (-1,), ("x",), (locale.LC_ALL, 5)):
    try:
        print(locale.setlocale(*arguments))
    except (locale.Error, TypeError) as error:
        print(type(error).__name__, error)
print(list(locale.localeconv().items()))
print(locale.format_string("%d %.2f", (1234567, 2.5), grouping=True), locale.atof("1.5"), locale.atoi("12"))
print(locale.delocalize("1.5"), locale.str(0.1), f"{1234567:n}")
