import csv, io
text = 'name,age,note\n"Smith, J",42,"said ""hi"""\nBob,7,\n\n"multi\nline",1,x\n'
rows = list(csv.reader(io.StringIO(text))); print(rows)
for row in csv.DictReader(io.StringIO(text), restkey="rest", restval="-"): print(row)
print(list(csv.DictReader(["a,b", "1", "1,2,3"])))
out = io.StringIO(newline=""); w = csv.writer(out); w.writerow(["a", 1, None, 2.5, 'q"q', "x,y", "l\nl"]); w.writerows([[1, 2], ("x", True)]); print(repr(out.getvalue()))
out = io.StringIO(); w = csv.DictWriter(out, ["x", "y"], extrasaction="ignore", lineterminator="\n"); w.writeheader(); w.writerow({"x": 1, "y": 2, "z": 3}); w.writerows([{"x": 5}]); print(out.getvalue())
try:
    csv.DictWriter(out, ["x"]).writerow({"y": 1})
except ValueError as e:
    print(e)
csv.register_dialect("pipes", delimiter="|", quoting=csv.QUOTE_NONE, escapechar="\\")
print(sorted(csv.list_dialects()), list(csv.reader(["a|b\\|c"], "pipes")), csv.get_dialect("pipes").delimiter)
csv.unregister_dialect("pipes"); print(sorted(csv.list_dialects()))
for f in [lambda: csv.get_dialect("nope"), lambda: list(csv.reader(['"a'], strict=True)), lambda: csv.reader([], delimiter="ab"), lambda: list(csv.reader([b"a"])), lambda: csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow(["a,b"]), lambda: csv.field_size_limit("x"), lambda: list(csv.reader(["a\0b", 'x"y"z,"a"b'], strict=True))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, type(e).__module__, e)
class D(csv.Dialect):
    delimiter = ";"; quotechar = "'"; lineterminator = "\r\n"; quoting = csv.QUOTE_NONNUMERIC; doublequote = True; skipinitialspace = True
print(list(csv.reader(["'a'; 1.5;2"], D())), list(csv.reader(["'a'; 1.5;2"], dialect=D)))
print(csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter, csv.Sniffer().has_header("name,age\nx,1\ny,2\n"), csv.field_size_limit())
r = csv.reader(["a,b", "c,d"]); next(r); print(r.line_num, r.dialect.delimiter, csv.excel_tab.delimiter, csv.unix_dialect.quoting)
out = io.StringIO(); csv.writer(out, csv.excel_tab).writerow([1, "a\tb"]); print(repr(out.getvalue()))
class W:
    def __init__(self): self.got = []
    def write(self, s): self.got.append(s); return len(s)
w = W(); print(csv.writer(w).writerow("ab"), w.got)
def gen():
    yield "1,2"
    raise ValueError("in the source")
try:
    list(csv.reader(gen()))
except ValueError as e:
    print(e)
# io
s = io.StringIO("a\nb\nc"); print(s.readline(), s.read(), s.seek(0), s.readlines(), s.tell(), s.closed, s.truncate(2), s.getvalue())
with io.BytesIO() as b:
    b.write(b"hello"); b.seek(1); print(b.read(2), b.getbuffer()[0], b.getvalue(), b.readable(), b.seekable())
try:
    b.read()
except ValueError as e:
    print(e)
t = io.TextIOWrapper(io.BytesIO("é1\r\nx".encode()), encoding="utf-8"); print(t.readlines(), t.encoding, t.errors, t.newlines)
br = io.BufferedReader(io.BytesIO(b"abcdef"), 2); print(br.peek(1)[:1], br.read(3), br.read1(10))
bw = io.BytesIO(); w = io.BufferedWriter(bw); w.write(b"zz"); w.flush(); print(bw.getvalue())
print(isinstance(s, io.TextIOBase), isinstance(bw, io.BufferedIOBase), isinstance(bw, io.IOBase), issubclass(io.StringIO, io.IOBase), isinstance(t, io.TextIOBase), io.DEFAULT_BUFFER_SIZE, io.SEEK_END)
class Raw(io.RawIOBase):
    def __init__(self, d): self.d = d
    def readable(self): return True
    def readinto(self, buf):
        n = min(len(buf), len(self.d)); buf[:n] = self.d[:n]; self.d = self.d[n:]; return n
print(io.BufferedReader(Raw(b"raw data")).read(), Raw(b"xyz").readall(), io.TextIOWrapper(io.BufferedReader(Raw(b"l1\nl2"))).readlines())
class Upper(io.StringIO):
    def write(self, s): return super().write(s.upper())
u = Upper(); print("abc", 1, file=u, end="!"); print(u.getvalue())
for f in [lambda: io.StringIO().fileno(), lambda: io.StringIO(5), lambda: io.BytesIO("a"), lambda: io.RawIOBase().read(), lambda: io.StringIO("a").seek(-1), lambda: io.IOBase().seek(1), lambda: io.TextIOWrapper(io.BytesIO(), encoding="nope")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
try:
    raise io.UnsupportedOperation("x")
except (OSError, ValueError) as e:
    print(type(e).__name__, isinstance(e, OSError), isinstance(e, ValueError))
