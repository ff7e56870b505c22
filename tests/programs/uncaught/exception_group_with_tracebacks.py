def make(error):
    try:
        raise error
    except Exception as caught:
        return caught

errors = [make(ValueError("first")), make(TypeError("second"))]
raise ExceptionGroup("collected", errors)
