"""Guest stand-in for `inspect`: states of guest generators, and the host's other functions."""
from _host_inspect import *
from types import GeneratorType, FunctionType

GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED, GEN_CLOSED = "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED"


def getgeneratorstate(generator):
    if generator.gi_running:
        return GEN_RUNNING
    if generator.gi_suspended:
        return GEN_SUSPENDED
    return GEN_CLOSED if generator.gi_frame is None else GEN_CREATED


def isgenerator(obj):
    return isinstance(obj, GeneratorType)


def isfunction(obj):
    return isinstance(obj, FunctionType)


def isgeneratorfunction(obj):
    return isinstance(obj, FunctionType) and bool(obj.__code__.co_flags & 0x20)
