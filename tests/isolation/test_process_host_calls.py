"""Functions, objects, exception classes and data classes of the host: what a guest in a worker process has of them is what an
inline guest has. Each program runs in both, and must give the same."""
import contextvars
import dataclasses
import inspect
import os
import re
import signal
import threading
import time

import pytest

import kimi_runtime as kr
from kimi_runtime.isolation.codec import BadMessage
from kimi_runtime.isolation.handles import Handles


class NotFound(LookupError):
    """Of the host."""


class Cart:
    def __init__(self):
        self.owner = "Ada"
        self.items = ["pear"]

    def add(self, item):
        """Puts something in."""
        self.items.append(item)
        return self

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __call__(self, n):
        return n + 1

    def __add__(self, other):
        return len(self.items) + other


@kr.expose_class(attrs=["name"], methods=["rename", "friend"], constructor=True)
class User:
    def __init__(self, name):
        if not name:
            raise NotFound("no name")
        self.name = name
        self.other = None

    def rename(self, name):
        self.name = name
        return self

    def friend(self):
        self.other = self.other or User(self.name + "'s friend")
        return self.other


@dataclasses.dataclass
class Order:
    number: int
    lines: list


def price(item, currency="EUR"):
    """What an item costs."""
    if item != "pear":
        raise NotFound("no such item", item)
    return {"amount": 2, "currency": currency}


def fail(kind):
    if kind == "group":
        raise ExceptionGroup("several", [ValueError(1), NotFound("x")])
    if kind == "os":
        raise FileNotFoundError(2, "gone", "/a/file")
    if kind == "args":
        raise ValueError(object(), 3)
    if kind == "unicode":
        b"\xff".decode()
    if kind == "stop":
        raise StopIteration(4)
    raise NotFound(kind)


def things():
    """What the guests get, anew for each run."""
    cart = kr.expose(Cart(), attrs=["owner"], readonly=False, methods=[
        "add", "__len__", "__iter__", "__getitem__", "__setitem__", "__call__", "__add__"])
    return {
        "price": price, "NotFound": NotFound, "cart": cart, "User": User, "user": User("Al"), "fail": fail, "give": lambda: price,
        "echo": lambda *args, **kwargs: [list(args), kwargs], "order": Order(7, [1, Order(8, [])]), "apply": lambda f, x: f(x),
        "lazy": lambda: (n for n in range(3)), "known": kr.host_function(price, name="known", doc="Another text."),
    }


PROGRAMS = [
    "price('pear', currency='USD')", "price('plum')", "price()", "price", "price.__doc__, price.__name__, known.__name__, known.__doc__",
    "import inspect; str(inspect.signature(price)), str(inspect.signature(known))",
    "try: price('plum')\nexcept NotFound as e: r = type(e).__name__, e.args, isinstance(e, LookupError)\nr",
    "try: price('plum')\nexcept LookupError as e: r = type(e) is NotFound\nr",
    "try: price('plum')\nexcept NotFound as e: r = e.__traceback__.tb_next, e.__cause__, e.__context__\nr",
    *(f"try: fail({kind!r})\nexcept BaseException as e: r = type(e).__name__, str(e), repr(e.args), getattr(e, 'filename', None)\nr"
      for kind in ("group", "os", "args", "unicode", "stop", "other")),
    "try: fail('group')\nexcept* NotFound as e: r = repr(e.exceptions)\nr",
    "give()('pear')", "give()", "apply(price, 'pear')", "apply(lambda x: x, 1)",
    "echo(1, 'a', [2, (3, {4})], x=None, y={'k': b'v'})", "echo(echo)", "echo(*range(40))", "lazy()", "echo(object())",
    "a = [1]; a.append(a); r = echo(a); r[0][0] is r[0][0][1]",
    "cart.owner, len(cart), list(cart), cart[0], str(cart), repr(cart), type(cart).__name__, dir(cart)[-2:]",
    "cart.add('plum') is cart, len(cart), [x for x in cart], 'plum' in cart", "cart.owner = 'Bob'; cart.owner",
    "cart[0] = 'fig'; cart[0]", "cart(41), cart + 4", "cart.items", "cart[99]", "cart.add(lambda: 1)", "cart.add.__doc__", "repr(cart.add)",
    "del cart.owner", "cart.other = 1", "cart.__class__, cart.__dict__", "echo(cart)[0][0] is cart", "[a for a in dir(cart) if '__' not in a]",
    "it = iter(cart); next(it), next(it, 'end')", "for x in cart: break\nx", "cart == cart, hash(cart) == hash(cart), cart != 1",
    "user.name, isinstance(user, User), user.rename('Bob') is user, user.name", "User('Zed').name, type(User('a')) is User",
    "user.friend() is user.friend(), user.friend().friend().name, isinstance(user.friend(), User)", "User('')", "User(lambda: 1)",
    "try: User('')\nexcept NotFound as e: r = str(e)\nr", "User.__name__, repr(User)", "cart.add(user); cart[-1] is user",
    "order.number, order.lines, order, order == order, type(order).__name__", "order.number = 1", "order.other", "order.lines[1]",
    "order.lines.append(2); order.lines", "echo(order)", "import threading\nr = []\nt = threading.Thread(target=lambda: r.append(price('pear')))\n"
    "t.start(); t.join(); r", "import asyncio\nasync def main(): return await asyncio.to_thread(price, 'pear')\nasyncio.run(main())",
    "sorted([3, 1, 2], key=lambda n: len(price('pear')) * -n)", "class A:\n    def __repr__(self): return str(price('pear'))\nrepr(A())",
    "import functools\nfunctools.reduce(lambda a, b: a + cart(b), range(5))", "{price: 1}[price]", "copy = price; copy is price",
    "class Mine(NotFound): pass\ntry: raise Mine(3)\nexcept NotFound as e: r = repr(e)\nr",
]


def outcome(result):
    """What a result says, comparably."""
    if result.error is not None:
        return result.error.type, result.error.message
    return repr(result.value)


def same(text):
    """Without addresses."""
    return re.sub(r"0x[0-9a-f]+", "0x", str(text))


@pytest.mark.parametrize("source", PROGRAMS)
def test_as_inline(runtimes, source):
    first, second = (same(outcome(rt.run(source, things()))) for rt in runtimes)
    assert second == first


def test_in_a_session(runtimes):
    """One session runs all of them: what is known from earlier runs stays known."""
    results = []
    for rt in runtimes:
        session = rt.session(things())
        results.append([same(outcome(session.run(source))) for source in PROGRAMS])
        session.close()
    assert results[1] == results[0]


def test_objects_come_back_as_they_are(runtimes):
    cart = Cart()
    view = kr.expose(cart, attrs=["owner"])
    for rt in runtimes:
        assert rt.run("[cart, {'x': cart}]", {"cart": view}).value == [cart, {"x": cart}]
        assert rt.run("f", {"f": price}).value is price
        with rt.session({"cart": view}) as session:
            assert session["cart"] is cart
            session.set(user=User("a"), price=price)
            assert session.run("user.name, price('pear')['amount']").value == ("a", 2)
            assert isinstance(session["user"], User)


def test_functions_of_the_runtime():
    with kr.Runtime(isolation="process", functions={"price": price, "NotFound": NotFound, "User": User}) as rt:
        for _ in range(2):
            assert rt.run("import json\nprice('pear'), User('x').name").value == ({"amount": 2, "currency": "EUR"}, "x")
            assert rt.run("try: price('plum')\nexcept NotFound: r = 1\nr").value == 1
        assert rt.run("price('pear')", {"price": lambda item: item * 2}).value == "pearpear"


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_not_for_guests(runtimes, kind):
    def leave():
        raise kind("of the host")

    source = "try: leave()\nexcept BaseException: print('seen')\nfinally: print('seen')\nprint('seen')"
    sent = []
    for rt in runtimes:
        with pytest.raises(kind, match="of the host"):
            rt.run(source, {"leave": leave}, on_stdout=sent.append)
        session = rt.session({"x": 1})
        with pytest.raises(kind, match="of the host"):
            session.run(source, {"leave": leave}, on_stdout=sent.append)
        assert session.run("x").value == 1
        session.close()
    assert sent == []


def test_limits(runtimes):
    for rt in runtimes:
        run = lambda f, **limits: rt.run("for i in range(100): f(i)", {"f": f}, limits=kr.Limits(**limits)).error  # noqa: B023, E731
        assert run(lambda i: i, host_calls=100) is None
        assert run(lambda i: i, host_calls=99).limit == "host_calls"
        assert run(lambda i: time.sleep(0.02), host_seconds=0.1).limit == "host_seconds"
        error = run(kr.host_function(lambda i: time.sleep(0.02), name="slow", timeout=0.1))
        assert (error.limit, "slow()" in error.message) == ("host_seconds", True)
        error = run(kr.host_function(lambda i: i, name="few", max_calls=7))
        assert (error.limit, error.message) == ("host_calls", "the run has called few() more than 7 times (host_function: max_calls=7)")
        assert run(kr.host_function(lambda i: i, max_calls=100)) is None
        assert rt.run("f(); f()", {"f": lambda: time.sleep(0.6)}, limits=kr.Limits(seconds=1)).error is None


def test_context_variables(runtimes):
    variable = contextvars.ContextVar("variable", default="none")
    variable.set("of the caller")

    def look(new):
        variable.set(new)
        return variable.get()

    for rt in runtimes:
        assert rt.run("f(), g('inside'), f()", {"f": lambda: variable.get(), "g": look}).value == ("of the caller", "inside", "inside")
        assert variable.get() == "of the caller"


def test_runs_within_calls(runtimes):
    """A host function may use the runtime whose guest has called it, though all workers are busy."""
    for rt in runtimes:
        def deeper(n, rt=rt):
            return n if n > 3 else rt.run("f(n)", {"f": deeper, "n": n + 1}).value

        assert rt.run("f(1)", {"f": deeper}).value == 4
        session = rt.session()

        def again(session=session):
            session.run("1")

        assert session.run("f()", {"f": again}).error.type == "SessionError"
        session.close()


def test_worker_that_dies_in_a_call():
    with kr.Runtime(isolation="process", workers=1) as rt:
        def kill():
            for worker in list(rt._pool._busy):
                worker.process.signal(signal.SIGKILL)
            return 1

        result = rt.run("print('before'); f(); print('after')", {"f": kill})
        assert result.error.crashed
        assert result.stdout == "before\n"
        assert rt.run("1 + 1").value == 2


def test_cancelled_in_a_call(runtimes):
    for rt in runtimes:
        session = rt.session()
        entered = threading.Event()

        def wait(entered=entered):
            entered.set()
            time.sleep(0.2)

        timer = threading.Thread(target=lambda: (entered.wait(10), session.cancel()))  # noqa: B023
        timer.start()
        result = session.run("f()\nwhile True: pass", {"f": wait})
        timer.join()
        assert result.error.limit == "cancelled"
        assert session.run("2").value == 2
        session.close()


def test_objects_are_let_go():
    """The host forgets what the guest has no more use for."""
    with kr.Runtime(isolation="process") as rt:
        session = rt.session({"make": lambda: kr.expose(Cart(), attrs=["owner"], methods=["__iter__"]), "fresh": lambda: lambda: 1})
        session.run("for i in range(500):\n    [make().owner, list(make()), fresh()()]\nimport gc; gc.collect(); make().owner", check=True)
        assert len(session._handles.entries) < 20
        assert len(session._handles.numbers) < 20
        session.close()


def test_guest_objects_are_refused():
    function = kr.host_function(lambda f: f(), name="apply", guest_objects=True)
    with pytest.raises(TypeError, match="functions: apply is the host function apply with guest_objects=True"):
        kr.Runtime(isolation="process", functions={"apply": function})
    with kr.Runtime(isolation="process") as rt:
        with pytest.raises(TypeError, match=r"inputs: fs\[0\] is the host function apply with guest_objects=True"):
            rt.run("1", {"fs": [function]})
        handle = kr.run("lambda: 1").value
        with pytest.raises(TypeError, match="belongs to another guest"):
            rt.run("1", {"f": handle})
        error = rt.run("lambda: 1").error
        assert "cannot leave the worker process: value is a function" in error.message


def test_a_message_that_failed_is_not_known():
    """What a message would have told the worker is told again when it could not be sent."""
    with kr.Runtime(isolation="process") as rt:
        session = rt.session()
        function = kr.host_function(lambda f: f(), guest_objects=True)
        for _ in range(2):
            with pytest.raises(TypeError):
                session.run("1", {"a": price, "b": kr.expose(Cart(), attrs=["owner"]), "c": function})
        assert session.run("price('pear')['amount'], cart.owner", {"price": price, "cart": kr.expose(Cart(), attrs=["owner"])}).value == (2, "Ada")
        session.close()


# ---- what a worker could ask for ---------------------------------------------------------------------------
def test_worker_gets_what_is_listed_only():
    handles = Handles()
    cart = Cart()
    inputs = kr.expose(cart, attrs=["owner"], methods=["add", "__len__"])
    from kimi_runtime.bridge.conversion import convert_in

    number = handles.refer(convert_in(inputs, "cart", handles))[1]
    function = handles.refer(convert_in(price, "price", handles))[1]
    error = handles.refer(convert_in(NotFound, "NotFound", handles))[1]
    assert handles.perform("get", (number, "owner"), None) == "Ada"
    assert handles.perform("method", (number, "__len__"), ((), {})) == 1
    assert handles.perform("call", function, (("pear",), {})) == {"amount": 2, "currency": "EUR"}
    refused = [
        ("get", (number, "items"), None), ("get", (number, "__class__"), None), ("get", (number, "add"), None), ("get", number, None),
        ("set", (number, "owner"), 1), ("method", (number, "owner"), ((), {})), ("method", (number, "__iter__"), ((), {})),
        ("method", (number, "add"), 3), ("method", (number, "add"), (([1], {}),)), ("method", (number, "add"), ((), {1: 2})),
        ("call", number, ((), {})), ("call", error, ((), {})), ("call", 10**9, ((), {})), ("call", "x", ((), {})), ("call", True, ((), {})),
        ("next", function, None), ("next", number, None), ("eval", function, "1"), ("get", (function, "__globals__"), None),
        ("call", function, (("pear",), {3: 4})), ("set", (function, "x"), 1), ("method", ([], "add"), ((), {})),
    ]
    for request in refused:
        with pytest.raises(BadMessage):
            handles.perform(*request)
    for reference in [("object", 10**9), ("exception", error), ("x", None), ("object", True)]:
        with pytest.raises(BadMessage):
            handles.resolve(reference)
    assert cart.owner == "Ada"
    for dropped in [None, [1], (1,), ((1, 2, 3),), (("a", 1),), ((number, "a"),)]:
        with pytest.raises(BadMessage):
            handles.let_go(dropped)
    handles.let_go(((number, 1), (10**9, 5), (error, 9)))
    with pytest.raises(BadMessage):
        handles.perform("get", (number, "owner"), None)


def test_environment_stays_in_the_host(runtimes):
    """The host's code runs in the host's process."""
    assert runtimes[1].run("f()", {"f": os.getpid}).value == os.getpid()
    assert inspect.ismethod(runtimes[1].run("f", {"f": Cart().add}).value)
