import io
import sys


class Collected:
    def __init__(self, name):
        self.name, self.texts = name, []

    def write(self, text):
        self.texts.append(text)

    def flush(self):
        sys.__stdout__.write(f"{self.name}: {''.join(self.texts)!r}\n")
        self.texts.clear()


print(type(sys.stdout), sys.stdin, sys.stdout.buffer.writable(), isinstance(sys.stdout, io.TextIOWrapper),
      isinstance(sys.stdin, io.IOBase))
wrapped = sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
print("wrapped é")
sys.stdout.flush()
sys.stdout, sys.stderr = Collected("out"), Collected("err")
print("out")
print("err", file=sys.stderr)
1 / 0
