/* Arithmetic on ints that are too large for a register's 64 bits but fit 127: products of two such values, and what is left of
   them by a modulus, without int objects for the operands and without CPython's general algorithms. */
#ifndef KIMI_WIDE_INTS_H
#define KIMI_WIDE_INTS_H

enum { K_WIDE_ADD, K_WIDE_SUB, K_WIDE_MUL, K_WIDE_MOD, K_WIDE_FLOORDIV, K_WIDE_NONE };
enum { K_WIDE_ERROR = -1, K_WIDE_NO = 0, K_WIDE_INT = 1, K_WIDE_OBJECT = 2 };

#if defined(__SIZEOF_INT128__) && PyLong_SHIFT == 30
/* The value of an exact int of at most five digits below 2 ** 126: 1, or 0 for a larger one. The object is borrowed. */
static inline int k_wide_value(PyObject *o, __int128 *value)
{
#if PY_VERSION_HEX >= 0x030C0000
    uintptr_t tag = ((PyLongObject *)o)->long_value.lv_tag;
    Py_ssize_t n = (Py_ssize_t)(tag >> 3);
    int negative = (tag & 3) == 2;
    const digit *d = ((PyLongObject *)o)->long_value.ob_digit;
#else
    Py_ssize_t n = Py_SIZE(o);
    int negative = n < 0;
    const digit *d = ((PyLongObject *)o)->ob_digit;
    if (negative) n = -n;
#endif
    __int128 w = 0;
    if (n > 5 || (n == 5 && d[4] >= 1 << 6)) return 0;
    while (n > 0) w = (w << PyLong_SHIFT) | d[--n];
    *value = negative ? -w : w;
    return 1;
}

/* b <op> c; of each operand the object, or NULL for the number beside it. K_WIDE_INT: the result is in *small, K_WIDE_OBJECT: in
   *made, a new reference; K_WIDE_NO: not covered; K_WIDE_ERROR: no memory. Both objects are exact ints, borrowed. */
static int k_wide_binary(int op, PyObject *bo, int64_t bi, PyObject *co, int64_t ci, int64_t *small, PyObject **made)
{
    __int128 b = bi, c = ci, r, left;
    unsigned __int128 size;
    PyLongObject *o;
    digit *d;
    Py_ssize_t n, i;
    if ((bo && !k_wide_value(bo, &b)) || (co && !k_wide_value(co, &c))) return K_WIDE_NO;
    switch (op) {
    case K_WIDE_ADD: r = b + c; break;
    case K_WIDE_SUB: r = b - c; break;
    case K_WIDE_MUL:
        if (bo || co) return K_WIDE_NO;
        r = b * c;
        break;
    default:
        if (c == 0) return K_WIDE_NO;           /* the error is CPython's to raise */
        r = b / c;
        left = b - r * c;
        if (left != 0 && (left < 0) != (c < 0)) { left += c; r--; }
        if (op == K_WIDE_MOD) r = left;
    }
    if (r >= INT64_MIN && r <= INT64_MAX) { *small = (int64_t)r; return K_WIDE_INT; }
    size = r < 0 ? 0 - (unsigned __int128)r : (unsigned __int128)r;
    n = size >> (4 * PyLong_SHIFT) ? 5 : size >> (3 * PyLong_SHIFT) ? 4 : 3;
    o = _PyLong_New(n);
    if (!o) return K_WIDE_ERROR;
#if PY_VERSION_HEX >= 0x030C0000
    o->long_value.lv_tag = ((uintptr_t)n << 3) | (r < 0 ? 2 : 0);
    d = o->long_value.ob_digit;
#else
    Py_SET_SIZE(o, r < 0 ? -n : n);
    d = o->ob_digit;
#endif
    for (i = 0; i < n; i++) { d[i] = (digit)(size & PyLong_MASK); size >>= PyLong_SHIFT; }
    *made = (PyObject *)o;
    return K_WIDE_OBJECT;
}
#else
static int k_wide_binary(int op, PyObject *bo, int64_t bi, PyObject *co, int64_t ci, int64_t *small, PyObject **made)
{
    return K_WIDE_NO;
}
#endif
#endif
