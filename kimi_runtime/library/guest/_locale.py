"""The "C" locale, which is the only one that guests have; without what ``locale`` makes itself when it is missing here."""

CHAR_MAX = 127
LC_CTYPE = 0
LC_NUMERIC = 1
LC_TIME = 2
LC_COLLATE = 3
LC_MONETARY = 4
LC_MESSAGES = 5
LC_ALL = 6


class Error(Exception):
    """A locale that is not there."""

    __module__ = "locale"


def setlocale(category, locale=None, /):
    """Sets nothing: gives the name of the "C" locale, and raises Error for others."""
    if not isinstance(category, int):
        raise TypeError(f"{type(category).__name__!r} object cannot be interpreted as an integer")
    if locale is not None and not isinstance(locale, str):
        raise TypeError(f"setlocale() argument 2 must be str or None, not {type(locale).__name__}")
    if not LC_CTYPE <= category <= 12:
        raise Error("locale query failed" if locale is None else "unsupported locale setting")
    if locale not in (None, "", "C", "POSIX"):
        raise Error("unsupported locale setting")
    return "C"


def getencoding():
    """The encoding of the "C" locale here, which takes all characters."""
    return "UTF-8"


def localeconv():
    """The conventions of the "C" locale."""
    texts = dict.fromkeys(("int_curr_symbol", "currency_symbol", "mon_decimal_point", "mon_thousands_sep"), "")
    numbers = dict.fromkeys(("int_frac_digits", "frac_digits", "p_cs_precedes", "p_sep_by_space", "n_cs_precedes",
                             "n_sep_by_space", "p_sign_posn", "n_sign_posn"), CHAR_MAX)
    return {**texts, "mon_grouping": [], "positive_sign": "", "negative_sign": "", **numbers,
            "decimal_point": ".", "thousands_sep": "", "grouping": []}
