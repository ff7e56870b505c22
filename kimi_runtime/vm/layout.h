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
/* Both ways are taken often: the compiler takes an equality for unlikely, and would put what follows it far away. */
#if (defined(__clang__) && __clang_major__ >= 11) || (!defined(__clang__) && defined(__GNUC__) && __GNUC__ >= 9)
#define K_EVEN(x) __builtin_expect_with_probability(!!(x), 1, 0.5)
#else
#define K_EVEN(x) (!!(x))
#endif

/* ---- exact ints -------------------------------------------------------------------------- */
#ifdef __GNUC__
#define K_INLINE static inline __attribute__((always_inline))
#define K_APART static __attribute__((noinline, cold, unused))
/* A release is three machine instructions, and a call of them more: where the compiler would rather call, it may not. */
#ifndef Py_REF_DEBUG
K_INLINE void (Py_DECREF)(PyObject *o);
#endif
#else
#define K_INLINE static inline
#define K_APART static
#endif

/* The rest of k_long_as_int64. The value comes back in registers: through a pointer, what it is read to would lie in memory. */
typedef struct { int64_t value; int64_t fits; } KWideInt;
K_APART KWideInt k_wide_int(PyObject *o)
{
    KWideInt r = {0, 1};
#if PY_VERSION_HEX >= 0x030C0000
    uintptr_t tag = ((PyLongObject *)o)->long_value.lv_tag;
    Py_ssize_t n = (Py_ssize_t)(tag >> 3);
    int64_t sign = 1 - (int64_t)(tag & 3);
    const digit *d = ((PyLongObject *)o)->long_value.ob_digit;
#else
    Py_ssize_t n = Py_SIZE(o);
    int64_t sign = n < 0 ? -1 : 1;
    const digit *d = ((PyLongObject *)o)->ob_digit;
    if (n < 0) n = -n;
#endif
    if (n == 2) { r.value = sign * (int64_t)(((uint64_t)d[1] << PyLong_SHIFT) | d[0]); return r; }
    if (n == 3 && d[2] <= 7) {
        uint64_t v = ((uint64_t)d[2] << (2 * PyLong_SHIFT)) | ((uint64_t)d[1] << PyLong_SHIFT) | d[0];
        if (v <= (uint64_t)INT64_MAX) { r.value = sign * (int64_t)v; return r; }
        if (sign < 0 && v == (uint64_t)1 << 63) { r.value = INT64_MIN; return r; }
    }
    r.fits = 0;
    return r;
}

/* Reads an int that fits 64 bits: 1 and *out, or 0 (too large). PyLong digits have 30 bits. */
K_INLINE int k_long_as_int64(PyObject *o, int64_t *out)
{
    KWideInt wide;
#if PY_VERSION_HEX >= 0x030C0000
    uintptr_t tag = ((PyLongObject *)o)->long_value.lv_tag;
    if (K_LIKELY(tag < (2 << 3))) {
        *out = (1 - (int64_t)(tag & 3)) * (int64_t)((PyLongObject *)o)->long_value.ob_digit[0];
        return 1;
    }
#else
    Py_ssize_t n = Py_SIZE(o);
    if (K_LIKELY((size_t)n + 1 < 3)) { *out = n * (int64_t)((PyLongObject *)o)->ob_digit[0]; return 1; }
#endif
    wide = k_wide_int(o);
    *out = wide.value;
    return wide.fits != 0;
}

/* Whether objects of the type are for certain no number, bool or None that a register holds by itself: most objects are told
   by one look. */
K_INLINE int k_stays_object(PyTypeObject *t)
{
    return (t->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS
                           | Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS | Py_TPFLAGS_BASE_EXC_SUBCLASS
                           | Py_TPFLAGS_TYPE_SUBCLASS)) != 0;
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

/* Who watches a dict is noted in the low bits of its version tag. */
#if PY_VERSION_HEX >= 0x030C0000
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#define K_WATCHERS(dict) (((PyDictObject *)(dict))->ma_version_tag)
#endif

/* ---- dict keys --------------------------------------------------------------------------- */
/* Mirror of struct _dictkeysobject, the same from 3.11 to 3.13 (builds with a GIL). k_layout_selftest, run at import,
   proves the mirror; when it fails the caches that rely on it stay off. */
typedef struct {
    Py_ssize_t dk_refcnt;
    uint8_t dk_log2_size;
    uint8_t dk_log2_index_bytes;
    uint8_t dk_kind;            /* 0 general, 1 only str keys, 2 split (shared keys) */
    uint32_t dk_version;        /* 0: none; reset by CPython whenever a key is added or removed */
    Py_ssize_t dk_usable;
    Py_ssize_t dk_nentries;
    char dk_indices[];
} KDictKeys;

typedef struct { PyObject *key; PyObject *value; } KDictEntry;
typedef struct { Py_hash_t hash; PyObject *key; PyObject *value; } KGeneralEntry;     /* of tables of kind 0 */

static int k_layout_ok = 0;
static inline void k_layout_ok_set(int on) { k_layout_ok = on; }
static inline int k_layout_is_ok(void) { return k_layout_ok; }
/* Our own version numbers, far above those that CPython hands out from 1 up. */
static uint32_t k_next_keys_version = 0x80000000u;

static inline KDictKeys *k_dict_keys(PyObject *dict) { return (KDictKeys *)((PyDictObject *)dict)->ma_keys; }
static inline KDictEntry *k_entries(KDictKeys *k)
{
    return (KDictEntry *)(k->dk_indices + ((size_t)1 << k->dk_log2_index_bytes));
}

/* Version of the key set (never 0 when the caches work), or 0. */
static inline uint32_t k_keys_version(KDictKeys *k)
{
    if (k->dk_version == 0) {
        if (!k_layout_ok || k_next_keys_version == 0) return 0;
        k->dk_version = k_next_keys_version++;
    }
    return k->dk_version;
}

/* The hash of a str; -1, with no exception set, when the run is to stop just now (the next safepoint says so again). */
static inline Py_hash_t k_hash_of_str(PyObject *key)
{
    Py_hash_t hash = ((PyASCIIObject *)key)->hash;
    if (K_UNLIKELY(hash == -1)) {
        hash = PyObject_Hash(key);
        if (hash == -1) PyErr_Clear();
    }
    return hash;
}

/* Index of an interned str key in a table of str keys, or -1. */
static inline Py_ssize_t k_keys_index(KDictKeys *k, PyObject *key)
{
    Py_ssize_t i;
    Py_hash_t hash;
    PyObject *other;
    if (k->dk_kind == 0) return -1;
    for (i = 0; i < k->dk_nentries; i++)
        if (k_entries(k)[i].key == key) return i;
    /* The same name may be in there as another str object, put in through __dict__. */
    hash = k_hash_of_str(key);
    if (hash == -1) return -1;
    for (i = 0; i < k->dk_nentries; i++) {
        other = k_entries(k)[i].key;
        if (other && ((PyASCIIObject *)other)->hash == hash && PyUnicode_Compare(other, key) == 0) return i;
    }
    return -1;
}

/* Index of the key in a dict that has only str keys and owns its table, or -1; *version gets the table's version. */
static inline Py_ssize_t k_dict_index(PyObject *dict, PyObject *key, uint32_t *version)
{
    KDictKeys *k = k_dict_keys(dict);
    if (!k_layout_ok || k->dk_kind != 1 || ((PyDictObject *)dict)->ma_values) { *version = 0; return -1; }
    *version = k_keys_version(k);
    return k_keys_index(k, key);
}
static inline uint32_t k_dict_version(PyObject *dict) { return k_dict_keys(dict)->dk_version; }
static inline PyObject *k_dict_value_at(PyObject *dict, Py_ssize_t i) { return k_entries(k_dict_keys(dict))[i].value; }

/* ---- instances with inline values -------------------------------------------------------- */
#if PY_VERSION_HEX >= 0x030D0000
typedef struct { uint8_t capacity, size, embedded, valid; PyObject *values[1]; } KValues;
#define K_INLINE_FLAG (1UL << 2)
#else
typedef struct { PyObject *values[1]; } KValues;
#define K_INLINE_FLAG Py_TPFLAGS_MANAGED_DICT
#endif

static inline int k_type_has_values(PyTypeObject *t) { return (t->tp_flags & K_INLINE_FLAG) != 0; }
static inline int k_type_managed_dict(PyTypeObject *t) { return (t->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0; }
static inline KDictKeys *k_type_keys(PyTypeObject *t) { return (KDictKeys *)((PyHeapTypeObject *)t)->ht_cached_keys; }

/* The instance's value table, or NULL when it has a dict of its own. For types with k_type_has_values. */
static inline PyObject **k_values(PyObject *o)
{
#if PY_VERSION_HEX >= 0x030D0000
    KValues *v = (KValues *)((char *)o + Py_TYPE(o)->tp_basicsize);
    return v->valid ? v->values : NULL;
#elif PY_VERSION_HEX >= 0x030C0000
    char *p = ((char **)o)[-3];
    return ((uintptr_t)p & 1) ? (PyObject **)(p + 1) : NULL;
#else
    return ((PyObject ***)o)[-4];
#endif
}

/* 1 and a new reference, 0 when there is no such attribute, -1 with an exception; *found is NULL unless 1. */
static inline int k_lookup_attr(PyObject *o, PyObject *name, PyObject **found)
{
#if PY_VERSION_HEX >= 0x030D0000
    return PyObject_GetOptionalAttr(o, name, found);
#else
    return _PyObject_LookupAttr(o, name, found);
#endif
}

/* The dict that an instance without a value table has by now: borrowed, or NULL. */
static inline PyObject *k_own_dict(PyObject *o)
{
    PyTypeObject *t = Py_TYPE(o);
    if (t->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        PyObject *d = ((PyObject **)o)[-3];
#if PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030D0000
        if ((uintptr_t)d & 1) return NULL;
#endif
        return d;
    }
    return t->tp_dictoffset > 0 ? *(PyObject **)((char *)o + t->tp_dictoffset) : NULL;
}

/* Records that the so far empty slot ix of the value table is filled now (order of insertion). */
static inline void k_values_inserted(PyObject **values, Py_ssize_t ix)
{
#if PY_VERSION_HEX >= 0x030D0000
    KValues *v = (KValues *)((char *)values - offsetof(KValues, values));
    uint8_t *order = (uint8_t *)&v->values[v->capacity];
    order[v->size++] = (uint8_t)ix;
#else
    uint8_t *size = (uint8_t *)values - 2;
    int n = *size + 1;
    size[-n] = (uint8_t)ix;
    *size = (uint8_t)n;
#endif
}

/* ---- current VM of the thread ------------------------------------------------------------ */
#if defined(__GLIBC__)
static __thread __attribute__((tls_model("initial-exec"))) void *k_thread_vm = NULL;
#else
static __thread void *k_thread_vm = NULL;
#endif
static inline void *k_get_vm(void) { return k_thread_vm; }
static inline void k_set_vm(void *vm) { k_thread_vm = vm; }

/* The innermost frame of CPython's own evaluation loop in this thread: tells whether Python code of the host runs. */
static inline void *k_host_frame_of(PyThreadState *ts)
{
#if PY_VERSION_HEX >= 0x030D0000
    return ts->current_frame;
#else
    return ts->cframe->current_frame;
#endif
}
static inline void *k_host_frame(void) { return k_host_frame_of(PyThreadState_Get()); }

static inline Py_ssize_t k_dict_size(PyObject *d) { return ((PyDictObject *)d)->ma_used; }

/* PyDict_Next without the call, for dicts that own their table. */
static inline int k_dict_next(PyObject *d, Py_ssize_t *pos, PyObject **key, PyObject **value)
{
    KDictKeys *k = k_dict_keys(d);
    Py_ssize_t i = *pos, n;
    if (K_UNLIKELY(!k_layout_ok || ((PyDictObject *)d)->ma_values)) return PyDict_Next(d, pos, key, value);
    n = k->dk_nentries;
    if (k->dk_kind == 0) {
        KGeneralEntry *e = (KGeneralEntry *)k_entries(k);
        while (i < n && !e[i].value) i++;
        if (i >= n) return 0;
        *key = e[i].key;
        *value = e[i].value;
    } else {
        KDictEntry *e = k_entries(k);
        while (i < n && !e[i].value) i++;
        if (i >= n) return 0;
        *key = e[i].key;
        *value = e[i].value;
    }
    *pos = i + 1;
    return 1;
}

/* What super(cls, self) holds; k_super_selftest, run at import, proves it. */
typedef struct { PyObject_HEAD PyTypeObject *cls; PyObject *self; PyTypeObject *self_type; } KSuper;
static int k_super_ok = 0;
static inline int k_super_selftest(PyObject *o, PyTypeObject *cls, PyObject *self)
{
    KSuper *s = (KSuper *)o;
    return k_super_ok = Py_TYPE(o) == &PySuper_Type && PySuper_Type.tp_basicsize >= (Py_ssize_t)sizeof(KSuper)
        && s->cls == cls && s->self == self && s->self_type == Py_TYPE(self);
}
/* The instance that a super object is about, and the class that it looks past: borrowed; NULL for others. */
static inline PyObject *k_super_instance(PyObject *o, PyObject **cls)
{
    KSuper *s = (KSuper *)o;
    if (Py_TYPE(o) != &PySuper_Type || !k_super_ok || s->self == NULL || s->self_type != Py_TYPE(s->self)) return NULL;
    *cls = (PyObject *)s->cls;
    return s->self;
}

/* The same of super(cls, C), which is about a class. */
static inline PyTypeObject *k_super_class(PyObject *o, PyObject **cls)
{
    KSuper *s = (KSuper *)o;
    if (Py_TYPE(o) != &PySuper_Type || !k_super_ok || s->self == NULL || (PyObject *)s->self_type != s->self) return NULL;
    *cls = (PyObject *)s->cls;
    return s->self_type;
}

/* Mirrors of enumerate and zip objects; k_iterators_selftest, run at import, proves them. */
typedef struct { PyObject_HEAD Py_ssize_t index; PyObject *iterator; PyObject *result; PyObject *long_index; } KEnum;
typedef struct { PyObject_HEAD Py_ssize_t size; PyObject *iterators; PyObject *result; int strict; } KZip;
static int k_iterators_ok = 0;
static inline int k_iterators_selftest(PyObject *e, PyObject *z)
{
    KEnum *en = (KEnum *)e;
    KZip *zi = (KZip *)z;
    return k_iterators_ok = Py_TYPE(e) == &PyEnum_Type && Py_TYPE(e)->tp_basicsize >= (Py_ssize_t)sizeof(KEnum)
        && en->index == 5 && en->iterator && Py_TYPE(en->iterator) == &PyListIter_Type && !en->long_index
        && Py_TYPE(z) == &PyZip_Type && Py_TYPE(z)->tp_basicsize >= (Py_ssize_t)sizeof(KZip) - (Py_ssize_t)sizeof(int)
        && zi->size == 2 && zi->iterators && PyTuple_CheckExact(zi->iterators) && PyTuple_GET_SIZE(zi->iterators) == 2
        && zi->strict == 0;
}

static inline PyObject *k_iternext(PyObject *it) { return Py_TYPE(it)->tp_iternext(it); }
/* x ** 2 as pow() gives it; the compiler would make it x * x, whose last bit can differ. */
static inline double k_square(double x)
{
    volatile double two = 2.0;
    return pow(x, two);
}
static inline int k_float_mod(double a, double b, double *out)
{
    double m = fmod(a, b);
    if (m) { if ((b < 0) != (m < 0)) m += b; } else m = copysign(0.0, b);
    *out = m;
    return m == m;
}
static inline int k_float_floordiv(double a, double b, double *out)
{
    double m = fmod(a, b), d = (a - m) / b, f;
    if (m) { if ((b < 0) != (m < 0)) d -= 1.0; }
    if (d) { f = floor(d); if (d - f > 0.5) f += 1.0; } else f = copysign(0.0, a / b);
    *out = f;
    return f == f;
}
static inline void k_unreachable(void) { __builtin_unreachable(); }

/* ---- collections ------------------------------------------------------------------------- */
#if PY_VERSION_HEX >= 0x030D0000     /* exported, but declared only in internal headers */
PyAPI_FUNC(PyObject *) _PyList_Extend(PyListObject *, PyObject *);
PyAPI_FUNC(int) _PySet_Update(PyObject *set, PyObject *iterable);
PyAPI_FUNC(int) _PyDict_MergeEx(PyObject *mp, PyObject *other, int override);
#endif
static inline void k_set_size(PyObject *o, Py_ssize_t n) { ((PyVarObject *)o)->ob_size = n; }
static inline PyObject *k_list_extend(PyObject *l, PyObject *it) { return _PyList_Extend((PyListObject *)l, it); }
static inline int k_set_update(PyObject *s, PyObject *it) { return _PySet_Update(s, it); }
/* Merges a mapping of keyword arguments; a duplicate key is a KeyError with that key. */
static inline int k_dict_merge(PyObject *d, PyObject *o) { return _PyDict_MergeEx(d, o, 2); }

/* ---- types ------------------------------------------------------------------------------- */
static inline int k_is_metaclass(PyObject *o)      /* a class whose calls make classes */
{
    return PyType_Check(o) && PyType_FastSubclass((PyTypeObject *)o, Py_TPFLAGS_TYPE_SUBCLASS);
}
static inline PyObject *k_mro(PyTypeObject *t) { return t->tp_mro; }
/* Namespace of a type, borrowed. Static built-in types of 3.12 and later keep theirs per interpreter. */
static inline PyObject *k_type_dict(PyTypeObject *t)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *d = t->tp_dict;
    if (d == NULL) { d = PyType_GetDict(t); Py_XDECREF(d); }
    return d;
#else
    return t->tp_dict;
#endif
}

/* Replaces the value of an existing entry of a dict of str keys (reference taken over): 1, or 0 when it cannot. */
static inline int k_dict_replace(PyObject *dict, Py_ssize_t i, PyObject *value)
{
    KDictEntry *e = &k_entries(k_dict_keys(dict))[i];
    PyObject *old = e->value;
    if (old == NULL) return 0;
#if PY_VERSION_HEX >= 0x030C0000
    if (K_WATCHERS(dict) & 0xff) return 0;
#endif
    e->value = value;
    Py_DECREF(old);
    return 1;
}
typedef struct { PyObject_HEAD PyObject *start, *stop, *step, *length; } KRange;
typedef struct { PyObject_HEAD PyObject *prop_get; } KProperty;
typedef struct { PyObject_HEAD PyObject *callable; } KStaticMethod;
typedef struct { PyObject_HEAD Py_ssize_t index; PyObject *doc; } KTupleGetter;    /* of named tuples; tested at import */

typedef struct { PyObject_HEAD PyObject *dv_dict; } KDictView;      /* views of dicts; in internal headers since 3.13 */

/* ---- native calls ------------------------------------------------------------------------ */
/* Calls a builtin function or method descriptor by its C signature, anything else by vectorcall. argv[-1] is free for
   the callee. What is skipped is vectorcall's own dispatch and result check. */
static inline PyObject *k_call(PyObject *callee, PyObject **argv, Py_ssize_t n, PyObject *kwnames)
{
    PyTypeObject *t = Py_TYPE(callee);
    PyMethodDef *def;
    PyObject *self;
    if (t == &PyCFunction_Type) {
        def = ((PyCFunctionObject *)callee)->m_ml;
        self = (def->ml_flags & METH_STATIC) ? NULL : ((PyCFunctionObject *)callee)->m_self;
    } else if (t == &PyMethodDescr_Type && n > 0
               && PyObject_TypeCheck(argv[0], ((PyMethodDescrObject *)callee)->d_common.d_type)) {
        def = ((PyMethodDescrObject *)callee)->d_method;
        self = argv[0];
        argv++;
        n--;
    } else
        return PyObject_Vectorcall(callee, argv, (size_t)n | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
    switch (def->ml_flags & (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS | METH_METHOD)) {
    case METH_O:
        if (n == 1 && !kwnames) return def->ml_meth(self, argv[0]);
        break;
    case METH_NOARGS:
        if (n == 0 && !kwnames) return def->ml_meth(self, NULL);
        break;
    case METH_FASTCALL:
        if (!kwnames) return ((_PyCFunctionFast)(void (*)(void))def->ml_meth)(self, argv, n);
        break;
    case METH_FASTCALL | METH_KEYWORDS:
        return ((_PyCFunctionFastWithKeywords)(void (*)(void))def->ml_meth)(self, argv, n, kwnames);
    }
    if (t == &PyMethodDescr_Type) { argv--; n++; }
    return PyObject_Vectorcall(callee, argv, (size_t)n | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
}

/* For calls without keywords of builtin functions and methods, by their C signatures. */
enum { K_CALL_MASK = METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS | METH_METHOD,
       K_CALL_FASTKW = METH_FASTCALL | METH_KEYWORDS, K_CALL_TUPLEKW = METH_VARARGS | METH_KEYWORDS };
#define k_call_kind(def) ((def)->ml_flags & K_CALL_MASK)
static inline PyMethodDef *k_method_for(PyObject *callee, PyObject *self)      /* NULL: not a method of that object */
{
    PyTypeObject *t = ((PyMethodDescrObject *)callee)->d_common.d_type;
    return PyObject_TypeCheck(self, t) ? ((PyMethodDescrObject *)callee)->d_method : NULL;
}
/* Whether the method lives as long as the process: those of static types do. */
static inline int k_method_stays(PyObject *callee)
{
    return !(((PyMethodDescrObject *)callee)->d_common.d_type->tp_flags & Py_TPFLAGS_HEAPTYPE);
}
static inline PyMethodDef *k_function_def(PyObject *callee, PyObject **self)
{
    PyMethodDef *def = ((PyCFunctionObject *)callee)->m_ml;
    *self = (def->ml_flags & METH_STATIC) ? NULL : ((PyCFunctionObject *)callee)->m_self;
    return def;
}
#define k_call_one(def, self, arg) ((def)->ml_meth(self, arg))
#define k_call_fast(def, self, argv, n) (((_PyCFunctionFast)(void (*)(void))(def)->ml_meth)(self, argv, n))
#define k_call_fastkw(def, self, argv, n) \
    (((_PyCFunctionFastWithKeywords)(void (*)(void))(def)->ml_meth)(self, argv, n, NULL))
#define k_call_tuple_keywords(def, self, args) (((PyCFunctionWithKeywords)(void (*)(void))(def)->ml_meth)(self, args, NULL))

/* ---- boxing ------------------------------------------------------------------------------ */
/* The small ints, which the host keeps anyway: each of these is a reference that is never given back. */
static PyObject *k_small_ints[5 + 257];
K_APART PyObject *k_small_int(int64_t v)
{
    return k_small_ints[v + 5] = PyLong_FromLongLong(v);
}

/* New int object; one allocation and no detour for one-digit values. */
static inline PyObject *k_box_int(int64_t v)
{
    PyLongObject *r;
    uint64_t a;
    if ((uint64_t)(v + 5) < 5 + 257) {
        r = (PyLongObject *)k_small_ints[v + 5];
        if (K_UNLIKELY(!r)) r = (PyLongObject *)k_small_int(v);
        if (K_LIKELY(r != NULL)) Py_INCREF(r);
        return (PyObject *)r;
    }
    a = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (a < ((uint64_t)1 << PyLong_SHIFT)) {
        r = (PyLongObject *)PyObject_Malloc(sizeof(PyLongObject));
        if (!r) return PyErr_NoMemory();
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS)
        PyObject_Init((PyObject *)r, &PyLong_Type);
#else
        Py_SET_TYPE(r, &PyLong_Type);
        Py_SET_REFCNT(r, 1);
#endif
#if PY_VERSION_HEX >= 0x030C0000
        r->long_value.lv_tag = ((uintptr_t)1 << 3) | (v < 0 ? 2 : 0);
        r->long_value.ob_digit[0] = (digit)a;
#else
        Py_SET_SIZE(r, v < 0 ? -1 : 1);
        r->ob_digit[0] = (digit)a;
#endif
        return (PyObject *)r;
    }
    return PyLong_FromLongLong(v);
}

/* A store over a number that nothing else refers to changes that object instead of making a new one and freeing it. Small
   ints stay shared objects, as everywhere in CPython. 1: done; 0: store an object. */
static inline int k_rewrite_int(PyObject *old, int64_t v)
{
    uint64_t a = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (Py_REFCNT(old) != 1 || Py_TYPE(old) != &PyLong_Type || (uint64_t)(v + 5) < 5 + 257 || a >> PyLong_SHIFT) return 0;
#if PY_VERSION_HEX >= 0x030C0000
    if (((PyLongObject *)old)->long_value.lv_tag >> 3 == 0) return 0;
    ((PyLongObject *)old)->long_value.lv_tag = ((uintptr_t)1 << 3) | (v < 0 ? 2 : 0);
    ((PyLongObject *)old)->long_value.ob_digit[0] = (digit)a;
#else
    if (Py_SIZE(old) == 0) return 0;
    Py_SET_SIZE(old, v < 0 ? -1 : 1);
    ((PyLongObject *)old)->ob_digit[0] = (digit)a;
#endif
    return 1;
}

static inline int k_rewrite_float(PyObject *old, double d)
{
    if (Py_REFCNT(old) != 1 || Py_TYPE(old) != &PyFloat_Type) return 0;
    ((PyFloatObject *)old)->ob_fval = d;
    return 1;
}

/* ---- dict lookup ------------------------------------------------------------------------- */
/* Exact dicts with int or str keys, without a key object and without calls. A key of another type with the same hash
   (which may compare equal by code of its own) makes them give up. Probing as in CPython's dictobject. */
enum { K_MISSING = 0, K_FOUND = 1, K_GIVE_UP = 2 };

static inline Py_ssize_t k_index_at(KDictKeys *k, size_t i)
{
    if (k->dk_log2_size < 8) return ((int8_t *)k->dk_indices)[i];
    if (k->dk_log2_size < 16) return ((int16_t *)k->dk_indices)[i];
    if (k->dk_log2_size < 32) return ((int32_t *)k->dk_indices)[i];
    return (Py_ssize_t)((int64_t *)k->dk_indices)[i];
}

static inline Py_hash_t k_int_hash(int64_t v)
{
    const uint64_t modulus = ((uint64_t)1 << 61) - 1;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    Py_hash_t h;
    if (u >= modulus) u %= modulus;
    h = v < 0 ? -(Py_hash_t)u : (Py_hash_t)u;
    return h == -1 ? -2 : h;
}

/* *slot = where the value of the key is. */
static int k_dict_search_int(PyObject *dict, int64_t v, PyObject ***slot)
{
    KDictKeys *k = k_dict_keys(dict);
    KGeneralEntry *e;
    Py_hash_t h;
    size_t mask, i, perturb;
    Py_ssize_t ix;
    int64_t found;
    if (!k_layout_ok || k->dk_kind == 2) return K_GIVE_UP;
    if (k->dk_kind == 1) return K_MISSING;
    h = k_int_hash(v);
    mask = ((size_t)1 << k->dk_log2_size) - 1;
    perturb = (size_t)h;
    i = (size_t)h & mask;
    for (;;) {
        ix = k_index_at(k, i);
        if (ix == -1) return K_MISSING;
        if (ix >= 0) {
            e = (KGeneralEntry *)(k->dk_indices + ((size_t)1 << k->dk_log2_index_bytes)) + ix;
            if (e->hash == h) {
                if (Py_TYPE(e->key) != &PyLong_Type) return K_GIVE_UP;
                if (k_long_as_int64(e->key, &found) && found == v) { *slot = &e->value; return K_FOUND; }
            }
        }
        perturb >>= 5;
        i = (i * 5 + perturb + 1) & mask;
    }
}

/* The usual case first: the key in the first place looked at. */
static inline int k_dict_find_int(PyObject *dict, int64_t v, PyObject ***slot)
{
    KDictKeys *k = k_dict_keys(dict);
    KGeneralEntry *e;
    size_t i;
    Py_ssize_t ix;
    int64_t found;
    if (K_LIKELY(k->dk_kind == 0 && (uint64_t)v < ((uint64_t)1 << 60) && k_layout_ok)) {
        i = (size_t)v & (((size_t)1 << k->dk_log2_size) - 1);
        ix = K_LIKELY(k->dk_log2_size < 8) ? ((int8_t *)k->dk_indices)[i] : k_index_at(k, i);
        if (K_LIKELY(ix >= 0)) {
            e = (KGeneralEntry *)(k->dk_indices + ((size_t)1 << k->dk_log2_index_bytes)) + ix;
            if (e->hash == v && Py_TYPE(e->key) == &PyLong_Type && k_long_as_int64(e->key, &found) && found == v) {
                *slot = &e->value;
                return K_FOUND;
            }
        } else if (ix == -1) return K_MISSING;
    }
    return k_dict_search_int(dict, v, slot);
}

/* Whether a dict subclass leaves these to dict itself. */
static inline int k_reads_as_dict(PyTypeObject *t)
{
    return (t->tp_flags & Py_TPFLAGS_DICT_SUBCLASS)
        && t->tp_as_mapping->mp_subscript == PyDict_Type.tp_as_mapping->mp_subscript;
}
static inline int k_stores_as_dict(PyTypeObject *t)
{
    return (t->tp_flags & Py_TPFLAGS_DICT_SUBCLASS)
        && t->tp_as_mapping->mp_ass_subscript == PyDict_Type.tp_as_mapping->mp_ass_subscript;
}
static inline int k_searches_as_dict(PyTypeObject *t)
{
    return (t->tp_flags & Py_TPFLAGS_DICT_SUBCLASS)
        && t->tp_as_sequence->sq_contains == PyDict_Type.tp_as_sequence->sq_contains;
}

static inline int k_same_8(const char *x, const char *y)
{
    uint64_t a, b;
    memcpy(&a, x, 8);
    memcpy(&b, y, 8);
    return a == b;
}
static inline int k_same_4(const char *x, const char *y)
{
    uint32_t a, b;
    memcpy(&a, x, 4);
    memcpy(&b, y, 4);
    return a == b;
}
static inline int k_unicode_same(PyObject *a, PyObject *b)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(a);
    const char *x, *y;
    if (n != PyUnicode_GET_LENGTH(b) || PyUnicode_KIND(a) != PyUnicode_KIND(b)) return 0;
    n *= PyUnicode_KIND(a);
    x = (const char *)PyUnicode_DATA(a);
    y = (const char *)PyUnicode_DATA(b);
    if (n > 16) return memcmp(x, y, n) == 0;
    /* Eight or four bytes at once, the last of them first (names with numbers differ in the end), twice where they overlap. */
    if (n >= 8) return k_same_8(x + n - 8, y + n - 8) && k_same_8(x, y);
    if (n >= 4) return k_same_4(x + n - 4, y + n - 4) && k_same_4(x, y);
    while (n-- > 0) if (x[n] != y[n]) return 0;
    return 1;
}

static inline int k_is_ascii(PyObject *s) { return PyUnicode_IS_COMPACT_ASCII(s); }
/* Copies an ASCII text. Most are short: eight or four bytes at once, the last of them twice where that fits, need no call. */
static inline void k_copy_text(char *to, PyObject *s, Py_ssize_t n)
{
    const char *from = (const char *)PyUnicode_DATA(s);
    if (n > 16) memcpy(to, from, n);
    else if (n >= 8) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + n - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + n - 8, &last, 8);
    } else if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + n - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + n - 4, &last, 4);
    } else while (n > 0) { n--; to[n] = from[n]; }
}

/* Whether a single character is in a text: 1 or 0; -1: to be searched for as ever. */
static inline int k_char_in(const PyObject *c, const PyObject *text)
{
    Py_UCS4 ch;
    if (PyUnicode_GET_LENGTH(c) != 1 || PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND || PyUnicode_GET_LENGTH(text) > 1000) return -1;
    ch = PyUnicode_READ_CHAR(c, 0);
    return ch < 256 && memchr(PyUnicode_1BYTE_DATA(text), (int)ch, PyUnicode_GET_LENGTH(text)) != NULL;
}

/* Whether a str or int (key NULL) is among exact strs and ints: 1 or 0; -1 where another item may have a say. */
static inline int k_among(PyObject **items, Py_ssize_t n, const PyObject *key, int64_t v)
{
    Py_ssize_t i;
    int64_t found;
    PyObject *o;
    for (i = 0; i < n; i++) {
        o = items[i];
        if (key != NULL) {
            if (o == key) return 1;
            if (Py_TYPE(o) == &PyUnicode_Type) { if (k_unicode_same(o, (PyObject *)key)) return 1; }
            else if (Py_TYPE(o) != &PyLong_Type) return -1;
        } else if (Py_TYPE(o) == &PyLong_Type) {
            if (k_long_as_int64(o, &found) && found == v) return 1;
        } else if (Py_TYPE(o) != &PyUnicode_Type) return -1;
    }
    return 0;
}

/* Also the dict of an instance whose values were moved into it: it shares its keys with others, and has an array of values. */
static int k_dict_search_str(PyObject *dict, PyObject *key, PyObject ***slot)
{
    KDictKeys *k = k_dict_keys(dict);
    KGeneralEntry *e;
    KDictEntry *u;
    Py_hash_t h = ((PyASCIIObject *)key)->hash;
    size_t mask, i, perturb;
    Py_ssize_t ix;
    if (!k_layout_ok) return K_GIVE_UP;
    if (h == -1) { h = k_hash_of_str(key); if (h == -1) return K_GIVE_UP; }
    mask = ((size_t)1 << k->dk_log2_size) - 1;
    perturb = (size_t)h;
    i = (size_t)h & mask;
    for (;;) {
        ix = k_index_at(k, i);
        if (ix == -1) return K_MISSING;
        if (ix >= 0) {
            if (k->dk_kind != 0) {
                u = k_entries(k) + ix;
                if (u->key == key
                    || (((PyASCIIObject *)u->key)->hash == h && k_unicode_same(u->key, key))) {
                    if (k->dk_kind == 1) { *slot = &u->value; return K_FOUND; }
                    *slot = &((KValues *)((PyDictObject *)dict)->ma_values)->values[ix];
                    return **slot != NULL ? K_FOUND : K_MISSING;
                }
            } else {
                e = (KGeneralEntry *)(k->dk_indices + ((size_t)1 << k->dk_log2_index_bytes)) + ix;
                if (e->hash == h) {
                    if (Py_TYPE(e->key) != &PyUnicode_Type) return K_GIVE_UP;
                    if (e->key == key || k_unicode_same(e->key, key)) { *slot = &e->value; return K_FOUND; }
                }
            }
        }
        perturb >>= 5;
        i = (i * 5 + perturb + 1) & mask;
    }
}

/* Whether the dict, NULL for none, has just the keys that instances of the type share; its values are then in their order. */
static inline int k_shares_keys(PyObject *dict, PyTypeObject *t)
{
    return dict != NULL && ((PyDictObject *)dict)->ma_values != NULL && k_dict_keys(dict) == k_type_keys(t);
}
/* The value at a place of the shared keys: borrowed, or NULL. */
static inline PyObject *k_shared_value(PyObject *dict, Py_ssize_t i)
{
    return ((KValues *)((PyDictObject *)dict)->ma_values)->values[i];
}

/* The usual case first: the very object that is the key, in the first place looked at. */
static inline int k_dict_find_str(PyObject *dict, PyObject *key, PyObject ***slot)
{
    KDictKeys *k = k_dict_keys(dict);
    KDictEntry *e;
    Py_hash_t h = ((PyASCIIObject *)key)->hash;
    size_t i;
    Py_ssize_t ix;
    if (K_LIKELY(k->dk_kind == 1 && h != -1 && k_layout_ok)) {
        i = (size_t)h & (((size_t)1 << k->dk_log2_size) - 1);
        ix = K_LIKELY(k->dk_log2_size < 8) ? ((int8_t *)k->dk_indices)[i] : k_index_at(k, i);
        if (K_LIKELY(ix >= 0)) {
            e = (KDictEntry *)(k->dk_indices + ((size_t)1 << k->dk_log2_index_bytes)) + ix;
            if (e->key == key) { *slot = &e->value; return K_FOUND; }
        } else if (ix == -1) return K_MISSING;
    }
    return k_dict_search_str(dict, key, slot);
}

/* Whether the value of an existing entry may be swapped without telling the dict: nobody watches it, and the collector
   need not start tracking it. */
static inline int k_dict_may_swap(PyObject *dict, PyObject *value)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (K_WATCHERS(dict) & 0xff) return 0;
#endif
    return !PyObject_IS_GC(value) || PyObject_GC_IsTracked(dict);
}
/* An exact set or frozenset with an int or str, without a key object: K_MISSING, K_FOUND or K_GIVE_UP. Probing as in
   CPython's setobject. */
enum { K_SET_PROBES = 9 };
static inline int k_set_find(PyObject *set, PyObject *key, int64_t v)
{
    PySetObject *so = (PySetObject *)set;
    size_t mask = (size_t)so->mask, i, perturb, left;
    setentry *e;
    Py_hash_t h;
    int64_t found;
    if (key == NULL) { h = k_int_hash(v); }
    else if ((h = ((PyASCIIObject *)key)->hash) == -1) { return K_GIVE_UP; }
    perturb = (size_t)h;
    i = (size_t)h & mask;
    for (;;) {
        e = &so->table[i];
        left = i + K_SET_PROBES <= mask ? K_SET_PROBES : 0;
        for (;; e++, left--) {
            if (e->key == NULL && e->hash == 0) { return K_MISSING; }
            if (e->hash == h) {
                if (key == NULL) {
                    if (Py_TYPE(e->key) != &PyLong_Type) { return K_GIVE_UP; }
                    if (k_long_as_int64(e->key, &found) && found == v) { return K_FOUND; }
                } else {
                    if (e->key == key) { return K_FOUND; }
                    if (Py_TYPE(e->key) != &PyUnicode_Type) { return K_GIVE_UP; }
                    if (k_unicode_same(e->key, key)) { return K_FOUND; }
                }
            }
            if (!left) { break; }
        }
        perturb >>= 5;
        i = (i * 5 + 1 + perturb) & mask;
    }
}

/* ---- comparisons ------------------------------------------------------------------------- */
/* -1, 0 or 1 as two exact strs, ints or floats of one type compare; 2: not so simple; 3: neither less nor equal (NaN). */
static inline int k_order(PyObject *a, PyObject *b)
{
    PyTypeObject *t = Py_TYPE(a);
    int64_t i, j;
    double x, y;
    if (t != Py_TYPE(b)) return 2;
    if (t == &PyFloat_Type) {
        x = PyFloat_AS_DOUBLE(a); y = PyFloat_AS_DOUBLE(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 3;
    }
    if (t == &PyLong_Type) {
        if (!k_long_as_int64(a, &i) || !k_long_as_int64(b, &j)) return 2;
        return i < j ? -1 : i > j;
    }
    if (t == &PyUnicode_Type) return a == b ? 0 : PyUnicode_GET_LENGTH(a) < 1000 ? PyUnicode_Compare(a, b) : 2;
    return 2;
}

static inline int k_ordered(int order, int op)
{
    switch (op) {
    case Py_LT: return order < 0;
    case Py_LE: return order <= 0;
    case Py_EQ: return order == 0;
    case Py_NE: return order != 0;
    case Py_GT: return order == 1;
    default: return order == 0 || order == 1;
    }
}

/* a <op> b for short tuples of such items, as tuples compare: by the first items that differ. 1 or 0; -1: to be asked of them. */
static int k_compare_tuples(PyObject *a, PyObject *b, int op)
{
    Py_ssize_t n = PyTuple_GET_SIZE(a), m = PyTuple_GET_SIZE(b), i;
    PyObject *x, *y;
    int order;
    if (n > 16 || m > 16) return -1;
    for (i = 0; i < n && i < m; i++) {
        x = PyTuple_GET_ITEM(a, i);
        y = PyTuple_GET_ITEM(b, i);
        if (x == y) continue;
        order = k_order(x, y);
        if (order == 2) return -1;
        if (order == 3) return op == Py_NE;
        if (order) return k_ordered(order, op);
    }
    return k_ordered(n < m ? -1 : n > m, op);
}

static inline PyObject *k_concatenate(PyObject *a, PyObject *b) { return Py_TYPE(a)->tp_as_sequence->sq_concat(a, b); }

/* ---- entering the core ------------------------------------------------------------------- */
#if PY_VERSION_HEX >= 0x030C0000
#define K_C_CALLS(ts) ((ts)->c_recursion_remaining)
#else
#define K_C_CALLS(ts) ((ts)->recursion_remaining)
#endif
/* Py_EnterRecursiveCall and Py_LeaveRecursiveCall. */
static inline int k_enter_recursive(PyThreadState *ts)
{
    if (K_LIKELY(K_C_CALLS(ts) > 1)) { K_C_CALLS(ts)--; return 0; }
    return Py_EnterRecursiveCall("");
}
static inline void k_leave_recursive(PyThreadState *ts) { K_C_CALLS(ts)++; }

#endif
