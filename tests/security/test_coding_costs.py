"""Texts that are encoded or decoded, and powers of 0, 1 and -1, end with the run."""

from __future__ import annotations

import pytest
from attack_costs import attack

import kimi_runtime as kr

SECONDS = 0.25
LATE = 0.25         # at most twice the allowance

# What is made without a limit of time, and what is then to be stopped or refused.
LONG = [
    ("a = 'a\\x80' * 1_000_000", "a.encode('idna')"),
    ("a = 'a\\x80' * 1_000_000", "a.encode('Puny-Code')"),
    ("a = 'a\\x80' * 1_000_000", "bytes(a, 'punycode')"),
    ("a = 'a\\x80' * 1_000_000", "bytearray(a, encoding='idna')"),
    ("a = b'a' * 500_000 + b'-' + b'a' * 500_000", "a.decode('punycode')"),
    ("a = b'a' * 500_000 + b'-' + b'a' * 500_000", "str(a, 'punycode')"),
    ("a = b'xn--' + b'a' * 900 + b'.'\na *= 1000", "a.decode('idna')"),
    ("import codecs\na = 'a\\x80' * 1_000_000", "codecs.encode(a, 'punycode')"),
    ("a = b'\\xff' * 5_000_000", "a.decode('utf-8', 'backslashreplace')"),
    ("a = b'\\xff' * 5_000_000", "a.decode('utf-7', 'replace')"),
    ("a = b'\\xff' * 5_000_000", "str(a, 'utf-7', 'ignore')"),
    ("a = b'\\0\\xdc' * 5_000_000", "a.decode('utf-16-le', 'replace')"),
    ("a = b'\\xff' * 5_000_000", "a.decode('ascii', 'backslashreplace')"),
    ("a = b'\\x81' * 5_000_000", "a.decode('cp1252', 'backslashreplace')"),
    ("a = 'a\\ud800' * 5_000_000", "a.encode('utf-16', 'replace')"),
    ("a = 'a\\ud800' * 5_000_000", "a.encode('utf-32', 'ignore')"),
    ("a = '\\ufdfa' * 5_000_000", "a.encode('latin-1', 'namereplace')"),
    ("a = 'a\\ufdfa' * 5_000_000", "a.encode('ascii', 'namereplace')"),
    ("a = '\\ufdfa' * 5_000_000", "a.encode('cp437', 'namereplace')"),
    ("a = '\\ufdfa' * 5_000_000", "a.encode('cp437', 'xmlcharrefreplace')"),
    ("a = '\\ufdfa' * 5_000_000", "a.encode('shift_jis', 'backslashreplace')"),
    ("a = '\\ufdfa' * 5_000_000", "a.encode('gb18030')"),
    ("a = b'\\xff' * 5_000_000", "a.decode('euc_jp', 'backslashreplace')"),
    ("import codecs\na = '\\ufdfa' * 5_000_000\ne = codecs.getincrementalencoder('gb18030')()", "e.encode(a)"),
    ("a = 1 << 160_000_000", "0 ** a"),
    ("a = 1 << 160_000_000", "(-1) ** a"),
    ("a = 1 << 160_000_000", "pow(1, a)"),
    ("a = 1 << 160_000_000\nimport operator", "operator.pow(1, a)"),
]


@pytest.mark.parametrize(("setup", "expression"), LONG, ids=[expression for _, expression in LONG])
def test_ends_with_the_run(setup, expression):
    error, used = attack(setup, expression, SECONDS)
    assert error is not None, used
    assert error.limit in ("seconds", "memory"), error
    assert used < SECONDS + LATE, error


@pytest.mark.parametrize("program", [
    "'b\\xfccher.example.' .encode('idna'), b'xn--bcher-kva.example'.decode('idna'), 'b\\xfccher'.encode('punycode'), bytes('\\xfc', 'punycode')",
    "[('a\\u4e00\\xe9' * 50_000).encode(c, e) for c in ('utf-8', 'ascii', 'cp1252', 'shift_jis', 'utf-16') for e in ('replace', 'xmlcharrefreplace')]",
    "str(b'\\xe9' * 100_000, 'latin-1'), ('\\xe9' * 1_000_000).encode('latin-1'), ('\\u0416' * 1_000_000).encode('cp1251', 'replace')",
    "b'\\xff\\xfea\\0'.decode('utf-16', errors='replace'), str(encoding='ascii', object=b'a'), bytes(b'a'), bytearray('a', 'ascii'), str(5), str()",
    "0 ** (1 << 1_000_000), 1 ** (1 << 1_000_000), (-1) ** (1 << 1_000_000), (-1) ** ((1 << 1_000_000) + 1), 0 ** 0",
])
def test_what_can_be_afforded(program):
    """Ordinary work has room under an ordinary limit."""
    with kr.Runtime(limits=kr.Limits(seconds=5, memory="1GB")).session() as session:
        assert session.run(program, check=True).value == eval(program)


def test_classes_of_the_host_are_still_made():
    class Text(str):
        __slots__ = ()

    class Named(Text):
        def __new__(cls, value):
            return str.__new__(cls, value)

    assert Named("a") == "a"
    assert bytes.__new__(bytes, "a", "ascii") == b"a"
