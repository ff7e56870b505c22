import logging
import sys
import traceback

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")


def handle(exc_type, exc, tb):
    logging.error("uncaught", exc_info=(exc_type, exc, tb))
    print("".join(traceback.format_exception(exc_type, exc, tb)))
    print(traceback.extract_tb(tb)[-1].lineno, sys.last_type, sys.last_value, sys.last_traceback is tb)
    sys.__excepthook__(exc_type, exc, tb)


def inner():
    return {}["k"]


def outer():
    try:
        inner()
    except KeyError as error:
        raise RuntimeError("outer") from error


sys.excepthook = handle
outer()
