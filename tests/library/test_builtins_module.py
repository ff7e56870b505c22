"""What a guest sets in its module `builtins`, all its code sees, and no other guest."""

from __future__ import annotations

import contextlib
import io

import kimi_runtime as kr

SOURCE = """
import builtins
builtins.input = lambda prompt=None: 'mine'
def f(): return input('q')
print(f(), input())
exec('print(input())')
builtins.zz = 5
print(zz)
del builtins.zz
try: zz
except NameError as error: print(error)
try: del builtins.zz
except AttributeError: print('not there')
real = print
builtins.print = lambda *values: real('P', *values)
print(1)
builtins.print = real
for k in range(3):
    builtins.len = lambda x: k
    print(len([]), builtins.len([]))
"""


def test_all_code_of_the_guest_sees_it():
    expected = "mine mine\nmine\n5\nname 'zz' is not defined\nnot there\nP 1\n0 0\n1 1\n2 2\n"
    assert kr.run(SOURCE, check=True).stdout == expected


def test_no_other_guest_does():
    kr.run("import builtins\nbuiltins.len = lambda x: 99\nbuiltins.planted = 1", check=True)
    assert kr.run("import builtins\nlen([]), hasattr(builtins, 'planted')", check=True).value == (0, False)


def test_its_class_cannot_be_changed():
    assert kr.run("import builtins\ntype(builtins).x = 1").error.type == "TypeError"
    assert kr.run("import builtins\ntype(builtins).__setattr__ = print").error.type == "TypeError"
    assert kr.run("import builtins\ntype(builtins).__setattr__.__globals__").error.type == "AttributeError"


MOCKED = """
from unittest import mock
def ask(): return input('name? ')
with mock.patch('builtins.input', return_value='bob') as asked:
    print(ask(), asked.call_args)
@mock.patch('builtins.input', side_effect=['1', '2'])
def add(_): return int(ask()) + int(ask())
print(add())
with mock.patch('builtins.print') as printed:
    print('unseen')
print(printed.call_args, printed.call_count)
with mock.patch('builtins.open', mock.mock_open(read_data='one\\ntwo')) as opened:
    with open('f.txt') as f: print(f.read())
print(opened.call_args_list)
with mock.patch('builtins.fresh', 5, create=True): print(fresh)
try: fresh
except NameError as error: print(error)
"""


def test_mock_replaces_builtins():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(MOCKED, {"__name__": "__main__"})
    assert kr.run(MOCKED, check=True).stdout == out.getvalue()
