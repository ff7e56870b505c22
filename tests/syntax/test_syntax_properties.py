"""Random programs: the dump of our tree is the host's."""
import ast
import sys
import warnings

import pytest

hypothesis = pytest.importorskip("hypothesis")
hypothesmith = pytest.importorskip("hypothesmith")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from kimi_runtime.syntax.parser import parse  # noqa: E402
from trees import host_tree  # noqa: E402

from kimi_runtime.syntax.dump import dump  # noqa: E402


def both(source, mode="exec"):
    """The host's tree and ours, or an error each."""
    results = []
    for read in (lambda: ast.dump(host_tree(source, mode), include_attributes=True),
                 lambda: dump(parse(source, mode=mode), include_attributes=True)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results.append(read())
            except (SyntaxError, ValueError) as error:
                results.append(error)
    return results


def check(source):
    theirs, ours = both(source)
    if isinstance(theirs, str):
        assert ours == theirs
    elif sys.version_info >= (3, 12) and not isinstance(ours, str):
        assert type(ours) is type(theirs)


@given(hypothesmith.from_grammar())
def test_random_grammar(source):
    check(source)


# Drawing a tree costs many times what a grammar sample costs, so there are fewer of them.
@hypothesis.settings(max_examples=max(10, hypothesis.settings.default.max_examples // 10))
@given(hypothesmith.from_node())
def test_random_trees(source):
    check(source)


EXPRESSION_WORDS = st.sampled_from(
    "a b 1 'c' f'{d}' ( ) [ ] { } , : . + - * ** not in is and or if else lambda await yield for async := = "
    "== < ~ @ None ... *a **b x:y".split()
)


@given(st.lists(EXPRESSION_WORDS, min_size=1, max_size=12))
def test_random_words(words):
    """Almost all of these are wrong; the ones that aren't have the same tree."""
    source = " ".join(words)
    theirs, ours = both(source)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert ours == theirs
    else:
        assert type(ours) is type(theirs)


@given(st.text(alphabet="ab1 \t\n\f\\'\"#(){}[]f:=!é€\x00\r,", max_size=30))
def test_random_text(source):
    theirs, ours = both(source)
    if isinstance(theirs, str):
        assert ours == theirs


@given(st.text(alphabet="xNuU0{}7\\'\"\nab8é", max_size=12), st.sampled_from(["", "b", "r", "u", "f", "rb", "'''", "f'''"]))
def test_random_strings(body, prefix):
    quote = "'''" if prefix.endswith("'''") else "'"
    source = prefix.rstrip("'") + quote + body + quote
    theirs, ours = both(source)
    if isinstance(theirs, str):
        assert ours == theirs


@given(st.text(alphabet="0123456789_.eExXoObBjJ+-aF", min_size=1, max_size=12))
def test_random_numbers(text):
    theirs, ours = both(text)
    assert isinstance(ours, str) == isinstance(theirs, str)
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert (ours.msg, ours.offset) == (theirs.msg, theirs.offset)
