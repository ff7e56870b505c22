# Functions of `math` that compiled code calls by itself: those of the C library that the module's own call.
#
# Compiled code has looked at the arguments: they are no NaN. It leaves where the result is none that the module would give,
# and the interpreter calls the module, which raises.

from libc.math cimport (
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1, log, log2, log10, log1p, cbrt, atan2, fmod, sqrt,
)

import math as host_math

cdef int64_t hot_isqrt(int64_t n) noexcept:
    """The integer square root; -1 of a negative number."""
    cdef int64_t r
    if n < 0:
        return -1
    r = <int64_t>sqrt(<double>n)
    if r > 3037000499:          # that of 2 ** 63 - 1
        r = 3037000499
    while r * r > n:
        r -= 1
    while r < 3037000499 and (r + 1) * (r + 1) <= n:
        r += 1
    return r

cdef int64_t hot_gcd(int64_t a, int64_t b) noexcept:
    """The greatest common divisor; -1 where it is 2 ** 63."""
    cdef uint64_t x = <uint64_t>0 - <uint64_t>a if a < 0 else <uint64_t>a
    cdef uint64_t y = <uint64_t>0 - <uint64_t>b if b < 0 else <uint64_t>b
    cdef uint64_t t
    while y:
        t = x % y
        x = y
        y = t
    return <int64_t>x if x <= <uint64_t>0x7fffffffffffffff else -1

cdef dict hot_math_addresses = {
    "sin": <size_t>sin, "cos": <size_t>cos, "tan": <size_t>tan, "asin": <size_t>asin, "acos": <size_t>acos, "atan": <size_t>atan,
    "sinh": <size_t>sinh, "cosh": <size_t>cosh, "tanh": <size_t>tanh, "asinh": <size_t>asinh, "acosh": <size_t>acosh,
    "atanh": <size_t>atanh, "exp": <size_t>exp, "exp2": <size_t>exp2, "expm1": <size_t>expm1, "log": <size_t>log,
    "log2": <size_t>log2, "log10": <size_t>log10, "log1p": <size_t>log1p, "cbrt": <size_t>cbrt, "atan2": <size_t>atan2,
    "pow": <size_t>pow, "fmod": <size_t>fmod, "isqrt": <size_t>hot_isqrt, "gcd": <size_t>hot_gcd,
}

# By their address: what compiled code knows, with those that it needs no function for.
cdef dict hot_math_names = {
    id(getattr(host_math, name)): "math." + name
    for name in (*hot_math_addresses, "sqrt", "floor", "ceil", "trunc", "fabs", "copysign", "degrees", "radians", "isnan", "isinf",
                 "isfinite")
}
