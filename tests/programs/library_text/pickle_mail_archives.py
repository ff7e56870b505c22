import pickle, datetime, decimal, re, collections, enum, uuid, fractions
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
class Color(enum.Enum): RED = 1
def f(): pass
N = collections.namedtuple("N", "a b")
import sys, types
me = sys.modules["pickled_things"] = types.ModuleType("pickled_things")
for thing in (P, Color, f, N):
    thing.__module__ = "pickled_things"; setattr(me, thing.__name__, thing)
data = [1, 2.5, "x", b"y", None, {1: {2}}, (3, [4]), P(5), Color.RED, f, datetime.datetime(2024,1,1), decimal.Decimal("1.5"), N(1,2), collections.OrderedDict(a=1), collections.Counter("aab"), fractions.Fraction(1,2), uuid.UUID(int=5), range(3), 2**100, 1j, bytearray(b"z"), frozenset([1]), datetime.timedelta(1), len, int, collections.deque([1]), collections.defaultdict(list, {1:[2]})]
for p in range(pickle.HIGHEST_PROTOCOL+1):
    d = pickle.loads(pickle.dumps(data, p)); print(p, d == data, d[7].x)
print(pickle.loads(pickle.dumps(re.compile("a+", re.I))))
import email, email.message, email.policy
from email.mime.text import MIMEText
from email.mime.multipart import MIMEMultipart
m = email.message.EmailMessage(); m["Subject"] = "Héllo"; m["To"] = "a@b.c"; m.set_content("body é\n"); m.add_attachment(b"data", maintype="application", subtype="octet-stream", filename="x.bin")
s = m.as_string(); print(m["Subject"], m.get_content_type(), [p.get_content_type() for p in m.iter_parts()])
q = email.message_from_string(s, policy=email.policy.default); print(q["subject"], q.get_body().get_content())
mm = MIMEMultipart(); mm.attach(MIMEText("hi")); print(mm.is_multipart(), mm.get_payload()[0].get_payload())
import email.utils; print(email.utils.parseaddr("A B <a@b>"), email.utils.formatdate(0))
import mimetypes; print(mimetypes.guess_type("a.png"), mimetypes.guess_extension("text/html"))
import zipfile, io
b = io.BytesIO()
with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z: z.writestr("a.txt", "hello"*100)
with zipfile.ZipFile(b) as z: print(z.namelist(), z.read("a.txt")[:10], z.testzip())
import plistlib; print(plistlib.loads(plistlib.dumps({"a": [1, "x", b"y", True]})))
from xml.dom import minidom
d = minidom.parseString("<a><b x='1'>t</b></a>"); print(d.documentElement.tagName, d.getElementsByTagName("b")[0].getAttribute("x"), d.toxml(), d.toprettyxml(indent=" "))
from http.cookies import SimpleCookie
c = SimpleCookie(); c.load("a=1; b=2"); print(sorted((k, v.value) for k, v in c.items()))
