import logging
import sys

log = logging.getLogger("a.b")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(name)s %(nope)s"))
log.addHandler(handler)


def report():
    log.error("x %s", 1)


class Bad:
    def __str__(self):
        raise ValueError("no text")

    __repr__ = __str__


report()
handler.setFormatter(logging.Formatter("%(message)s"))
log.error("%s", Bad())
log.error("%s %s", "one")
logging.warning("%d", "a")
log.error("fine")
