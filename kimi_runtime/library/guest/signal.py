"""Signals belong to the host. `unittest` asks for the handler of SIGINT and may set one; nothing is delivered."""

SIG_DFL, SIG_IGN, SIGINT = 0, 1, 2
_handlers = {}


def default_int_handler(number, frame):
    raise KeyboardInterrupt


def getsignal(number):
    return default_int_handler


def signal(number, handler):
    return default_int_handler
