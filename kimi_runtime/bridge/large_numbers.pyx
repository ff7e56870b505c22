# cython: binding=False, wraparound=True, boundscheck=True
"""Functions of the host on ints whose results, or whose way to them, can be out of all proportion to their arguments.

They ask the core whether the run can afford it before they begin. See ``vm/bigints.pxi``.
"""
import builtins
import math

LOG2_E = 1.4426950408889634


cdef frozenset POW_NAMES = frozenset(("base", "exp", "mod"))


cdef object as_int(value):
    """The int of a value that the host's function would take for one; None otherwise, and the host's function says so."""
    if type(value) is int:
        return value
    if isinstance(value, int):
        return int(value)
    return None


def pow(*args, **keywords):
    """Equivalent to base**exp with 2 arguments or base**exp % mod with 3 arguments.

    Some types, such as ints, are able to use a more efficient algorithm when
    invoked using the three argument form.
    """
    from kimi_runtime import _core
    given = dict(zip(("base", "exp", "mod"), args), **keywords)
    if len(args) > 3 or len(given) != len(args) + len(keywords) or not {"base", "exp"} <= given.keys() <= POW_NAMES:
        return builtins.pow(*args, **keywords)              # which says what is wrong
    base, exp, mod = given["base"], given["exp"], given.get("mod")
    b, e = as_int(base), as_int(exp)
    m = None if mod is None else as_int(mod)
    if b is not None and e is not None and (mod is None or m is not None):
        _core.afford_power(b, e, m)
    return builtins.pow(base, exp) if mod is None else builtins.pow(base, exp, mod)


pow.__module__ = "builtins"


cdef double factorial_bits(n) except? -1:
    """About log2(n!), by Stirling."""
    cdef double x = min(n, 1 << 60)
    return 0.0 if x < 2 else x * (math.log2(x) - LOG2_E) + 1


def factorial(n, /):
    """Find n!.

Raise a ValueError if x is negative or non-integral."""
    from kimi_runtime import _core
    value = as_int(n)
    if value is not None and value > 2000:
        _core.afford_digits(factorial_bits(value), 0)
    return math.factorial(n)


def comb(n, k, /):
    """Number of ways to choose k items from n items without repetition and without order.

Evaluates to n! / (k! * (n - k)!) when k <= n and evaluates
to zero when k > n.

Also called the binomial coefficient because it is equivalent
to the coefficient of k-th term in polynomial expansion of the
expression (1 + x)**n.

Raises TypeError if either of the arguments are not integers.
Raises ValueError if either of the arguments are negative."""
    from kimi_runtime import _core
    a, b = as_int(n), as_int(k)
    if a is not None and b is not None and a > 2000 and 0 < b < a:
        b = min(b, a - b)
        bits = factorial_bits(a) - factorial_bits(b) - factorial_bits(a - b) if a < 1 << 50 else float(b) * a.bit_length()
        _core.afford_digits(max(bits, 0.0), float(min(b, 1 << 60)))
    return math.comb(n, k)


def perm(n, k=None, /):
    """Number of ways to choose k items from n items without repetition and with order.

Evaluates to n! / (n - k)! when k <= n and evaluates
to zero when k > n.

If k is not specified or is None, then k defaults to n
and the function returns n!.

Raises TypeError if either of the arguments are not integers.
Raises ValueError if either of the arguments are negative."""
    from kimi_runtime import _core
    a, b = as_int(n), as_int(n if k is None else k)
    if a is not None and b is not None and a > 2000 and 0 < b <= a:
        _core.afford_digits(float(min(b, 1 << 60)) * a.bit_length(), float(min(b, 1 << 60)))
    return math.perm(n, k)


for function in (factorial, comb, perm):
    function.__module__ = "math"
del function
