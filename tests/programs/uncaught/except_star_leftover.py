try:
    raise ExceptionGroup("g", [ValueError(1), OSError("kept")])
except* ValueError as g:
    print("handled", g.exceptions)
