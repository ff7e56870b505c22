"""Invalid sources in CPython's tests for which our error is another one, with the reason."""
import re

PEP_758 = "except without parentheses is valid in the grammar of 3.14"
PEP_701 = "valid in the f-string grammar of 3.12"
BYTES = "CPython decodes the bytes of a string literal apart, and counts from its quote"
STAR = "CPython's rule for a star without a value comes before its rule for the order of arguments"
OWN_QUOTES = "with the grammar of 3.12 the f-string goes on in the next line"
NEWER = "valid in the grammar of 3.14"

_PATTERNS = (
    (re.compile(r"except\*? [A-C](, [A-C])+:"), PEP_758),
    (re.compile(r"Python = \"\udccf"), BYTES),
    (re.compile(r"N\{LEFT CURLY BRACKET\}|f'result: \{value:\{width:\{0\}\}"), PEP_701),
    (re.compile(r"^f\(\*\*x, \*\)"), STAR),
    (re.compile(r"^f'\{\n\}'$"), OWN_QUOTES),
    (re.compile(r"^type \w+|^(def|class) \w+\["), NEWER),
)


def reason(source):
    """Return why the errors for ``source`` may differ, or None."""
    if isinstance(source, bytes):
        source = source.decode("ascii", "surrogateescape")
    for pattern, text in _PATTERNS:
        if pattern.search(source):
            return text
    return None
