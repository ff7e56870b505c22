"""Sessions and suspended programs as bytes."""
import os
import subprocess
import sys
import textwrap

import pytest

import kimi_runtime as kr
from test_suspension import PROGRAMS, answer

STATE = '''
import collections, dataclasses, datetime, enum, functools, json, random, re
random.seed(5)
random.random()
class A:
    count = 0
    def __init__(self, x):
        self.x = x
        A.count += 1
    @property
    def double(self):
        return self.x * 2
    @classmethod
    def make(cls):
        return cls(7)
    @staticmethod
    def plain():
        return "plain"
class B(A):
    __slots__ = ("y",)
    def __init__(self):
        super().__init__(3)
        self.y = 4
    def __repr__(self):
        return f"B({self.x}, {self.y})"
@dataclasses.dataclass(frozen=True, order=True)
class Point:
    a: int
    b: list
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class L(list): pass
class D(dict): pass
class Failure(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code
def outer():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    return inc
def gen():
    for i in range(5):
        sent = yield i
        if sent:
            print("got", sent)
def both():
    yield from gen()
inc = outer()
inc()
a, b, p, c = A(1), B(), Point(1, [2]), Color.RED
shared = [1]
two = [shared, shared]
loop = [shared]
loop.append(loop)
l = L([1, 2])
l.attr = shared
d = D(k=shared)
g = gen(); next(g); next(g)
y = both(); next(y); next(y)
fresh, ended = gen(), gen()
list(ended)
it = iter([1, 2, 3]); next(it)
pairs = zip("abc", it)
numbered = enumerate("abc"); next(numbered)
dq, od, dd = collections.deque([1, 2], 5), collections.OrderedDict(a=1), collections.defaultdict(list)
dd["q"].append(shared)
cnt = collections.Counter("aab")
when = datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)
try:
    raise Failure(3) from KeyError("k")
except Failure as e:
    err = e
m, big, part, lam = a.make, 10 ** 30, functools.partial(max, 3), lambda x, y=shared: (x, y)
keys = {(1, "a"): c, c: 1, a: 2, frozenset({1}): 3}
mapped = map(lambda x: x * 2, [1, 2, 3]); next(mapped)
NT = collections.namedtuple("NT", "q w")
nt = NT(1, 2)
pattern = re.compile("a(b)", re.I)
'''
LOOK = '''
print([a.x, A.count, B().x, b, a.double, m().x, A.plain(), p, c is Color.RED, Color(2) is Color.BLUE, two[0] is two[1] is shared])
print([loop[1] is loop, l, l.attr is shared, d, d["k"] is shared, inc(), g.send("x"), list(y), list(fresh), list(ended)])
print([list(pairs), list(numbered), dq, dq.maxlen, od, dd, dd["new"], cnt, when, repr(err), err.code, repr(err.__cause__)])
print([big, part(2), lam(1)[1] is shared, list(mapped), nt, NT(3, 4), random.random(), json.dumps([1]), isinstance(b, A)])
print([super(B, b).double, Point(1, [3]) > p, keys[c], keys[1, "a"], keys[a], keys[frozenset({1})], pattern.match("AB").groups()])
class C(B): pass
print(C(), C.__mro__, inc.__name__, B.__init__.__qualname__, Point.__doc__)
try:
    p.a = 3
except dataclasses.FrozenInstanceError as e:
    print(e)
'''


def test_a_session_goes_on_in_another_session():
    session = kr.Runtime().session()
    session.run(STATE, check=True)
    blob = session.dump()
    copy, fork = kr.load(blob), session.fork()
    assert copy.names() == session.names() == fork.names()
    expected = session.run(LOOK, check=True).stdout
    assert copy.run(LOOK, check=True).stdout == expected
    assert fork.run(LOOK, check=True).stdout == expected
    assert kr.load(copy.dump()).run("shared, two, c").ok


def test_a_session_goes_on_in_another_process():
    session = kr.Runtime().session()
    session.run(STATE, check=True)
    script = "import sys, kimi_runtime as kr\ns = kr.load(sys.stdin.buffer.read())\n" \
             "sys.stdout.write(s.run(%r, check=True).stdout)" % LOOK
    found = subprocess.run([sys.executable, "-c", script], input=session.dump(), capture_output=True, timeout=60,
                           env={**os.environ, "PYTHONHASHSEED": "77"}, check=True)
    assert found.stdout.decode() == session.run(LOOK, check=True).stdout


def test_a_fork_goes_its_own_way():
    session = kr.Runtime(functions={"host": len}).session()
    session.run("x = [1, [2]]\ndef f():\n    x.append(host('abc'))\n    return x\ncounter = 0")
    fork = session.fork()
    fork.run("counter = 5; x[1].append(3); f()")
    assert (session["x"], fork["x"]) == ([1, [2]], [1, [2, 3], 3])
    session.run("f()")
    assert (session["x"], session["counter"], fork["counter"]) == ([1, [2], 3], 0, 5)
    fork.close()
    assert session.run("f()").ok


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_saved_at_every_call_goes_on_exactly(name):
    code = PROGRAMS[name]
    expected = kr.Runtime(functions={"ask": answer}).session().run(code)
    step = kr.Runtime().session().start(code, suspend_on={"ask"})
    while isinstance(step, kr.Suspended):
        saved = kr.load(step.dump())
        assert (saved.name, saved.args, saved.kwargs, saved.stdout) == (step.name, step.args, step.kwargs, step.stdout)
        step.close()
        try:
            value = answer(*saved.args, **saved.kwargs)
        except ValueError as error:
            step = saved.throw(error)
        else:
            step = saved.resume(value)
    result = step.result
    assert (result.stdout, result.value, result.error and result.error.message) == \
        (expected.stdout, expected.value, expected.error and expected.error.message)


def test_a_step_goes_on_in_another_process():
    code = "total = 0\nfor i in range(4):\n    total += ask(i)\n    print(i, total)\n"
    step = kr.Runtime().session().start(code, suspend_on={"ask"})
    blob = step.dump()
    script = textwrap.dedent("""
        import sys, kimi_runtime as kr
        step = kr.load(sys.stdin.buffer.read()).resume(10)
        sys.stdout.buffer.write(step.dump() if isinstance(step, kr.Suspended) else step.result.stdout.encode())
    """)
    for _ in range(4):
        blob = subprocess.run([sys.executable, "-c", script], input=blob, capture_output=True, timeout=60, check=True).stdout
    assert blob == b"0 10\n1 20\n2 30\n3 40\n"


def test_the_step_that_was_saved_can_still_go_on():
    step = kr.Runtime().session().start("x = ask(1)\nx * 2", suspend_on={"ask"})
    blob = step.dump()
    assert step.resume(4).value == 8
    with pytest.raises(kr.SessionError):
        step.dump()
    assert [kr.load(blob).resume(n).value for n in (1, 2)] == [2, 4]
    step = kr.load(blob)
    session = step.session
    with pytest.raises(kr.SessionError):
        session.dump()


def test_limits_count_what_was_used_before():
    rt = kr.Runtime(limits=kr.Limits(host_calls=5, instructions=400_000))
    step = rt.session().start("n = 0\nwhile True:\n    for i in range(100): pass\n    n += 1\n    ask(n)", suspend_on={"ask"})
    calls = 0
    while isinstance(step, kr.Suspended):
        calls += 1
        step = kr.load(step.dump(), rt).resume()
    assert calls == 5 and step.result.error.limit == "host_calls"


def test_what_cannot_be_saved_is_named():
    session = kr.Runtime().session()
    for code, path in [
        ("orders = [1, 2, 3, {'view': memoryview(b'a')}]", r"orders\[3\]\['view'\]"),
        ("class A: pass\no = A()\no.deep = [A()]\no.deep[0].x = (1, memoryview(b'a'))", r"o\.deep\[0\]\.x\[1\]"),
        ("class K:\n    def __hash__(self): return 1\nd = {K(): 1}", "d"),
    ]:
        session.run(code, check=True)
        with pytest.raises(kr.SnapshotError, match=path + " cannot be saved"):
            session.dump()
        with pytest.raises(kr.SnapshotError, match=path + " cannot be saved"):
            session.fork()
        session.reset()


def test_loading_runs_nothing():
    session = kr.Runtime().session()
    session.run("""
ran = []
class Meta(type):
    def __call__(cls, *args): ran.append("call"); return super().__call__(*args)
class Base:
    def __init_subclass__(cls, **kw): ran.append("subclass")
    def __new__(cls): ran.append("new"); return super().__new__(cls)
    def __setattr__(self, name, value): ran.append("set"); object.__setattr__(self, name, value)
    def __del__(self): pass
class Attribute:
    def __set_name__(self, owner, name): ran.append("name")
    def __set__(self, o, value): ran.append("descriptor")
    def __get__(self, o, cls): return 5
class Derived(Base, metaclass=Meta):
    value = Attribute()
o = Derived()
o.x = 1
before = list(ran)
""", check=True)
    copy = kr.load(session.dump())
    assert copy.run("ran == before and o.x == 1 and o.value == 5").value is True
    assert copy.run("class More(Derived): pass\nran[-2:]").value == ["name", "subclass"] or copy["ran"][-1] == "subclass"


def test_bytes_that_are_no_snapshot_are_refused():
    session = kr.Runtime().session()
    session.run("x = [1, 2]")
    blob = session.dump()
    for bad, text in [(b"", "no snapshot"), (blob[:20], "no snapshot"), (blob[:-1], "checksum"), (blob + b"x", "checksum"),
                      (b"\x80\x04" + blob, "no snapshot"), (blob[:8] + b"\x63\x00" + blob[10:], "version 99")]:
        with pytest.raises(kr.SnapshotError, match=text):
            kr.load(bad)
    key = b"0123456789abcdef"
    signed = session.dump(key=key)
    assert kr.load(signed, key=key)["x"] == [1, 2]
    for data, other in [(signed, None), (signed, b"another key 0123"), (blob, key), (signed[:-3] + b"abc", key)]:
        with pytest.raises(kr.SnapshotError):
            kr.load(data, key=other)
    with pytest.raises(ValueError):
        session.dump(key=b"short")
    with pytest.raises(TypeError):
        kr.load("text")
    rt = kr.Runtime(functions={"host": len})
    session = rt.session()
    session.run("h = host")
    with pytest.raises(kr.SnapshotError, match="host function 'host'"):
        kr.load(session.dump())
    assert kr.load(session.dump(), rt).run("h('ab')").value == 2
