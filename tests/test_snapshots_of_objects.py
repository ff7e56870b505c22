"""What sessions hold beside plain data: objects of library types, objects of the host by savers and loaders, files."""
import builtins

import pytest

import kimi_runtime as kr

#: Each a program; what `look` says of `x` is the same after loading.
OBJECTS = [
    "import re\nx = re.compile('a(?P<n>b)?').search('xab')\ny = re.match('a(z)?', 'a')\nlook = lambda: (x.span(), x['n'], x.re, y.groups())",
    "import io\nx = io.StringIO('one\\ntwo')\nx.readline()\nx.note = [1]\nlook = lambda: (x.tell(), x.read(), x.note, x.seek(4))[:3]",
    "import io\nx = io.BytesIO(b'abc')\nx.read(1)\ny = io.BytesIO()\ny.close()\nlook = lambda: (x.getvalue(), x.tell(), y.closed)",
    "import random, zoneinfo, datetime\nx = random.Random(5)\nx.random()\nz = datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'))\n"
    "look = lambda: (x.getstate(), z.isoformat())",
    "import itertools\nx = [itertools.cycle([1, 2]), itertools.chain([1, 2], [3]), itertools.islice([1, 2, 3], 1, 3), itertools.product('ab', 'cd'),\n"
    "  itertools.permutations([1, 2, 3]), itertools.repeat(1, 3), itertools.accumulate([1, 2, 3]), itertools.takewhile(bool, [1, 2, 0]),\n"
    "  itertools.starmap(pow, [(1, 2), (2, 3)]), itertools.compress('abc', [1, 0, 1]), itertools.zip_longest([1, 2], [3]),\n"
    "  itertools.combinations('abc', 2), itertools.groupby('aab')]\n[next(each) for each in x]\n"
    "look = lambda: [next(each) for each in x[:-1]] + [next(x[-1])[0]]",
    "import operator\nx = [operator.itemgetter(1, 0), operator.attrgetter('real', 'imag'), operator.methodcaller('split', 'b', maxsplit=1)]\n"
    "look = lambda: (x[0]('ab'), x[1](1j), x[2]('abcbd'), repr(x))",
    "import types, struct, array, json\nx = types.SimpleNamespace(a=1)\nx.me = x\ny = array.array('d', [1, 2.5])\n"
    "look = lambda: (x.a, x.me is x, struct.Struct('<I').pack(1), y, json.JSONDecoder().decode('[1]'))",
    "import json, struct\nx = [json.JSONDecoder(), struct.Struct('<I')]\nlook = lambda: (x[0].decode('{\"a\": [1.5]}'), x[1].unpack(b'abcd'))",
    "import functools\n@functools.lru_cache(maxsize=3)\ndef x(n):\n    'doc'\n    return n\nx.note = 1\n"
    "look = lambda: (x(2), x.note, x.__doc__, x.cache_parameters(), x.__wrapped__(3))",
    "def x(a: list[int], b: 'str' = 1) -> dict[str, int] | None: pass\nlook = lambda: (x.__annotations__, x.__annotations__['return'].__args__)",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True, slots=True)\nclass A:\n    a: int\n    b: list[int] = field(default_factory=list)\n"
    "x = A(1)\nlook = lambda: (x, x == A(1), A(2, [3]))",
    "import typing\nT = typing.TypeVar('T')\nclass G(typing.Generic[T]):\n    pass\nclass P(typing.Protocol):\n    def f(self): ...\n"
    "class N(typing.NamedTuple):\n    a: int\nclass D(typing.TypedDict):\n    a: int\nx = G[int]\n"
    "look = lambda: (x.__args__, G.__parameters__ == (T,), N(1), D(a=2), P.__mro__[1:])",
    "def x[T: (int, str), *Ts, **P](a: T) -> T: return a\nclass C[K]:\n    def get(self, k: K) -> K: return k\ntype A[E] = list[E] | None\n"
    "look = lambda: (x(1), [repr(p) for p in x.__type_params__], x.__type_params__[0].__constraints__, C[int]().get(2), repr(A.__value__), A.__name__)",
    "class Base:\n    def f(self): return 'base'\nclass A(Base):\n    def f(self): return super()\nx = A().f()\nlook = lambda: x.f()",
    "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\nx = T\nlook = lambda: T('test').id()",
    "import weakref\nclass A: pass\nx = A()\ny = weakref.WeakKeyDictionary({x: 1})\nz = [weakref.ref(x), weakref.WeakValueDictionary(k=x)]\n"
    "dead = weakref.ref(A())\nlook = lambda: (y[x], z[0]() is x, z[1]['k'] is x, dead())",
    "import decimal\nx = decimal.Context(prec=5, rounding='ROUND_UP')\ndecimal.getcontext().prec = 4\nlook = lambda: (repr(x), str(decimal.Decimal(1) / 3))",
    "import time, os\nx = time.gmtime(5)\nlook = lambda: (tuple(x), x.tm_zone, x.tm_gmtoff)",
]


@pytest.mark.parametrize("source", OBJECTS, ids=range(len(OBJECTS)))
def test_objects_of_library_types_are_saved(source):
    session = kr.Runtime().session()
    session.run(source).unwrap()
    others = [kr.load(session.dump()), session.fork()]
    expected = session.run("repr(look())").unwrap()
    for other in others:
        assert other.run("repr(look())").unwrap() == expected


def test_making_classes_again_runs_nothing_of_the_program():
    session = kr.Runtime().session()
    session.run("""
import typing
log = []
class Base(typing.Generic[typing.TypeVar("T")]):
    def __init_subclass__(cls, **more):
        log.append(cls.__name__)
        super().__init_subclass__(**more)
class Derived(Base[int]): pass
""").unwrap()
    again = kr.load(session.dump())
    assert again["log"] == ["Derived"]
    assert again.run("class More(Derived): pass\nlog").unwrap() == ["Derived", "More"]


# ---- objects of the host ------------------------------------------------------------------------------
class Connection:
    def __init__(self, url):
        self.url = url

    def ask(self, question):
        return f"{self.url}?{question}"


def exposed(url):
    return kr.expose(Connection(url), attrs=["url"], methods=["ask"])


SAVERS = {Connection: lambda connection: {"url": connection.url}}
LOADERS = {"Connection": lambda saved: exposed(saved["url"])}


def test_an_object_of_the_host_goes_by_its_saver_and_loader():
    session = kr.Runtime().session({"orders": [{"conn": exposed("db:1")}, {}]})
    session.run("orders[1]['conn'] = orders[0]['conn']; ask = orders[0]['conn'].ask").unwrap()
    with pytest.raises(kr.SnapshotError, match=r"^orders\[0\]\['conn'\] cannot be saved: it is an object of the host, a Connection"):
        session.dump()
    data = session.dump(savers=SAVERS)
    with pytest.raises(kr.SnapshotError, match="a Connection: give a loader"):
        kr.load(data)
    again = kr.load(data, loaders=LOADERS)
    assert again.run("orders[0]['conn'] is orders[1]['conn'], orders[0]['conn'].ask(1), ask(2)").unwrap() == (True, "db:1?1", "db:1?2")
    assert type(again["orders"][0]["conn"]) is Connection
    session.run("orders.clear()")
    session.restore(data, loaders=LOADERS)
    assert session.run("orders[1]['conn'].url").unwrap() == "db:1"


def test_savers_and_loaders_that_fail_are_errors_that_say_so():
    session = kr.Runtime().session({"conn": exposed("db:1")})
    with pytest.raises(kr.SnapshotError, match="conn cannot be saved: the saver of Connection has raised ZeroDivisionError"):
        session.dump(savers={Connection: lambda connection: 1 / 0})
    with pytest.raises(kr.SnapshotError, match="conn cannot be saved: what the saver of Connection returns"):
        session.dump(savers={Connection: lambda connection: connection})
    with pytest.raises(TypeError, match="savers must be functions by classes"):
        session.dump(savers={"Connection": str})
    data = session.dump(savers={object: lambda connection: 1})
    with pytest.raises(kr.SnapshotError, match="the loader of object has raised ZeroDivisionError"):
        kr.load(data, loaders={"object": lambda saved: 1 / 0})
    with pytest.raises(TypeError, match="loaders must be functions by names"):
        kr.load(data, loaders={object: str})


def test_arguments_of_a_call_that_waits_go_by_savers_too():
    step = kr.Runtime().session({"conn": exposed("db:1")}).start("approve(conn, 5, via=conn)", suspend_on={"approve"})
    with pytest.raises(kr.SnapshotError, match=r"an argument of approve\(\) cannot be saved"):
        step.dump()
    again = kr.load(step.dump(savers=SAVERS), loaders={"Connection": lambda saved: exposed(saved["url"])})
    assert again.args[1] == 5 and again.resume("yes").value == "yes"


def test_functions_given_as_inputs_go_by_savers():
    def double(n):
        return n * 2

    session = kr.Runtime().session({"double": double})
    with pytest.raises(kr.SnapshotError, match="double cannot be saved"):
        session.dump()
    data = session.dump(savers={type(double): lambda function: function.__name__})
    again = kr.load(data, loaders={"function": {"double": double}.__getitem__})
    assert again.run("double(4)").unwrap() == 8


def test_a_fork_shares_objects_of_the_host():
    class Exposed:
        count = 0

    target = Exposed()
    session = kr.Runtime(functions={"twice": lambda n: 2 * n}).session(
        {"it": kr.expose(target, attrs=["count"], readonly=False), "more": lambda n: n + 1})
    session.run("here = [it, it]").unwrap()
    other = session.fork()
    assert other.run("it.count = 5; here[0] is here[1] is it, more(1), twice(4)").unwrap() == (True, 2, 8)
    assert session.run("it.count").unwrap() == 5


# ---- files ---------------------------------------------------------------------------------------------
FILES = {"/data/a.csv": "1,2\n", "/data/b.csv": b"3,4\n", "/data/gone.txt": "x", "/data/late.txt": lambda: "late"}
CHANGES = """
import os, pathlib
os.remove("/data/gone.txt")
open("/data/a.csv", "a").write("5,6\\n")
os.makedirs("/tmp/deep/er", mode=0o750)
pathlib.Path("/tmp/deep/er/new.bin").write_bytes(bytes(range(256)))
os.symlink("../deep/er/new.bin", "/tmp/link")
os.link("/tmp/deep/er/new.bin", "/tmp/second")
os.chmod("/tmp/deep/er/new.bin", 0o600)
os.utime("/tmp/deep/er/new.bin", (5, 6))
os.chdir("/tmp/deep")
os.umask(0o077)
"""
LOOK = """
import os
found = []
for top, folders, files in os.walk("/"):
    for name in sorted(folders) + sorted(files):
        path = os.path.join(top, name)
        state = os.lstat(path)
        text = open(path, "rb").read() if os.path.isfile(path) else None
        found.append((path, oct(state.st_mode), state.st_nlink, text))
(sorted(found), os.getcwd(), os.umask(0o077), os.stat("er/new.bin").st_mtime, os.readlink("/tmp/link"))
"""


def test_files_that_a_guest_has_made_and_changed_are_saved():
    runtime = kr.Runtime(files=FILES)
    session = runtime.session()
    session.run(CHANGES).unwrap()
    session.files["/home/by-host.txt"] = "host"
    others = [kr.load(session.dump(), runtime), session.fork()]
    expected = session.run(LOOK).unwrap()
    for other in others:
        assert other.run(LOOK).unwrap() == expected
        assert other.files.changed() == session.files.changed()
    others[1].run("open('/data/a.csv', 'w').write('apart')").unwrap()
    assert session.files["/data/a.csv"] == b"1,2\n5,6\n"


def test_a_suspended_program_with_files_goes_on():
    step = kr.Runtime(files={}).session().start(
        "open('note', 'w').write('before')\nask()\nprint(open('note').read())", suspend_on={"ask"})
    assert kr.load(step.dump(), kr.Runtime(files={})).resume().result.stdout == "before\n"


def test_an_open_file_is_named():
    session = kr.Runtime(files={"a": "x"}).session()
    session.run("logs = [open('a')]").unwrap()
    with pytest.raises(kr.SnapshotError, match=r"logs\[0\] cannot be saved: it is an open file"):
        session.dump()
    session.run("logs[0].close(); del logs; import os; number = os.open('a', os.O_RDONLY)").unwrap()
    with pytest.raises(kr.SnapshotError, match="the guest's files cannot be saved: the file descriptor 3 is open"):
        session.dump()


def test_what_an_overlay_has_in_memory_is_saved(tmp_path):
    (tmp_path / "keep.txt").write_text("below")
    (tmp_path / "change.txt").write_text("below")
    (tmp_path / "remove.txt").write_text("below")
    runtime = kr.Runtime(mounts=[kr.Mount(tmp_path, "/mnt/host", mode="overlay")])
    session = runtime.session()
    session.run("""
import os
open("/mnt/host/change.txt", "w").write("above")
os.remove("/mnt/host/remove.txt")
os.mkdir("/mnt/host/sub")
open("/mnt/host/sub/new.txt", "w").write("new")
""").unwrap()
    again = kr.load(session.dump(), runtime)
    look = "import os\n{n: open('/mnt/host/' + n).read() for n in ('keep.txt', 'change.txt', 'sub/new.txt')}, sorted(os.listdir('/mnt/host'))"
    assert again.run(look).unwrap() == session.run(look).unwrap()
    assert (tmp_path / "change.txt").read_text() == "below"


@pytest.mark.parametrize("count", [1, 8, 9, 40])
def test_builtins(count):
    """The first ones are looked for one by one, more of them in a table."""
    names = [name for name in dir(builtins)
             if name[0] != "_" and name not in ("copyright", "credits", "exit", "license", "quit")][:count]
    session = kr.Runtime().session()
    session.run(f"kept = [{', '.join(names)}]", check=True)
    again = kr.load(session.dump())
    assert again.run(f"[a is b for a, b in zip(kept, [{', '.join(names)}])]").value == [True] * count


def test_generator_in_two_frames():
    """A frame that belongs to nothing else, and is there twice, would be released twice."""
    from kimi_runtime.snapshots.saving import not_in_frames

    one, other = object(), object()
    frame = (None, None, None)
    assert not not_in_frames([], [(*frame, None)]) and not not_in_frames([one], [(*frame, None), (*frame, one)])
    assert not_in_frames([one], [(*frame, one), (*frame, one)]) and not_in_frames([one], [(*frame, other)])
    assert not_in_frames([], [(*frame, one)]) and not_in_frames([one], [(*frame, None)])
