import inspect


def fails():
    [1 / 0 for i in [1]]


try:
    fails()
except Exception as error:
    print([(each.function, each.lineno, each.code_context) for each in inspect.trace()])
    print([(each.function, each.lineno) for each in inspect.getinnerframes(error.__traceback__)])
