raise ExceptionGroup("several", [ValueError("one"), ExceptionGroup("inner", [TypeError("two"), KeyError("three")])])
