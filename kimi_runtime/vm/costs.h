/* Functions that stand in front of native functions and methods whose time grows with their arguments.
 *
 * Each looks at the sizes of its arguments, which takes a few nanoseconds, and asks the run whether it can afford the call
 * when that will take more than a millisecond. There is one function for each that is guarded, stamped out by number for
 * each of CPython's calling conventions.
 */
#ifndef KIMI_COSTS_H
#define KIMI_COSTS_H

#include "arrays.h"
#include <math.h>
#include "slots.h"

enum { K_LINEAR, K_PRODUCT, K_CROSS, K_SORT, K_CODING, K_QUADRATIC, K_VALUE, K_PATHS, K_ASKED, K_DECIMAL_LINEAR, K_DECIMAL_SQUARE, K_DECIMAL_INT, K_DECIMAL_RATIO, K_DECIMAL_FORMAT };

#include "nodes.h"

typedef struct {
    void *original;
    double rate;            /* nanoseconds for each unit of the size */
    int how;
    PyObject *ask;          /* K_ASKED: called with the arguments; the nanoseconds that the call will take */
} KCost;

#define K_ASK_FROM 1e6      /* nanoseconds */

#if PY_VERSION_HEX >= 0x030C0000
#define K_DIGITS(o) ((double)(((PyLongObject *)(o))->long_value.lv_tag >> 3))
#else
#define K_DIGITS(o) ((double)Py_ABS(Py_SIZE(o)))
#endif

static int k_ask_decimals(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n);      /* long_calls.h */

static PyTypeObject *k_array_type = NULL;
/* 0, or -1 when this Python keeps them in another way. */
static int k_use_array(PyObject *type, PyObject *probe) {
    if (Py_SIZE(probe) != 3 || ((KArray *)probe)->kind->itemsize != 8 || ((KArray *)probe)->kind->typecode != 'd') { return -1; }
    k_array_type = (PyTypeObject *)Py_NewRef(type);
    k_array_type->tp_flags |= K_ARRAY;
    return 0;
}

/* How much there is of an object to go through. */
/* What stands at the beginning of an object of io.BytesIO, alike in 3.11 to 3.13. */
typedef struct { PyObject_HEAD PyObject *buf; Py_ssize_t pos, size; } KBytesIO;
static PyTypeObject *k_bytes_io_type = NULL;

/* example: made of three bytes, one of which was read. -1: this Python has another layout. */
static int k_use_bytes_io(PyObject *given, PyObject *example) {
    PyTypeObject *type = (PyTypeObject *)given;
    KBytesIO *io = (KBytesIO *)example;
    if (type->tp_basicsize < (Py_ssize_t)sizeof(KBytesIO) || io->pos != 1 || io->size != 3) { return -1; }
    k_bytes_io_type = type;
    return 0;
}

static double k_size_of(PyObject *o) {
    PyTypeObject *t = Py_TYPE(o);
    unsigned long flags = t->tp_flags;
    if (flags & Py_TPFLAGS_UNICODE_SUBCLASS) { return (double)PyUnicode_GET_LENGTH(o); }
    if (flags & Py_TPFLAGS_LONG_SUBCLASS) { return K_DIGITS(o); }
    if (flags & (Py_TPFLAGS_BYTES_SUBCLASS | Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS)) { return (double)Py_SIZE(o); }
    if (flags & Py_TPFLAGS_DICT_SUBCLASS) { return (double)((PyDictObject *)o)->ma_used; }
    if (PyAnySet_Check(o)) { return (double)PySet_GET_SIZE(o); }
    if (PyByteArray_Check(o)) { return (double)Py_SIZE(o); }
    if (PyMemoryView_Check(o)) { return (double)PyMemoryView_GET_BUFFER(o)->len; }
    if (k_bytes_io_type != NULL && PyObject_TypeCheck(o, k_bytes_io_type)) {
        return ((KBytesIO *)o)->size > ((KBytesIO *)o)->pos ? (double)(((KBytesIO *)o)->size - ((KBytesIO *)o)->pos) : 0;
    }
    if (k_array_type != NULL && PyObject_TypeCheck(o, k_array_type)) { return (double)Py_SIZE(o) * ((KArray *)o)->kind->itemsize; }
    return 0;
}

/* Whether going through an object and up to six such takes less than K_ASK_FROM by every rate of native_slots.pyx. */
enum { K_SMALL = 512 };
static inline int k_is_small(PyObject *o) {
    PyTypeObject *t = Py_TYPE(o);
    if (t == &PyUnicode_Type) { return PyUnicode_GET_LENGTH(o) < K_SMALL; }
    if (t == &PyList_Type || t == &PyTuple_Type || t == &PyBytes_Type) { return Py_SIZE(o) < K_SMALL; }
    if (t == &PyDict_Type) { return ((PyDictObject *)o)->ma_used < K_SMALL; }
    if (t == &PySet_Type || t == &PyFrozenSet_Type) { return PySet_GET_SIZE(o) < K_SMALL; }
    return t == &PyLong_Type ? K_DIGITS(o) < 8 : t == &PyFloat_Type || t == &PyBool_Type || o == Py_None;
}
/* Most arguments: short texts of a function of a module, or of a method of a short text. */
static inline int k_is_short_text(PyObject *o) { return Py_TYPE(o) == &PyUnicode_Type && PyUnicode_GET_LENGTH(o) < K_SMALL; }
static inline int k_is_quick(KCost *c, PyObject *self, PyObject *arg) {
    return c->how <= K_QUADRATIC && k_is_short_text(arg)
        && (self == NULL || Py_TYPE(self) == &PyModule_Type || k_is_short_text(self));
}
static int k_all_small(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n) {
    Py_ssize_t i;
    if (c->how > K_QUADRATIC || n > 6 || (self != NULL && !k_is_small(self) && !PyModule_Check(self))) { return 0; }
    for (i = 0; i < n; i++) {
        if (!k_is_small(args[i])) { return 0; }
    }
    return 1;
}

/* The longest string or int in a list, since sorting compares them over and over. */
static double k_longest(PyObject *list) {
    double most = 0, size;
    Py_ssize_t i, step = PyList_GET_SIZE(list) / 100000 + 1;
    for (i = 0; i < PyList_GET_SIZE(list); i += step) {
        size = k_size_of(PyList_GET_ITEM(list, i));
        if (size > most) { most = size; }
    }
    return most;
}

/* ---- codecs: how long they take depends on which it is ---------------------------------------------------------- */
enum { K_CODEC_NAME = 40, K_SLOW_CODEC_NS = 40, K_CHARMAP_NS = 60 };

/* What the names of a codec and of an error handler say. */
typedef struct {
    double rate;            /* nanoseconds for each character */
    double error;           /* and for each that has no code */
    int python;             /* the codec is reached through Python code of the host, where an error handler cannot stop */
    int wide;               /* 2: UTF-16, 4: UTF-32; only surrogates have no code */
} KCoding;

static const struct { const char *name; double encode, decode; } k_error_handlers[] = {
    {"ignore", 150, 150}, {"replace", 150, 150}, {"backslashreplace", 600, 400}, {"xmlcharrefreplace", 600, 0}, {"namereplace", 2700, 0},
    {"surrogateescape", 400, 400}, {"surrogatepass", 400, 250}, {"strict", 0, 0}, {NULL, 0, 0}};
static const char *const k_plain_codecs[] = {"utf8", "utf16", "utf32", "u8", "u16", "u32", "latin", "iso8859", "l1", "ascii", "usascii", "cp1", NULL};
/* Those that a str and bytes know themselves. */
static const char *const k_own_codecs[] = {"utf8", "utf16", "utf32", "latin1", "ascii", "usascii", NULL};

static void k_read_name(PyObject *name, PyObject *data, double size, KCoding *coding) {
    char letters[K_CODEC_NAME + 1];
    Py_ssize_t i, n = 0;
    int text = PyUnicode_Check(data), all_ascii = text && PyUnicode_IS_ASCII(data);
    double wide = text ? (double)PyUnicode_MAX_CHAR_VALUE(data) : 0, rate = K_SLOW_CODEC_NS;
    if (!PyUnicode_Check(name) || name == data || PyUnicode_GET_LENGTH(name) > K_CODEC_NAME || !PyUnicode_IS_ASCII(name)) { return; }
    for (i = 0; i < PyUnicode_GET_LENGTH(name); i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(name, i);
        if (Py_ISALNUM(c)) { letters[n++] = (char)Py_TOLOWER(c); }
    }
    letters[n] = '\0';
    for (i = 0; k_error_handlers[i].name != NULL; i++) {
        if (strcmp(letters, k_error_handlers[i].name) == 0) {
            coding->error = text ? k_error_handlers[i].encode : k_error_handlers[i].decode;
            return;
        }
    }
    for (i = 0; k_plain_codecs[i] != NULL; i++) {
        if (strncmp(letters, k_plain_codecs[i], strlen(k_plain_codecs[i])) == 0) { rate = 0; }
    }
    coding->python = 1;
    for (i = 0; k_own_codecs[i] != NULL; i++) {
        if (strcmp(letters, k_own_codecs[i]) == 0) { coding->python = 0; }
    }
    if (letters[0] == 'u' && strstr(letters, "16") != NULL) { coding->wide = 2; }
    else if (letters[0] == 'u' && strstr(letters, "32") != NULL) { coding->wide = 4; }
    /* Written in Python; punycode goes through the whole text for each character that differs, and puts each in its place when it decodes. */
    if (strstr(letters, "punycode") != NULL || strstr(letters, "idna") != NULL) {
        if (text) { rate = all_ascii ? 300 : 8000 + 100 * (size < wide ? size : wide); }
        else { rate = letters[0] == 'p' ? 2000 + size * 0.5 : 8000 + 100 * (size < 1024 ? size : 1024); }
    } else if (strstr(letters, "18030") != NULL && text && !all_ascii) { rate = 300; }
    if (rate > coding->rate) { coding->rate = rate; }
}

/* How many characters or bytes may have no code. */
static double k_count_errors(PyObject *data, const KCoding *coding) {
    double found = 0;
    Py_ssize_t i, n;
    const unsigned char *bytes;
    if (PyUnicode_Check(data)) {
        if (PyUnicode_IS_ASCII(data)) { return 0; }
        n = PyUnicode_GET_LENGTH(data);
        for (i = 0; i < n; i++) {
            Py_UCS4 c = PyUnicode_READ_CHAR(data, i);
            found += coding->wide ? c >= 0xd800 && c < 0xe000 : c > 127;
        }
        return found;
    }
    if (coding->wide == 4) { return k_size_of(data) / 4; }
    if (PyBytes_Check(data)) { bytes = (const unsigned char *)PyBytes_AS_STRING(data); n = PyBytes_GET_SIZE(data); }
    else if (PyByteArray_Check(data)) { bytes = (const unsigned char *)PyByteArray_AS_STRING(data); n = PyByteArray_GET_SIZE(data); }
    else { return k_size_of(data); }
    for (i = 0; i < n; i++) { found += coding->wide ? bytes[i] >= 0xd8 && bytes[i] < 0xe0 : bytes[i] > 127 || bytes[i] == '+'; }
    return found;
}

static double k_coding_ns(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n) {
    PyObject *data = NULL;
    KCoding coding = {c->rate, 0, c->rate >= K_CHARMAP_NS, 0};
    double size = -1, each;
    Py_ssize_t i;
    if (self != NULL && PyModule_Check(self)) { self = NULL; }
    for (i = self == NULL ? 0 : -1; i < n; i++) {
        each = k_size_of(i < 0 ? self : args[i]);
        if (each > size) { size = each; data = i < 0 ? self : args[i]; }
    }
    if (data == NULL || size < K_SMALL) { return 0; }
    for (i = 0; i < n; i++) { k_read_name(args[i], data, size, &coding); }
    return size * coding.rate + (coding.python && coding.error > 0 ? k_count_errors(data, &coding) * coding.error : 0);
}

static int k_ask_size(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n) {
    double first = 0, rest = 0, ns;
    Py_ssize_t i;
    PyObject *answer;
    if (c->how >= K_DECIMAL_LINEAR) { return k_ask_decimals(c, self, args, n); }
    if (c->how == K_CODING) {
        ns = *k_metered_runs ? k_coding_ns(c, self, args, n) : 0;
        return ns < K_ASK_FROM ? 0 : k_afford(ns * 1e-9);
    }
    if (c->how == K_VALUE) {            /* of the first argument, an int */
        if (n < 1 || !PyLong_Check(args[0]) || K_DIGITS(args[0]) > 2) { return 0; }
        ns = PyLong_AsDouble(args[0]) * c->rate;
        return ns < K_ASK_FROM || !*k_metered_runs ? 0 : k_afford(ns * 1e-9);
    }
    if (c->how == K_PATHS) {            /* of the object itself, or of the last argument */
        PyObject *o = self != NULL && !PyModule_Check(self) ? self : n > 0 ? args[n - 1] : Py_None;
        ns = k_has_parts(o) && *k_metered_runs ? k_paths(o) * c->rate : 0;
        return ns < K_ASK_FROM ? 0 : k_afford(ns * 1e-9);
    }
    if (self != NULL && !PyModule_Check(self)) { first = k_size_of(self); i = 0; }
    else if (n > 0) { first = k_size_of(args[0]); i = 1; }
    else { return 0; }
    for (; i < n; i++) {
        ns = k_size_of(args[i]);
        rest = c->how == K_PRODUCT && rest > ns ? rest : c->how == K_PRODUCT ? ns : rest + ns;
    }
    if (c->how == K_LINEAR) {
        if (self != NULL && n > 0 && k_bytes_io_type != NULL && PyObject_TypeCheck(self, k_bytes_io_type) && PyLong_Check(args[0])
                && K_DIGITS(args[0]) < 2) {
            ns = PyLong_AsDouble(args[0]);          /* readlines(hint): not much more than that */
            if (ns > 0 && ns < first) { first = ns; }
        }
        ns = (first + rest) * c->rate;
    }
    else if (c->how == K_PRODUCT) { ns = first * (4 + (rest <= first ? rest : 0) * c->rate); }
    else if (c->how == K_CROSS) { ns = first * rest * c->rate; }
    else if (c->how == K_QUADRATIC) { ns = first * first * c->rate; }
    else if (c->how == K_SORT) {
        if (first < 5000 || !PyList_Check(self)) { return 0; }
        ns = first * log2(first) * (c->rate + k_longest(self) * 0.1);
    }
    else { ns = (first + rest + 1) * 1e9; }
    if (ns < K_ASK_FROM || !*k_metered_runs) { return 0; }
    if (c->how == K_ASKED) {
        PyObject *copy[9];
        if (n > 7) { return 0; }
        copy[0] = NULL;
        for (i = 0; i < n; i++) { copy[i + 1] = args[i]; }
        answer = PyObject_Vectorcall(c->ask, copy + 1, (size_t)n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        if (answer == NULL) { return -1; }
        ns = PyFloat_AsDouble(answer);
        Py_DECREF(answer);
        if (ns == -1 && PyErr_Occurred()) { return -1; }
        if (ns < K_ASK_FROM) { return 0; }
    }
    return k_afford(ns * 1e-9);
}

static inline int k_ask_costs(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n) {
    return k_all_small(c, self, args, n) ? 0 : k_ask_size(c, self, args, n);
}

static Py_ssize_t k_names(PyObject *kwnames) { return kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames); }

static int k_ask_keywords(KCost *c, PyObject *self, PyObject *args, PyObject *kwargs) {
    PyObject *all[7], *key, *value;
    Py_ssize_t i, position = 0, n = PyTuple_GET_SIZE(args);
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0 || n + PyDict_GET_SIZE(kwargs) > 7) {
        return k_ask_costs(c, self, ((PyTupleObject *)args)->ob_item, n);
    }
    for (i = 0; i < n; i++) { all[i] = PyTuple_GET_ITEM(args, i); }
    while (PyDict_Next(kwargs, &position, &key, &value)) { all[n++] = value; }
    return k_ask_costs(c, self, all, n);
}

#define K_COSTS(kind) static KCost k_##kind##_costs[K_MOST]; static int k_##kind##_used = 0;
K_COSTS(none) K_COSTS(one) K_COSTS(fast) K_COSTS(fastkw) K_COSTS(var) K_COSTS(varkw) K_COSTS(method)

#define K_STAMP_NONE(N) static PyObject *k_none_##N(PyObject *s, PyObject *a) { \
        if (!k_is_quick(&k_none_costs[N - 100], NULL, s) && k_ask_costs(&k_none_costs[N - 100], s, NULL, 0) < 0) { return NULL; } \
        return ((PyCFunction)k_none_costs[N - 100].original)(s, a); }
#define K_STAMP_ONE(N) static PyObject *k_one_##N(PyObject *s, PyObject *a) { \
        if (!k_is_quick(&k_one_costs[N - 100], s, a) && k_ask_costs(&k_one_costs[N - 100], s, &a, 1) < 0) { return NULL; } \
        return ((PyCFunction)k_one_costs[N - 100].original)(s, a); }
#define K_STAMP_FAST(N) static PyObject *k_fast_##N(PyObject *s, PyObject *const *a, Py_ssize_t n) { \
        if (!(n <= 2 && n > 0 && k_is_quick(&k_fast_costs[N - 100], s, a[0]) && k_is_short_text(a[n - 1])) \
                && k_ask_costs(&k_fast_costs[N - 100], s, a, n) < 0) { return NULL; } \
        return ((PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t))k_fast_costs[N - 100].original)(s, a, n); }
#define K_STAMP_FASTKW(N) static PyObject *k_fastkw_##N(PyObject *s, PyObject *const *a, Py_ssize_t n, PyObject *k) { \
        if (k_ask_costs(&k_fastkw_costs[N - 100], s, a, n + k_names(k)) < 0) { return NULL; } \
        return ((PyObject *(*)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *))k_fastkw_costs[N - 100].original)( \
            s, a, n, k); }
#define K_STAMP_VAR(N) static PyObject *k_var_##N(PyObject *s, PyObject *a) { \
        if (k_ask_costs(&k_var_costs[N - 100], s, ((PyTupleObject *)a)->ob_item, PyTuple_GET_SIZE(a)) < 0) { return NULL; } \
        return ((PyCFunction)k_var_costs[N - 100].original)(s, a); }
#define K_STAMP_VARKW(N) static PyObject *k_varkw_##N(PyObject *s, PyObject *a, PyObject *k) { \
        if (k_ask_keywords(&k_varkw_costs[N - 100], s, a, k) < 0) { return NULL; } \
        return ((PyCFunctionWithKeywords)k_varkw_costs[N - 100].original)(s, a, k); }
#define K_STAMP_METHOD(N) static PyObject *k_method_##N(PyObject *s, PyTypeObject *c, PyObject *const *a, size_t n, \
                                                        PyObject *k) { \
        if (k_ask_costs(&k_method_costs[N - 100], s, a, (Py_ssize_t)n + k_names(k)) < 0) { return NULL; } \
        return ((PyObject *(*)(PyObject *, PyTypeObject *, PyObject *const *, size_t, PyObject *)) \
            k_method_costs[N - 100].original)(s, c, a, n, k); }
K_ALL(K_STAMP_NONE) K_ALL(K_STAMP_ONE) K_ALL(K_STAMP_FAST) K_ALL(K_STAMP_FASTKW) K_ALL(K_STAMP_VAR) K_ALL(K_STAMP_VARKW)
K_ALL(K_STAMP_METHOD)

#define K_LIST_NONE(N) (void *)k_none_##N,
#define K_LIST_ONE(N) (void *)k_one_##N,
#define K_LIST_FAST(N) (void *)k_fast_##N,
#define K_LIST_FASTKW(N) (void *)k_fastkw_##N,
#define K_LIST_VAR(N) (void *)k_var_##N,
#define K_LIST_VARKW(N) (void *)k_varkw_##N,
#define K_LIST_METHOD(N) (void *)k_method_##N,
static void *k_none_list[K_MOST] = {K_ALL(K_LIST_NONE)};
static void *k_one_list[K_MOST] = {K_ALL(K_LIST_ONE)};
static void *k_fast_list[K_MOST] = {K_ALL(K_LIST_FAST)};
static void *k_fastkw_list[K_MOST] = {K_ALL(K_LIST_FASTKW)};
static void *k_var_list[K_MOST] = {K_ALL(K_LIST_VAR)};
static void *k_varkw_list[K_MOST] = {K_ALL(K_LIST_VARKW)};
static void *k_method_list[K_MOST] = {K_ALL(K_LIST_METHOD)};

static int k_put_cost(KCost *costs, int *used, void **list, PyMethodDef *method, double rate, int how, PyObject *ask) {
    int i;
    for (i = 0; i < *used; i++) {
        if (list[i] == (void *)method->ml_meth) { return 1; }       /* guarded already */
        if (costs[i].original == (void *)method->ml_meth && costs[i].rate == rate && costs[i].how == how && ask == NULL) {
            *(void **)&method->ml_meth = list[i];
            return 1;
        }
    }
    if (*used == K_MOST) { return -1; }
    costs[*used].original = (void *)method->ml_meth;
    costs[*used].rate = rate;
    costs[*used].how = how;
    Py_XINCREF(ask);
    costs[*used].ask = ask;
    *(void **)&method->ml_meth = list[(*used)++];
    return 1;
}

/* 1: guarded; 0: not a native function or method; -1: there are too many. */
static int k_guard_cost(PyObject *function, double rate, int how, PyObject *ask) {
    PyMethodDef *method;
    if (Py_TYPE(function) == &PyMethodDescr_Type || Py_TYPE(function) == &PyClassMethodDescr_Type) {
        method = ((PyMethodDescrObject *)function)->d_method;
    } else if (PyCFunction_Check(function)) {
        method = ((PyCFunctionObject *)function)->m_ml;
    } else { return 0; }
    if (ask == Py_None) { ask = NULL; }
    switch (method->ml_flags & ~(METH_CLASS | METH_STATIC | METH_COEXIST)) {
        case METH_NOARGS: return k_put_cost(k_none_costs, &k_none_used, k_none_list, method, rate, how, ask);
        case METH_O: return k_put_cost(k_one_costs, &k_one_used, k_one_list, method, rate, how, ask);
        case METH_FASTCALL: return k_put_cost(k_fast_costs, &k_fast_used, k_fast_list, method, rate, how, ask);
        case METH_FASTCALL | METH_KEYWORDS:
            return k_put_cost(k_fastkw_costs, &k_fastkw_used, k_fastkw_list, method, rate, how, ask);
        case METH_VARARGS: return k_put_cost(k_var_costs, &k_var_used, k_var_list, method, rate, how, ask);
        case METH_VARARGS | METH_KEYWORDS:
            return k_put_cost(k_varkw_costs, &k_varkw_used, k_varkw_list, method, rate, how, ask);
        case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
            return k_put_cost(k_method_costs, &k_method_used, k_method_list, method, rate, how, ask);
    }
    return 0;
}

/* ---- the scanner of json: an object of C that is called with a text and where to begin -------------------------- */
enum { K_SCAN_NS = 50 };            /* for each character */
static ternaryfunc k_scanner_call;
static PyObject *k_guarded_scan(PyObject *self, PyObject *args, PyObject *kwargs) {
    PyObject *text = PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0) : NULL;
    PyObject *from = PyTuple_GET_SIZE(args) > 1 ? PyTuple_GET_ITEM(args, 1) : NULL;
    double left;
    if (text == NULL && kwargs != NULL) { text = PyDict_GetItemString(kwargs, "string"); }
    if (text != NULL && PyUnicode_Check(text) && *k_metered_runs) {
        left = (double)PyUnicode_GET_LENGTH(text);
        if (from != NULL && PyLong_Check(from) && K_DIGITS(from) < 3) { left -= PyLong_AsDouble(from); }
        if (left * K_SCAN_NS > K_ASK_FROM && k_afford(left * K_SCAN_NS * 1e-9) < 0) { return NULL; }
    }
    return k_scanner_call(self, args, kwargs);
}

/* Its encoder: an object of C that is called with an object and the indentation. Texts and numbers in it are asked by themselves. */
enum { K_ENCODE_NS = 20 };          /* for each item */
static ternaryfunc k_encoder_call;
static PyObject *k_guarded_encode(PyObject *self, PyObject *args, PyObject *kwargs) {
    PyObject *o = PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0) : NULL;
    if (o == NULL && kwargs != NULL) { o = PyDict_GetItemString(kwargs, "obj"); }
    if (o != NULL && k_has_parts(o) && *k_metered_runs) {
        double ns = k_paths(o) * K_ENCODE_NS;
        if (ns > K_ASK_FROM && k_afford(ns * 1e-9) < 0) { return NULL; }
    }
    return k_encoder_call(self, args, kwargs);
}
static void k_guard_encoder(PyObject *type) {
    ternaryfunc *call = &((PyTypeObject *)type)->tp_call;
    if (*call == k_guarded_encode) { return; }
    k_encoder_call = *call;
    *call = k_guarded_encode;
}

static void k_guard_scanner(PyObject *type) {
    ternaryfunc *call = &((PyTypeObject *)type)->tp_call;
    if (*call == k_guarded_scan) { return; }
    k_scanner_call = *call;
    *call = k_guarded_scan;
}

/* ---- precision of decimals: an operation takes up to a microsecond for each digit ----------------------------- */
enum { K_SMALL_PRECISION = 10000 };
static setter k_set_precision;
static initproc k_init_context;

static int k_large_precision = 0;       /* some context was given one */
static int k_afford_precision(double digits) {
    if (digits > 500) { k_large_precision = 1; }
    return digits > K_SMALL_PRECISION && *k_metered_runs ? k_afford(digits * 1e-6) : 0;
}
static int k_guarded_set_precision(PyObject *self, PyObject *value, void *closure) {
    if (value != NULL && PyLong_Check(value) && K_DIGITS(value) < 3 && k_afford_precision(PyLong_AsDouble(value)) < 0) {
        return -1;
    }
    return k_set_precision(self, value, closure);
}
static int k_guarded_init_context(PyObject *self, PyObject *args, PyObject *kwargs) {
    if (k_init_context(self, args, kwargs) < 0) { return -1; }
    return k_afford_precision((double)*(Py_ssize_t *)((PyObject *)self + 1));      /* mpd_context_t begins with it */
}
static void k_guard_context(PyObject *context, PyObject *prec) {
    PyGetSetDef *field;
    if (Py_TYPE(prec) != &PyGetSetDescr_Type) { return; }
    field = ((PyGetSetDescrObject *)prec)->d_getset;
    if (field->set == k_guarded_set_precision) { return; }
    k_set_precision = field->set;
    field->set = k_guarded_set_precision;
    k_init_context = ((PyTypeObject *)context)->tp_init;
    ((PyTypeObject *)context)->tp_init = k_guarded_init_context;
}

/* ---- arithmetic of ints, whoever asks for it: sum, math.prod, functools.reduce, operator ---------------------- */
enum { K_SMALL_DIGITS = 1000, K_BIT_NS = 15 };
static binaryfunc k_int_multiply, k_int_divide, k_int_remainder, k_int_divmod, k_int_add, k_int_subtract;

static double k_product_ns(double a, double b) {
    double low = a < b ? a : b, high = a < b ? b : a;
    return 4.0 * pow(low + 1, 1.585) * ((high + 1) / (low + 1));
}

#define K_INTS(a, b) (PyLong_Check(a) && PyLong_Check(b))
static PyObject *k_guarded_multiply(PyObject *a, PyObject *b) {
    if (K_INTS(a, b) && K_DIGITS(a) + K_DIGITS(b) > K_SMALL_DIGITS && *k_metered_runs
            && k_afford(k_product_ns(K_DIGITS(a), K_DIGITS(b)) * 1e-9) < 0) { return NULL; }
    return k_int_multiply(a, b);
}
#define K_DIVISION(name) static PyObject *k_guarded_##name(PyObject *a, PyObject *b) { \
        if (K_INTS(a, b) && K_DIGITS(a) > K_SMALL_DIGITS && K_DIGITS(b) < K_DIGITS(a) && *k_metered_runs \
                && k_afford(1.5e-9 * (K_DIGITS(a) - K_DIGITS(b) + 1) * (K_DIGITS(b) + 1)) < 0) { return NULL; } \
        return k_int_##name(a, b); \
    }
K_DIVISION(divide) K_DIVISION(remainder) K_DIVISION(divmod)
#define K_LOOPED(name) static PyObject *k_guarded_##name(PyObject *a, PyObject *b) { \
        K_GUARD(0, NULL) \
        return k_int_##name(a, b); \
    }
K_LOOPED(add) K_LOOPED(subtract)

static ternaryfunc k_int_power;
static PyObject *k_guarded_power(PyObject *a, PyObject *b, PyObject *c) {
    double bits, size, ns;
    if (K_INTS(a, b) && *k_metered_runs) {
        if (c == Py_None && K_DIGITS(b) > K_SMALL_DIGITS && _PyLong_Sign(b) > 0 && K_DIGITS(a) <= 1 && _PyLong_NumBits(a) <= 1) {
            ns = K_DIGITS(b) * 30 * K_BIT_NS;           /* 0, 1 and -1 stay small, but each bit of the exponent is looked at */
            if (ns > K_ASK_FROM && k_afford(ns * 1e-9) < 0) { return NULL; }
        }
        bits = b == NULL ? 0 : Py_ABS(PyLong_AsDouble(b));
        if (PyErr_Occurred()) { PyErr_Clear(); bits = 1e300; }
        if (c != Py_None && PyLong_Check(c)) {
            size = K_DIGITS(c);
            ns = K_DIGITS(b) * 30 * (1.5 * k_product_ns(size, size) + 1.5 * size * size);
            if (ns > K_ASK_FROM && k_afford(ns * 1e-9) < 0) { return NULL; }
        } else if (c == Py_None && K_DIGITS(a) * bits > K_SMALL_DIGITS && !(K_DIGITS(a) == 1 && _PyLong_NumBits(a) <= 1)
                   && _PyLong_Sign(b) > 0) {
            size = (double)_PyLong_NumBits(a) * bits / 30;
            if (size > 3e8) { PyErr_NoMemory(); return NULL; }
            if (k_afford(1.5e-9 * k_product_ns(size, size)) < 0) { return NULL; }
        }
    }
    return k_int_power(a, b, c);
}

static void k_replace(PyTypeObject *type, void **slot, void **original, void *guard) {
    if (*slot == guard) { return; }
    *original = *slot;
    *slot = guard;
    k_rewrap(type, *original, guard);
}

static void k_guard_ints(void) {
    PyNumberMethods *n = PyLong_Type.tp_as_number;
    k_replace(&PyLong_Type, (void **)&n->nb_multiply, (void **)&k_int_multiply, (void *)k_guarded_multiply);
    k_replace(&PyLong_Type, (void **)&n->nb_floor_divide, (void **)&k_int_divide, (void *)k_guarded_divide);
    k_replace(&PyLong_Type, (void **)&n->nb_remainder, (void **)&k_int_remainder, (void *)k_guarded_remainder);
    k_replace(&PyLong_Type, (void **)&n->nb_divmod, (void **)&k_int_divmod, (void *)k_guarded_divmod);
    k_replace(&PyLong_Type, (void **)&n->nb_power, (void **)&k_int_power, (void *)k_guarded_power);
    k_replace(&PyLong_Type, (void **)&n->nb_add, (void **)&k_int_add, (void *)k_guarded_add);
    k_replace(&PyLong_Type, (void **)&n->nb_subtract, (void **)&k_int_subtract, (void *)k_guarded_subtract);
}

#endif
