import bisect
import errno
import graphlib
import heapq
import itertools
import keyword
import numbers
import pprint
import reprlib
import string
import textwrap
import types
from fractions import Fraction
from string import Formatter, Template

h = []
for n in (5, 1, 4, 1, 3):
    heapq.heappush(h, n)
print(h, heapq.heappop(h), heapq.nlargest(2, h), heapq.nsmallest(2, [3, 1, 2], key=lambda x: -x), heapq.heapreplace(h, 9), heapq.heappushpop(h, 0), list(heapq.merge([1, 4], [2, 3], reverse=False)))
print(bisect.bisect([1, 3, 5], 3), bisect.bisect_left([1, 3, 5], 3), bisect.bisect_right([(1, "a"), (2, "b")], 1, key=lambda t: t[0]))
l = [1, 5]
bisect.insort(l, 3)
print(l)
ts = graphlib.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}})
print([sorted(g) for g in [[n] for n in graphlib.TopologicalSorter({"b": ["a"], "c": ["b"]}).static_order()]])
try:
    list(graphlib.TopologicalSorter({"a": ["b"], "b": ["a"]}).static_order())
except graphlib.CycleError as error:
    print(error.args[0], len(error.args[1]))
print(list(itertools.accumulate([1, 2, 3], initial=10)), list(itertools.pairwise("abc")), ["".join(c) for c in itertools.combinations("abc", 2)], list(itertools.zip_longest("ab", "c", fillvalue="-")), [list(g) for _, g in itertools.groupby("aabbb")], list(itertools.islice(itertools.cycle("xy"), 5)), list(itertools.starmap(pow, [(2, 3)])), list(itertools.compress("abc", [1, 0, 1])), list(itertools.product("ab", repeat=2))[:3], list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.chain.from_iterable([[1], [2]])), list(itertools.permutations([1, 2, 3], 2))[:2], list(itertools.filterfalse(None, [0, 1])))
a, b = itertools.tee(iter([1, 2]))
print(list(a), list(b), itertools.count(3, 2), itertools.repeat("x", 3), next(itertools.count(1.5)))
print(keyword.iskeyword("for"), keyword.issoftkeyword("match"), len(keyword.kwlist) > 30)
print(isinstance(1, numbers.Integral), isinstance(1.5, numbers.Real), isinstance(1j, numbers.Complex), isinstance(Fraction(1, 2), numbers.Rational), issubclass(bool, numbers.Number))


class Even(numbers.Integral if False else object):
    pass


pprint.pprint({"b": [1, 2, {"c": "x" * 30}], "a": ("y" * 40, {"k": list(range(12))})}, width=60)
print(pprint.pformat({3: 1, 1: 2}), pprint.pformat([["deep", ["er"]]], depth=1), pprint.saferepr({2: 1}), pprint.isreadable([1]))
pprint.pp({"z": 1, "a": 2})
print(reprlib.repr(list(range(100))), reprlib.repr("x" * 100), reprlib.repr({i: i for i in range(10)}))


class Loop:
    def __init__(self):
        self.items = [self]

    @reprlib.recursive_repr("<...>")
    def __repr__(self):
        return f"Loop({self.items!r})"


print(Loop())
print(Template("$who likes ${what} $$5 $missing").safe_substitute(who="tim", what="kung pao"))
for f in (lambda: Template("$x $y").substitute(x=1), lambda: Template("$ bad").substitute()):
    try:
        print(f())
    except (KeyError, ValueError) as error:
        print(type(error).__name__, error)
print(Template("$a ${b}").get_identifiers(), string.ascii_letters[:5], string.punctuation, string.capwords("hello world"), string.digits)


class Upper(Formatter):
    def format_field(self, value, spec):
        return super().format_field(value, spec).upper()


print(Upper().format("{0} {x:>5} {y.real}", "abc", x="q", y=3), list(Formatter().parse("a{b!r:>{w}}c")))
text = "The quick brown fox jumped over the lazy dog. " * 3
print(textwrap.fill(text, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.wrap("a-b c-d eeeeeeeeeeee", 6), textwrap.shorten(text, 25, placeholder="…"), repr(textwrap.dedent("\n    a\n      b\n    c")), textwrap.indent("a\n\nb", "> "))
print(errno.ENOENT, errno.errorcode[2])
ns = types.SimpleNamespace(a=1, b="x")
ns.c = [ns.a]
print(ns, ns == types.SimpleNamespace(a=1, b="x", c=[1]))
print(types.MappingProxyType({"a": 1})["a"], types.new_class("Made", (), {}, lambda d: d.update(x=5)).x, isinstance(lambda: 0, types.FunctionType), isinstance((i for i in ()), types.GeneratorType), isinstance(print.__class__, type), types.GenericAlias(list, (int,)), isinstance(ns.__init__, types.MethodWrapperType), type(None) is types.NoneType, isinstance([].append, types.BuiltinMethodType), isinstance(types, types.ModuleType), isinstance(int | str, types.UnionType))
C = types.resolve_bases((list,))
print(C, types.DynamicClassAttribute.__name__, types.prepare_class("X")[0])
f = types.FunctionType((lambda x: x + 1).__code__, globals(), "named", (5,))
print(f(), f.__name__, types.MethodType(lambda self: self, 3)(), types.CellType(3).cell_contents)
import sched
log = []
sch = sched.scheduler(lambda: 0 if not log else 100, lambda d: log.append(d))
sch.enter(2, 1, log.append, argument=("second",))
sch.enter(1, 1, log.append, ("first",))
sch.run()
print(log[-2:], sch.empty())
import queue
q = queue.PriorityQueue()
for x in (3, 1, 2):
    q.put(x)
print(q.get(), q.qsize(), q.empty(), q.full(), queue.LifoQueue().empty())
try:
    queue.Queue().get_nowait()
except queue.Empty:
    print("empty")
small = queue.Queue(maxsize=1)
small.put(1)
try:
    small.put(2, block=False)
except queue.Full:
    print("full")
sq = queue.SimpleQueue()
sq.put("s")
print(sq.get(), sq.empty())
import threading
lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0.001))
print(lock.locked(), threading.current_thread().name, threading.main_thread() is threading.current_thread(), threading.active_count())
rl = threading.RLock()
with rl, rl:
    print("reentered")
ev = threading.Event()
print(ev.is_set(), ev.wait(0.001), ev.set(), ev.wait(), ev.is_set())
sem = threading.Semaphore(1)
print(sem.acquire(), sem.acquire(blocking=False), sem.release())
local = threading.local()
local.x = 1
print(local.x, hasattr(local, "y"))
cond = threading.Condition()
with cond:
    cond.notify_all()
    print(cond.wait(0.001))
try:
    threading.Lock().release()
except RuntimeError as error:
    print(error)
import timeit
print(timeit.timeit("x += 1", setup="x = 0", number=10) >= 0, len(timeit.repeat(lambda: None, number=1, repeat=2)))
import atexit
atexit.register(print, "at exit", 2)


@atexit.register
def last():
    print("registered last runs first")
