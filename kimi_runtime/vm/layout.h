/* The one place that knows struct layouts of CPython that its public headers hide or that differ
   between 3.11, 3.12 and 3.13.  Everything is a static inline function or a macro. */
#ifndef KIMI_LAYOUT_H
#define KIMI_LAYOUT_H

#include <Python.h>
#include <structmember.h>
#include <frameobject.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define K_LIKELY(x) __builtin_expect(!!(x), 1)
#define K_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- exact ints -------------------------------------------------------------------------- */
/* Reads an int that fits 64 bits: 1 and *out, or 0 (too large). PyLong digits have 30 bits. */
static inline int k_long_as_int64(PyObject *o, int64_t *out)
{
#if PY_VERSION_HEX >= 0x030C0000
    uintptr_t tag = ((PyLongObject *)o)->long_value.lv_tag;
    Py_ssize_t n = (Py_ssize_t)(tag >> 3);
    int64_t sign = 1 - (int64_t)(tag & 3);
    const digit *d = ((PyLongObject *)o)->long_value.ob_digit;
    if (K_LIKELY(n <= 1)) { *out = sign * (int64_t)d[0]; return 1; }
#else
    Py_ssize_t n = Py_SIZE(o);
    int64_t sign = n < 0 ? -1 : 1;
    const digit *d = ((PyLongObject *)o)->ob_digit;
    if (K_LIKELY(n == 1 || n == -1)) { *out = sign * (int64_t)d[0]; return 1; }
    if (n == 0) { *out = 0; return 1; }
    if (n < 0) n = -n;
#endif
    if (n == 2) { *out = sign * (int64_t)(((uint64_t)d[1] << PyLong_SHIFT) | d[0]); return 1; }
    if (n == 3 && d[2] <= 7) {
        uint64_t v = ((uint64_t)d[2] << (2 * PyLong_SHIFT)) | ((uint64_t)d[1] << PyLong_SHIFT) | d[0];
        if (d[2] < 8 && v <= (uint64_t)INT64_MAX) { *out = sign * (int64_t)v; return 1; }
        if (sign < 0 && v == (uint64_t)1 << 63) { *out = INT64_MIN; return 1; }
        return 0;
    }
    return 0;
}

static inline int k_add_overflow(int64_t a, int64_t b, int64_t *r) { return __builtin_add_overflow(a, b, r); }
static inline int k_sub_overflow(int64_t a, int64_t b, int64_t *r) { return __builtin_sub_overflow(a, b, r); }
static inline int k_mul_overflow(int64_t a, int64_t b, int64_t *r) { return __builtin_mul_overflow(a, b, r); }

static inline unsigned int k_type_version(PyTypeObject *t) { return t->tp_version_tag; }

/* ---- exception state --------------------------------------------------------------------- */
static inline PyObject **k_handled(PyThreadState *ts) { return &ts->exc_info->exc_value; }

static inline PyObject *k_raised(PyThreadState *ts)
{
#if PY_VERSION_HEX >= 0x030C0000
    return ts->current_exception;
#else
    return ts->curexc_type;
#endif
}

/* Takes the raised exception as one normalised object with its traceback set (new reference), or NULL. */
static inline PyObject *k_take_raised(void)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyErr_GetRaisedException();
#else
    PyObject *t, *v, *tb;
    PyErr_Fetch(&t, &v, &tb);
    if (!t) return NULL;
    PyErr_NormalizeException(&t, &v, &tb);
    if (tb && v) PyException_SetTraceback(v, tb);
    Py_XDECREF(t);
    Py_XDECREF(tb);
    return v;
#endif
}

/* Raises exc as it is (steals the reference; no new context). */
static inline void k_restore_raised(PyObject *exc)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(exc);
#else
    PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(exc)), exc, PyException_GetTraceback(exc));
#endif
}
#endif
