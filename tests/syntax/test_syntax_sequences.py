"""Short random sequences of words in all places of the grammar, against CPython.

Most are wrong: both must refuse them, nearly always with the same message and place; where
they are right the trees must be equal.  ``KIMI_SEQUENCES`` sets how many per place.
"""
import os
import random
import sys

import pytest
from error_cases import facts
from known_differences import reason
from trees import difference, host_tree

from kimi_runtime.syntax.parser import parse

COUNT = int(os.environ.get("KIMI_SEQUENCES", "400"))

# place: text before, text after, words
PLACES = {
    "parameters": ("def f(", "): pass", "a b =1 , * ** / :int ( ) ="),
    "lambda parameters": ("x = lambda ", ": 0", "a =1 , * ** / ( ) : b"),
    "call": ("f(", ")", "a , =1 * ** for b in := ( ) . 1 ="),
    "bases": ("class A(", "): pass", "a , =1 * ** for b c"),
    "with": ("with ", ": pass", "a as b , ( ) * := yield f() for in"),
    "pattern": ("match x:\n case ", ": pass", "a 1 - + 2j _ , * | ( ) [ ] as . = None 's'"),
    "class pattern": ("match x:\n case A(", "): pass", "a 1 , = * . | _ as ( )"),
    "mapping pattern": ("match x:\n case {", "}: pass", "a 1 : , ** - 'k' . None rest"),
    "imports": ("", "", "import from a . , as * ( ) ..."),
    "import names": ("from a import ", "", "a , as b * ( ) ."),
    "subscript": ("x[", "]", "a : , * := =1 1 -"),
    "braces": ("{", "}", "a : , * ** for in b 1 :="),
    "brackets": ("[", "]", "a , * for in b if else async not"),
    "parentheses": ("(", ")", "a , * for in b if := yield = ** else"),
    "replacement field": ("f'{", "}'", "a = ! r : , * yield lambda { } 1"),
    "assignment": ("", "", "a = , * : ( ) 1 += yield := [ ] . f()"),
    "del": ("del ", "", "a , ( ) [ ] . * 1 f()"),
    "for": ("for ", ": pass", "a , in b * ( ) 1 . else"),
    "except": ("try: pass\n", ": pass", "except a as b * ( ) finally else"),
    "expression": ("", "", "a if else not and in is == + - lambda : 1 or await **"),
    "statements": ("", "", "return yield raise global a , from assert pass ; \n print 1 ="),
    "decorator": ("@", "\ndef f(): pass", "a . ( ) [ ] := , 1 ="),
    "if": ("if ", "pass", "a : := = \n  == else ( ) ,"),
    "strings": ("x = ", "", "'a' b'c' f'{d}' u'e' r'\\' ( ) + , name"),
}
if sys.version_info >= (3, 12):
    PLACES["type parameters"] = ("class f[", "]: pass", "T : , * ** int ( )")


def read(function, source):
    try:
        return function(source)
    except SyntaxError as error:
        return error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_sequences(place):
    before, after, words = PLACES[place]
    words = [word for word in words.split(" ") if word]
    chance = random.Random(place)
    refused = agreed = 0
    examples = []
    for _ in range(COUNT):
        source = before + " ".join(chance.choice(words) for _ in range(chance.randrange(7))) + after
        theirs = read(host_tree, source)
        ours = read(lambda text: parse(text, "<unknown>"), source)
        if not isinstance(theirs, SyntaxError):
            assert not isinstance(ours, SyntaxError), (source, ours)
            assert difference(ours, theirs) is None, source
        elif reason(source) is None:
            assert isinstance(ours, SyntaxError), source
            refused += 1
            if facts(ours) == facts(theirs):
                agreed += 1
            else:
                examples.append((source, facts(theirs), facts(ours)))
    assert agreed >= 0.97 * refused, examples[:5]
