print(); print(""); print("a", "b", 1, None, [1, "s"], (), {}, sep="|"); print("x", end=""); print("y", end="!\n"); print(1, 2, 3, sep=""); print(*[1, 2], sep="\n"); print("é", "日本", "\t|")
print("a", sep=None, end=None); print(1.0, 1e100, 1j, True, ..., NotImplemented); print({"a": [1, (2,)]}, {1}, frozenset(), range(3), b"b", bytearray(b"c"))
class P:
    def __str__(self): return "str of P"
    def __repr__(self): return "repr of P"
print(P(), [P()], {P(): P()}, (P(),), f"{P()}")
class W:
    def __init__(self): self.parts = []
    def write(self, s): self.parts.append(s); return len(s)
w = W()
print("to", "writer", 5, file=w, sep="-", end=".\n")
print(w.parts)
class NoWrite: pass
class BadStr:
    def __str__(self): raise ValueError("no str")
for f in (lambda: print("x", file=NoWrite()), lambda: print(BadStr()), lambda: print("a", sep=1), lambda: print("a", end=b""), lambda: print(file=5), lambda: print("q", flush=True, file=w)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
import sys
sys.stdout.write("direct write\n")
print("to stderr", file=sys.stderr)
sys.stderr.write("err direct\n")
print("stdout via file", file=sys.stdout)
print("none file", file=None)
p = print
p("aliased", *"abc", **{"sep": ","})
def shout(*a, **k): print(*(str(x).upper() for x in a), **k)
shout("loud", 1, end="?\n")
print("multi\nline\n", "end", sep="")
print("x" * 50, "\x41", "\\", '"', "'", sep=" ")
n = print("returns")
print(n)
