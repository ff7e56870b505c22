import locale
import operator
import pickle
import sys
import urllib.error

print(pickle.loads(pickle.dumps([operator.add, operator.itemgetter(1)])))
print(locale.getpreferredencoding(), locale.getpreferredencoding(False))
try:
    raise urllib.error.HTTPError("http://x", 404, "Not Found", {}, None)
except urllib.error.URLError as error:
    print(error, repr(error), error.code)
for count in (1 << 66, 1 << 63):
    try:
        print(1 << count)
    except (OverflowError, MemoryError) as error:
        print(type(error), error)
for limit in (2**40, 0):
    try:
        sys.setrecursionlimit(limit)
    except (OverflowError, ValueError) as error:
        print(error)
try:
    print >> sys.stderr, "x"
except TypeError as error:
    print(error)
print(0 << 2**100)


class Self:
    @property
    def x(self):
        return self.x


Self().x
