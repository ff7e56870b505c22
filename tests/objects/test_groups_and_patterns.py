"""except* and class patterns: the helpers against CPython's own statements."""
import pytest

from kimi_runtime.bridge.gate import let_through
from kimi_runtime.objects import groups, patterns


def outcome(action):
    try:
        return action()
    except Exception as error:
        return type(error), str(error)


def shape(exc):
    if isinstance(exc, BaseExceptionGroup):
        return type(exc).__name__, exc.message, [shape(e) for e in exc.exceptions], getattr(exc, "__notes__", None)
    return None if exc is None else (type(exc).__name__, exc.args)


def host_run(exc, types, actions):
    """Runs try/except* clauses; each action raises or returns.  Returns (what each clause caught, what was left)."""
    caught = []
    left = None
    try:
        try:
            raise exc
        except* types[0] as e:
            caught.append(shape(e))
            actions[0](e)
        except* types[1] as e:
            caught.append(shape(e))
            actions[1](e)
    except BaseException as e:
        left = shape(e)
    return caught, left


def ours_run(exc, types, actions):
    caught, raised, rest = [], [], exc
    try:
        for match, action in zip(types, actions):
            matched, rest = groups.split_for_test(rest, match)
            if matched is None:
                continue
            caught.append(shape(matched))
            try:
                action(matched)
            except BaseException as e:
                raised.append(e)
        raised.append(rest)
        return caught, shape(groups.reraise_for_test(exc, raised))
    except Exception as e:
        return caught, shape(e)


def nothing(e):
    pass


def new(e):
    raise RuntimeError("new")


def make():
    inner = ExceptionGroup("in", [TypeError("t"), ValueError("v2")])
    inner.add_note("note")
    return ExceptionGroup("out", [ValueError("v1"), inner, KeyError("k")])


@pytest.mark.parametrize("build", [make, lambda: ValueError("naked"), lambda: KeyError("other")])
@pytest.mark.parametrize("types", [(ValueError, TypeError), (TypeError, KeyError), ((ValueError, KeyError), Exception),
                                   (OSError, OSError), (LookupError, ValueError)])
@pytest.mark.parametrize("actions", [(nothing, nothing), (new, nothing), (nothing, new), (new, new)])
def test_except_star(build, types, actions):
    assert ours_run(build(), types, actions) == host_run(build(), types, actions)


@pytest.mark.parametrize("build", [make, lambda: ValueError("naked")])
def test_reraise_keeps_the_structure(build):
    def host():
        try:
            try:
                raise build()
            except* ValueError:
                raise
            except* TypeError:
                raise RuntimeError("new")  # noqa: B904
        except BaseException as e:
            return shape(e)
    try:
        raise build()
    except Exception as e:
        exc = e
    first, rest = groups.split_for_test(exc, ValueError)
    raised = [first]
    second, rest = groups.split_for_test(rest, TypeError)
    if second is not None:
        try:
            new(second)
        except RuntimeError as e:
            raised.append(e)
    assert shape(groups.reraise_for_test(exc, raised + [rest])) == host()


@pytest.mark.parametrize("types", [(int, ValueError), (ExceptionGroup, ValueError), ((ValueError, 3), ValueError),
                                   ((ValueError, ExceptionGroup), ValueError), (5, ValueError)])
def test_bad_types(types):
    def host():
        try:
            raise ValueError
        except* types[0]:
            pass
    expected = outcome(host)
    exc = ValueError()
    assert outcome(lambda: groups.split_for_test(exc, types[0])) == expected or expected[0] is not TypeError


class Point:
    __match_args__ = ("x", "y")

    def __init__(self):
        self.x, self.y = 1, 2


class BadTuple(Point):
    __match_args__ = ["x"]


class BadName(Point):
    __match_args__ = (1,)


for each in (Point, BadTuple, BadName):
    let_through(each)       # as guest code would have made them
SUBJECTS = [Point(), BadTuple(), BadName(), 5, "s", [1], object()]


def match_one(subject, cls):
    match subject:
        case cls(a):
            return (a,)
    return None


def match_two_and_keyword(subject, cls):
    match subject:
        case cls(a, b, x=c):
            return a, b, c
    return None


def match_keyword(subject, cls):
    match subject:
        case cls(real=r):
            return (r,)
    return None


@pytest.mark.parametrize("cls", [Point, BadTuple, BadName, int, str, object, 3, list])
@pytest.mark.parametrize("host, names, npos", [(match_one, (), 1), (match_two_and_keyword, ("x",), 2),
                                               (match_keyword, ("real",), 0)])
def test_class_patterns(cls, host, names, npos):
    for subject in SUBJECTS:
        assert outcome(lambda: patterns.match_class_for_test(subject, cls, names, npos)) == \
            outcome(lambda: host(subject, cls))


def test_keys():
    class A:
        one, two = "a", "a"
    def host(d):
        match d:
            case {A.one: x, A.two: y}:
                return x, y
    expected = outcome(lambda: host({"a": 1, "b": 2}))
    assert outcome(lambda: patterns.match_keys_for_test({"a": 1}, ("a", "a"))) == expected
    assert patterns.match_keys_for_test({"a": 1, "b": 2}, ("b", "a")) == (2, 1)
    assert patterns.match_keys_for_test({"a": 1}, ("b",)) is None
