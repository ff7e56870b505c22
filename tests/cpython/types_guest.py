"""Guest stand-in for `types`: the types of guest functions, generators and code; everything else is the host's."""
from _host_types import *


def _function():
    pass


def _generator():
    yield


class _Class:
    def method(self):
        pass


FunctionType = LambdaType = type(_function)
CodeType = type(_function.__code__)
GeneratorType = type(_generator())
CellType = type((lambda x: lambda: x)(1).__closure__[0])
MethodType = type(_Class().method)
try:
    raise TypeError
except TypeError as _error:
    TracebackType = type(_error.__traceback__)
    import sys

    FrameType = type(_error.__traceback__.tb_frame) if hasattr(_error.__traceback__, "tb_frame") else type(sys._getframe())
