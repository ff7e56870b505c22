/* How array.array keeps its items, and items read and written in place. */
#ifndef KIMI_ARRAYS_H
#define KIMI_ARRAYS_H

#include <Python.h>
#include <stdint.h>
#include <string.h>
#include "type_flags.h"

typedef struct { char typecode; int itemsize; } KArrayKind;
typedef struct { PyObject_VAR_HEAD char *items; Py_ssize_t allocated; const KArrayKind *kind; } KArray;

/* Whether this is array.array itself, once k_use_array (costs.h) has seen that its items are where they are expected. */
#define k_is_array(type) ((k_flags_of(type) & K_ARRAY) != 0)

#define K_READ_AS(type) { type x; memcpy(&x, at, sizeof x); *i = (int64_t)x; return 1; }

/* Item of an array: 1 for an int (*i), 2 for a float (*d), 0 for what the array itself is to be asked for. */
static inline int k_array_get(PyObject *o, int64_t index, int64_t *i, double *d)
{
    KArray *a = (KArray *)o;
    const char *at;
    float f;
    uint64_t large;
    if (index < 0) index += Py_SIZE(o);
    if ((uint64_t)index >= (uint64_t)Py_SIZE(o)) return 0;
    at = a->items + index * a->kind->itemsize;
    switch (a->kind->typecode) {
    case 'd': memcpy(d, at, sizeof *d); return 2;
    case 'f': memcpy(&f, at, sizeof f); *d = f; return 2;
    case 'b': K_READ_AS(signed char)
    case 'B': K_READ_AS(unsigned char)
    case 'h': K_READ_AS(short)
    case 'H': K_READ_AS(unsigned short)
    case 'i': K_READ_AS(int)
    case 'I': K_READ_AS(unsigned int)
    case 'l': K_READ_AS(long)
    case 'q': K_READ_AS(long long)
    case 'L': case 'Q':
        if (a->kind->itemsize != 8) return 0;
        memcpy(&large, at, sizeof large);
        if (large > INT64_MAX) return 0;
        *i = (int64_t)large;
        return 1;
    }
    return 0;
}

#define K_WRITE_AS(type, least, most) \
    if (number < (least) || number > (most)) return 0; \
    { type x = (type)number; memcpy(at, &x, sizeof x); return 1; }

/* array[index] = a number: 1, or 0 for what the array itself is to be asked for, errors included. */
static inline int k_array_set_int(PyObject *o, int64_t index, int64_t number)
{
    KArray *a = (KArray *)o;
    char *at;
    double d = (double)number;
    if (index < 0) index += Py_SIZE(o);
    if ((uint64_t)index >= (uint64_t)Py_SIZE(o)) return 0;
    at = a->items + index * a->kind->itemsize;
    switch (a->kind->typecode) {
    case 'd': memcpy(at, &d, sizeof d); return 1;
    case 'b': K_WRITE_AS(signed char, SCHAR_MIN, SCHAR_MAX)
    case 'B': K_WRITE_AS(unsigned char, 0, UCHAR_MAX)
    case 'h': K_WRITE_AS(short, SHRT_MIN, SHRT_MAX)
    case 'H': K_WRITE_AS(unsigned short, 0, USHRT_MAX)
    case 'i': K_WRITE_AS(int, INT_MIN, INT_MAX)
    case 'I': K_WRITE_AS(unsigned int, 0, (int64_t)UINT_MAX)
    case 'l': K_WRITE_AS(long, LONG_MIN, LONG_MAX)
    case 'q': K_WRITE_AS(long long, LLONG_MIN, LLONG_MAX)
    }
    return 0;
}
static inline int k_array_set_float(PyObject *o, int64_t index, double number)
{
    KArray *a = (KArray *)o;
    if (index < 0) index += Py_SIZE(o);
    if ((uint64_t)index >= (uint64_t)Py_SIZE(o) || a->kind->typecode != 'd') return 0;
    memcpy(a->items + index * sizeof number, &number, sizeof number);
    return 1;
}

#endif
