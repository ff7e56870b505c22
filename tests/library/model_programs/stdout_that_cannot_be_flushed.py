import sys


class Stream:
    def write(self, text):
        pass

    def flush(self):
        raise ValueError("no flush")

    def __repr__(self):
        return "<stream>"


sys.stdout = Stream()
