"""Nothing of the host can be reached from what guests may import: no function, frame, code object or module of the host.

The crawl looks further than a guest can: it reads namespaces and dictionaries of classes directly.
"""

from __future__ import annotations

import sys
import types

import kimi_runtime as kr
import pytest

from kimi_runtime.library.catalog import SAFE

IMMUTABLE, HEAP = 1 << 8, 1 << 9
MOST = 3000


def children(o):
    """(name, object) of what hangs on an object."""
    if isinstance(o, types.ModuleType):
        yield from ((name, value) for name, value in vars(o).items() if name not in ("__builtins__", "__spec__"))
    elif isinstance(o, type):
        yield from (("mro", each) for each in o.__mro__)
        yield from type.__getattribute__(o, "__dict__").items()
    elif isinstance(o, (dict, types.MappingProxyType)):
        yield from list(o.items())[:MOST]
    elif isinstance(o, (list, tuple, set, frozenset)):
        yield from enumerate(list(o)[:MOST])
    elif isinstance(o, (staticmethod, classmethod)):
        yield "__func__", o.__func__
    elif isinstance(o, property):
        yield from (("fget", o.fget), ("fset", o.fset))
    elif isinstance(o, types.MethodType):
        yield from (("__func__", o.__func__), ("__self__", o.__self__))
    elif type(o).__name__ == "function" and not isinstance(o, types.FunctionType):
        for name in ("__defaults__", "__kwdefaults__", "__dict__", "__wrapped__"):
            yield name, getattr(o, name, None)
    if not isinstance(o, (type, types.ModuleType)):
        yield "__class__", type(o)
        if hasattr(type(o), "__dict__") and isinstance(getattr(o, "__dict__", None), dict):
            yield from list(o.__dict__.items())


def is_of_the_host(cls) -> bool:
    """Whether a class can be found in a module of the host by its name."""
    module = sys.modules.get(getattr(cls, "__module__", None))
    return getattr(module, cls.__name__, None) is cls


def crawl(root, name):
    """Paths to objects of the host that no guest should reach."""
    modules = {id(module) for module in sys.modules.values()}
    seen, waiting = {}, [(name, root)]
    while waiting:
        path, o = waiting.pop()
        if id(o) in seen:
            continue
        seen[id(o)] = o
        if isinstance(o, (types.FunctionType, types.FrameType, types.CodeType)) or id(o) in modules:
            yield path, o
            continue
        if isinstance(o, type) and o.__flags__ & HEAP and not o.__flags__ & IMMUTABLE and is_of_the_host(o):
            yield path + " can be changed", o
        waiting.extend((f"{path}.{key}", value) for key, value in children(o))


def test_no_object_of_the_host_is_reachable():
    found = []
    for name in sorted(SAFE):
        result = kr.run(f"import sys, warnings\nwarnings.simplefilter('ignore')\nimport {name}\nsys.modules[{name!r}]")
        if result.ok:
            found += [(path, repr(o)) for path, o in crawl(result.value.raw, name)]
    assert found == []


def host_function(a=1):
    return a


TRIES = """
f.__globals__
f.__code__
type(f).__globals__
type(f).__code__
vars(type(f))['__globals__']
type(f).__dict__['__code__']
classmethod(type(f).__globals__).__get__(None, f)
type(type(f).__defaults__).__get__(type(f).__code__, f)
type(len).__self__
type(f).__getattribute__(f, '__globals__')
object.__getattribute__(f, '__code__')
type.__getattribute__(type(f), '__globals__')
super(type(f), f).__globals__
getattr(type(f), '__glob' + 'als__')
list(map(getattr, [type(f)], ['__globals__']))
'{0.__globals__}'.format(f)
vars(str)['format']('{0.__globals__}', f)
vars(str)['format']('{0.__self__}', len)
vars(str)['format_map']('{a.__self__}', {'a': len})
list(map(vars(str)['format'], ['{0.__self__}'], [len]))
getattr(str, 'format')('{0.__self__}', len)
str.__getattribute__('{0.__self__}', 'format')(len)
type('S', (str,), {'__str__': lambda s: 'x', '__eq__': lambda s, o: True, '__hash__': lambda s: 1})('{0.__self__}').format(len)
__import__('functools').partial(vars(str)['format'], '{0.__self__}')(len)
__import__('operator').attrgetter('__globals__')(f)
__import__('operator').attrgetter('__globals__')(type(f))
__import__('inspect').getattr_static(type(f), '__globals__')
__import__('inspect').unwrap(f).__globals__
__import__('inspect').getclosurevars(f)
__import__('types').FunctionType(f.__code__, {})
__import__('functools').partial(f).func.__globals__
__import__('copy').copy(f).__globals__
f.__reduce_ex__(2)
f.__call__.__self__.__globals__
f.__get__(1).__func__.__globals__
f.__get__(1).__globals__
type(f)(f, {})
type(g).gi_frame
type(g).gi_code
g.gi_frame
types.FrameType.f_back
types.TracebackType.tb_frame
types.BuiltinFunctionType.__self__
""".strip().splitlines()


@pytest.mark.parametrize("source", TRIES)
def test_no_way_from_a_function_of_the_host(source):
    module = types.ModuleType("tools")
    module.f, module.g = host_function, (i for i in ())
    result = kr.Runtime(host_modules={"tools": module}).run(f"import types\nfrom tools import f, g\n{source}")
    assert not result.ok, result.value


def test_code_of_a_comprehension_in_a_traceback():
    source = """
def g():
    return [1 / 0 for x in [1]]
try:
    g()
except ZeroDivisionError as error:
    import traceback
    at, found = error.__traceback__, [each.name for each in traceback.extract_tb(error.__traceback__)]
    while at:
        found.append(hasattr(at, "tb_frame"))
        at = at.tb_next
found
"""
    found = kr.run(source).unwrap()
    assert len(found) >= 4 and True not in found


@pytest.mark.parametrize("source", [
    "import re\nre.error.__init__.__defaults__ = (1,)", "import re\nre.error.extra = 1",
    "import json\njson.JSONDecodeError.__init__ = None", "import decimal\ndecimal.DecimalTuple._fields = ()",
    "import decimal\ndecimal.InvalidOperation.x = 1", "import struct\nstruct.error.x = 1",
    "import time\ntime.struct_time.x = 1", "ExceptionGroup.x = 1", "import csv\ncsv.Error.x = 1",
    "import decimal\ntype(decimal.Decimal(1).as_tuple())._replace.__kwdefaults__ = {}",
])
def test_classes_of_the_host_cannot_be_changed(source):
    result = kr.run(source)
    assert result.error is not None and result.error.type in ("TypeError", "AttributeError")


EVIL = """
class Evil(str):
    def __hash__(self): return hash(str(self) if False else "%s")
    def __eq__(self, other): return True
    def __len__(self): return 2
"""


def test_caches_of_the_host_do_not_keep_objects_of_a_guest():
    import datetime
    import re
    import struct
    import time

    key = "%Y+%m+%d"
    kr.run(EVIL % key + "import datetime, time\n"
           "for call in (datetime.datetime.strptime, time.strptime):\n"
           "    try: call(Evil('2024'), Evil('%Y'))\n"
           "    except Exception: pass")
    assert datetime.datetime.strptime("2024+05+06", key) == datetime.datetime(2024, 5, 6)
    assert time.strptime("2024+05+07", key).tm_mday == 7
    calls = ("pack(e, 1)", "unpack(e, b'abcd')", "calcsize(e)", "unpack_from(e, b'abcd')", "pack_into(e, bytearray(9), 1, 1)",
             "list(s.iter_unpack(e, b'abcd'))")
    kr.run(EVIL % "<4q" + "import struct as s\ne = Evil('<i')\n" + "\n".join(
        call if call.startswith("list") else f"s.{call}" for call in calls), check=True)
    assert struct.calcsize("<4q") == 32 and len(struct.pack("<4q", 1, 2, 3, 4)) == 32
    pattern = re.compile("(a)(b)")
    source = EVIL % r"\\2\\1" + ("import re\np = re.compile('(a)(b)')\nfor how in ('sub', 'subn'):\n"
                                "    getattr(p, how)(Evil(r'\\1'), 'ab')\n    vars(re.Pattern)[how](p, Evil(r'\\1'), 'ab')\n"
                                "p.match('ab').expand(Evil(r'\\1'))\nre.sub('(a)(b)', repl=Evil(r'\\1'), string='ab')")
    kr.run(source, check=True)
    assert pattern.sub(r"\2\1", "ab") == "ba"
    assert pattern.match("ab").expand(r"\2\1") == "ba"
