"""The encoding between host and worker: what goes in comes out, and bytes of an enemy are refused without harm."""

from __future__ import annotations

import datetime
import decimal
import os
import socket
import time
import tracemalloc

import pytest

from kimi_runtime.isolation.channel import Channel, ChannelClosed, DeadlinePassed
from kimi_runtime.isolation.codec import MOST_DEPTH, BadMessage, CannotCross, TooLarge, decode, decode_message, encode, frame, place_of

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, strategies as st  # noqa: E402

ZONES = st.none() | st.integers(-1439, 1439).map(lambda n: datetime.timezone(datetime.timedelta(minutes=n)))
SCALARS = st.one_of(
    st.none(), st.booleans(), st.just(...), st.integers(), st.integers(-2**70, 2**70), st.floats(allow_nan=False), st.complex_numbers(allow_nan=False), st.text(max_size=20),
    st.text("\ud800a\u20ac\U0001f600", max_size=5), st.binary(max_size=20), st.dates(), st.times(), st.datetimes(timezones=ZONES), st.timedeltas(), st.decimals(allow_nan=False),
    st.builds(range, st.integers(), st.integers(), st.integers(1, 10)),
)
KEYS = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=3)
VALUES = st.recursive(
    KEYS | st.binary(max_size=20).map(bytearray) | st.sets(KEYS, max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)


def types_of(value):
    """A value with the types in it, so that 1, 1.0 and True differ."""
    if isinstance(value, (list, tuple)):
        return type(value), [types_of(each) for each in value]
    if isinstance(value, dict):
        return dict, [(types_of(k), types_of(v)) for k, v in value.items()]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted(repr(types_of(each)) for each in value)
    return type(value), repr(value)


@given(VALUES)
def test_what_goes_in_comes_out(value):
    assert types_of(decode(encode(value))) == types_of(value)
    head, body = decode_message(frame(7, value, [value])[5:])
    assert types_of(head) == types_of(value) and types_of(body) == types_of([value])


@given(VALUES)
def test_host_and_worker_count_alike(value):
    """What the worker lets through the host lets through: a limit is met at the same size by both."""
    data = encode(value)
    low, high = 0, 1 << 40
    while low < high:
        middle = (low + high) // 2
        try:
            encode(value, middle)
            high = middle
        except TooLarge:
            low = middle + 1
    assert types_of(decode(data, low)) == types_of(value)
    with pytest.raises(BadMessage):
        decode(data, low - 1)


def attempt(data, limit=1_000_000):
    try:
        decode(data, limit)
    except BadMessage:
        return


@given(st.binary())
def test_any_bytes(data):
    attempt(data)


@given(VALUES, st.data())
def test_changed_bytes(value, data):
    changed = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255) | st.sampled_from(b"lLpPmMhHzZaA@DTWJONrciInstub"))
    attempt(bytes(changed))
    attempt(bytes(changed[: data.draw(st.integers(0, len(changed)))]))


TAGS = st.sampled_from([bytes([tag]) for tag in b"ntfeiIdcsubalLpPmMhHzZ@DTWJONrAx"])


@given(st.lists(TAGS | st.integers(0, 5).map(lambda n: n.to_bytes(4, "little")) | st.just(b"i" + bytes(8)), max_size=40).map(b"".join))
def test_bytes_that_look_like_values(data):
    attempt(data)


def count(n):
    return n.to_bytes(4, "little")


HOSTILE = {
    "nothing": b"",
    "two values": b"nn",
    "a length without end": b"s" + count(0xFFFFFFFF),
    "many items": b"l" + count(0xFFFFFFFF),
    "many pairs": b"m" + count(0xFFFFFFFF),
    "deep": b"l\x01\0\0\0" * 100_000 + b"n",
    "deep in keys": b"p\x01\0\0\0" * 100_000 + b"n",
    "no hash": b"m" + count(1) + b"l" + count(0) + b"n",
    "no hash inside": b"h" + count(1) + b"p" + count(1) + b"l" + count(0),
    "a key twice": b"m" + count(2) + b"nnnn",
    "an item twice": b"z" + count(2) + b"nn",
    "a tuple in itself": b"P" + count(1) + b"@" + count(0),
    "a set in itself": b"Z" + count(1) + b"@" + count(0),
    "nobody": b"@" + count(0),
    "not UTF-8": b"s" + count(1) + b"\xff",
    "surrogates": b"s" + count(3) + "\ud800".encode("utf-8", "surrogatepass"),
    "no date": b"D" + encode((2024, 13, 1)),
    "half a date": b"D" + encode((2024, 1)),
    "a date of text": b"D" + encode(("2024", 1, 1)),
    "a zone that is text": b"W" + encode((2024, 1, 1, 0, 0, 0, 0, "UTC", 0)),
    "a zone too far": b"O" + encode((datetime.timedelta(days=2),)),
    "no number": b"N" + encode("ten"),
    "a number of a list": b"N" + encode([1]),
    "long number": b"N" + encode("1" * 200_000),
    "a range without step": b"r" + encode(1) + encode(2) + encode(0),
    "a range of floats": b"r" + encode(1.0) + encode(2) + encode(1),
    "a huge timedelta": b"J" + encode((10**30, 0, 0)),
    "no type of that name": b"\x80\x04c",
    "a pickle": b"cos\nsystem\n(S'id'\ntR.",
    "many small lists": b"l" + count(200_000) + (b"l" + count(0)) * 200_000,
    "many small sets": b"l" + count(200_000) + (b"h" + count(0)) * 200_000,
    "many references": b"L" + count(500_000) + (b"@" + count(0)) * 500_000,
    "one hash": b"m" + count(100_000) + b"".join(encode(i * (2**61 - 1)) + b"n" for i in range(1, 100_001)),
    "one hash in a set": b"h" + count(100_000) + b"".join(encode(i * (2**61 - 1)) for i in range(1, 100_001)),
    "wide text": b"s" + count(900_004) + b"a" * 900_000 + "\U0001f600".encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes(name):
    start = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(BadMessage):
            decode(HOSTILE[name], 1_000_000 if name not in ("one hash", "one hash in a set") else None)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000 or name.startswith("one hash")
    finally:
        tracemalloc.stop()
    assert time.process_time() - start < 2


def test_depth():
    value = None
    for _ in range(MOST_DEPTH):
        value = [value]
    assert decode(encode(value)) == value
    with pytest.raises(CannotCross, match="containers within each other"):
        encode([value])


def test_identity():
    inner = [1]
    value = {"a": inner, "b": inner, "c": (inner, inner)}
    value["self"] = value
    found = decode(encode(value))
    assert found["self"] is found and found["a"] is found["b"] is found["c"][0] is found["c"][1]
    nested = []
    nested.append((nested,))
    found = decode(encode(nested))
    assert found[0][0] is found
    wide = [[]]
    for _ in range(50):
        wide = [wide, wide]
    assert len(encode(wide)) < 2000


class Number(int):
    pass


@pytest.mark.parametrize("value,place,kind", [
    (len, "", "a function"), ([1, {"a": (2, Number)}], "[1]['a'][1]", "a class"), ({1: Number(5)}, "[1]", "an object of type 'Number'"),
    ({len: 1}, " (a key)", "a function"), ({frozenset([len])}, " (an item)", "a function"), ([os], "[0]", "an object of type 'module'"),
    ({"x" * 100: len}, "['" + "x" * 56 + "...]", "a function"),
])
def test_what_cannot_cross(value, place, kind):
    with pytest.raises(CannotCross) as caught:
        encode(value)
    assert (place_of(value), caught.value.kind) == (place, kind)


def test_special_numbers():
    for value in (float("inf"), float("-inf"), -0.0, decimal.Decimal("-0"), decimal.Decimal("sNaN123"), decimal.Decimal("1E+999999"), 2**63, -2**63 - 1, 10**3000):
        assert repr(decode(encode(value))) == repr(value) if not isinstance(value, int) else decode(encode(value)) == value
    assert decode(encode(float("nan"))) != decode(encode(float("nan")))


@given(st.lists(VALUES, max_size=3), st.integers(1, 40))
def test_messages_in_pieces(values, piece):
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    data = b"".join(frame(70, value, value) for value in values)
    channel = Channel(ours.detach(), 1_000_000, True)
    theirs.settimeout(5)
    at = 0
    for value in values:
        while at < len(data):
            theirs.sendall(data[at: at + piece * 100])
            at += piece * 100
        kind, head, body = channel.receive(time.monotonic() + 5)
        assert kind == 70 and types_of(head) == types_of(body) == types_of(value)
    with pytest.raises(DeadlinePassed):
        channel.receive(time.monotonic() + 0.001)
    theirs.close()
    with pytest.raises(ChannelClosed):
        channel.receive(time.monotonic() + 5)
    channel.close()
    with pytest.raises(ChannelClosed):
        channel.send(b"x")


def test_a_worker_that_does_not_read():
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    channel = Channel(ours.detach(), 1_000_000, True)
    with pytest.raises(DeadlinePassed):
        channel.send(frame(1, bytes(10_000_000)), time.monotonic() + 0.05)
    theirs.close()
