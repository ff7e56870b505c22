import difflib, fnmatch, shlex, textwrap, html, unicodedata, string, calendar, stringprep, codecs
from html.parser import HTMLParser
a = "one two three four".split(); b = "one tree four five".split()
print("\n".join(difflib.unified_diff(a, b, "a", "b", lineterm="")), list(difflib.ndiff(a, b)), difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes())
print("\n".join(difflib.context_diff(a, b, lineterm="")), len(difflib.HtmlDiff().make_table(a, b)), list(difflib.restore(difflib.ndiff(a, b), 1)))
print(fnmatch.fnmatch("a.py", "*.py"), fnmatch.filter(["a.py", "b.txt", "ab.py"], "a*.py"), fnmatch.translate("*.[ch]?"), fnmatch.fnmatchcase("A", "a"))
print(shlex.split("a 'b c' \"d \\\" e\" f\\ g # h", comments=True), shlex.quote("it's"), shlex.join(["a", "b c"]), list(shlex.shlex("a=1;b", punctuation_chars=True)))
try:
    shlex.split("'a")
except ValueError as e:
    print(e)
print(textwrap.fill("The quick brown fox jumps over the lazy dog", 20), textwrap.dedent("   a\n    b\n"), textwrap.indent("a\nb", "> "), textwrap.shorten("hello big world", 12), textwrap.wrap("aaaaaaaaaaaa bb", 5))
print(html.escape("<a href='x'>&\"</a>"), html.unescape("&lt;&amp;&eacute;&#233;&#xe9;&notit;&bogus;"), html.entities.name2codepoint["copy"])
class P(HTMLParser):
    def __init__(self): super().__init__(); self.log = []
    def handle_starttag(self, t, a): self.log.append(("<", t, a))
    def handle_endtag(self, t): self.log.append((">", t))
    def handle_data(self, d): self.log.append(("d", d))
    def handle_comment(self, d): self.log.append(("c", d))
    def handle_decl(self, d): self.log.append(("decl", d))
p = P(); p.feed("<!doctype html><p class=x id='y'>hi &amp; <b>bo</b><br/><!-- c --></p>"); p.close(); print(p.log, p.getpos())
print(unicodedata.name("é"), unicodedata.lookup("SNOWMAN"), unicodedata.category("A"), unicodedata.normalize("NFD", "é").encode(), unicodedata.numeric("½"), unicodedata.decomposition("é"), unicodedata.bidirectional("a"), unicodedata.east_asian_width("世"), unicodedata.name("\0", "none"), unicodedata.is_normalized("NFC", "é"), unicodedata.combining("\u0301"), unicodedata.mirrored("("), unicodedata.digit("5"))
try:
    unicodedata.lookup("NOPE")
except KeyError as e:
    print(e)
print(string.Template("$a and ${b} $$").substitute(a=1, b=2), string.capwords("hello big world"), string.ascii_letters[:5], string.Formatter().format("{0!r:>5} {x}", "a", x=2), string.punctuation)
print(calendar.month(2024, 2), calendar.isleap(2024), calendar.monthrange(2024, 2), calendar.timegm((2024, 1, 1, 0, 0, 0)), calendar.weekday(2024, 2, 29), calendar.leapdays(2000, 2024), calendar.day_name[0], list(calendar.month_abbr)[:3], calendar.monthcalendar(2024, 2)[0])
print(calendar.TextCalendar(6).formatmonth(2023, 5), len(calendar.HTMLCalendar().formatmonth(2024, 1)), list(calendar.Calendar().itermonthdays2(2024, 2))[:3], calendar.calendar(2024, m=4)[:200])
try:
    calendar.monthrange(2024, 13)
except calendar.IllegalMonthError as e:
    print(e)
print(codecs.encode("héllo", "rot13"), codecs.decode(b"68656c6c6f", "hex"), codecs.lookup("UTF8").name, codecs.lookup("latin-1").encode("é"), codecs.getencoder("utf-16-le")("a"), codecs.BOM_UTF8, codecs.encode("a", "punycode"), "bücher".encode("idna"), codecs.escape_decode(b"\\n"))
d = codecs.getincrementaldecoder("utf-8")("replace"); print(repr(d.decode(b"\xc3")), repr(d.decode(b"\xa9\xff")), repr(d.decode(b"", True)))
e = codecs.getincrementalencoder("utf-16")(); print(e.encode("a"), e.encode("b"))
import io
print(codecs.getreader("utf-8")(io.BytesIO("é\nx".encode())).readlines(), list(codecs.iterdecode([b"\xc3", b"\xa9"], "utf-8")), list(codecs.iterencode(["é"], "utf-8")))
w = codecs.getwriter("latin-1")(io.BytesIO()); w.write("é"); print(w.stream.getvalue())
for f in [lambda: codecs.lookup("nope"), lambda: "é".encode("ascii"), lambda: b"\xff".decode("utf-8"), lambda: codecs.decode(b"zz", "hex"), lambda: "x".encode("nope"), lambda: codecs.charmap_encode("é", "strict", {})]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:80])
print(codecs.lookup_error("strict").__name__ != "", codecs.lookup_error("replace")(UnicodeEncodeError("ascii", "é", 0, 1, "x")), codecs.ignore_errors(UnicodeDecodeError("a", b"\xff", 0, 1, "x")), codecs.lookup_error("backslashreplace")(UnicodeDecodeError("ascii", b"\xff", 0, 1, "x")))
print("日本".encode("shift_jis"), b"\xc4\xe3".decode("gbk"), "é".encode("cp1252"), codecs.lookup("gb18030").decode(b"\x81\x30\x81\x30"), codecs.lookup("cp437").encode("é"))
