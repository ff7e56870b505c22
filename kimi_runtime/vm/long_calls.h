/* Native work that is done piece by piece, or whose length follows from what its arguments hold.
 *
 * Lines of csv are looked at one by one, compressors and decompressors get or give a megabyte at a time, and slots of types
 * (operators, comparisons, texts) are asked for their cost as functions are (costs.h).
 */
#ifndef KIMI_LONG_CALLS_H
#define KIMI_LONG_CALLS_H

#include "costs.h"

static int k_patch(PyObject *function, int flags, void **original, void *guard) {
    PyMethodDef *method;
    if (Py_TYPE(function) == &PyMethodDescr_Type) { method = ((PyMethodDescrObject *)function)->d_method; }
    else if (PyCFunction_Check(function)) { method = ((PyCFunctionObject *)function)->m_ml; }
    else { return -1; }
    if (method->ml_flags != flags) { return -1; }
    if (*(void **)&method->ml_meth == guard) { return 0; }
    *original = *(void **)&method->ml_meth;
    *(void **)&method->ml_meth = guard;
    return 0;
}

static int k_afford_ns(double ns) { return ns < K_ASK_FROM ? 0 : k_afford(ns * 1e-9); }

/* ---- csv ------------------------------------------------------------------------------------------------------ */
enum { K_LINE_NS = 40, K_FIELD_NS = 25 };            /* for each character */
static PyObject *(*k_csv_reader)(PyObject *, PyObject *, PyObject *);
static PyCFunction k_csv_writerow, k_csv_writerows;

static PyObject *k_check_line(PyObject *unused, PyObject *line) {
    if (PyUnicode_Check(line) && k_afford_ns((double)PyUnicode_GET_LENGTH(line) * K_LINE_NS) < 0) { return NULL; }
    return Py_NewRef(line);
}
static PyMethodDef k_line_method = {"line", k_check_line, METH_O, NULL};

static PyObject *k_guarded_reader(PyObject *module, PyObject *args, PyObject *kwargs) {
    PyObject *check, *lines, *changed, *result;
    Py_ssize_t i, n = PyTuple_GET_SIZE(args);
    if (n == 0 || !*k_metered_runs) { return k_csv_reader(module, args, kwargs); }
    check = PyCFunction_New(&k_line_method, NULL);
    if (check == NULL) { return NULL; }
    lines = PyObject_CallFunctionObjArgs((PyObject *)&PyMap_Type, check, PyTuple_GET_ITEM(args, 0), NULL);
    Py_DECREF(check);
    if (lines == NULL) { return NULL; }
    changed = PyTuple_New(n);
    if (changed == NULL) { Py_DECREF(lines); return NULL; }
    PyTuple_SET_ITEM(changed, 0, lines);
    for (i = 1; i < n; i++) { PyTuple_SET_ITEM(changed, i, Py_NewRef(PyTuple_GET_ITEM(args, i))); }
    result = k_csv_reader(module, changed, kwargs);
    Py_DECREF(changed);
    return result;
}

static PyObject *k_guarded_writerow(PyObject *self, PyObject *row) {
    PyObject *fields, *iterator, *result;
    double size = 0;
    Py_ssize_t i;
    if (!*k_metered_runs) { return k_csv_writerow(self, row); }
    if (k_afford_ns(k_size_of(row) * 4 * K_FIELD_NS) < 0) { return NULL; }
    if (PyList_CheckExact(row) || PyTuple_CheckExact(row)) { fields = PySequence_Tuple(row); }
    else {
        iterator = PyObject_GetIter(row);
        if (iterator == NULL) { PyErr_Clear(); return k_csv_writerow(self, row); }
        fields = PySequence_Tuple(iterator);
        Py_DECREF(iterator);
    }
    if (fields == NULL) { return NULL; }
    for (i = 0; i < PyTuple_GET_SIZE(fields); i++) { size += 4 + k_size_of(PyTuple_GET_ITEM(fields, i)); }
    result = k_afford_ns(size * K_FIELD_NS) < 0 ? NULL : k_csv_writerow(self, fields);
    Py_DECREF(fields);
    return result;
}

static PyObject *k_guarded_writerows(PyObject *self, PyObject *rows) {
    PyObject *iterator, *row, *done;
    if (!*k_metered_runs) { return k_csv_writerows(self, rows); }
    iterator = PyObject_GetIter(rows);
    if (iterator == NULL) { return NULL; }
    while ((row = PyIter_Next(iterator)) != NULL) {
        done = k_guarded_writerow(self, row);
        Py_DECREF(row);
        if (done == NULL) { Py_DECREF(iterator); return NULL; }
        Py_DECREF(done);
    }
    Py_DECREF(iterator);
    if (PyErr_Occurred()) { return NULL; }
    Py_RETURN_NONE;
}

static int k_guard_csv(PyObject *reader, PyObject *writerow, PyObject *writerows) {
    if (k_patch(reader, METH_VARARGS | METH_KEYWORDS, (void **)&k_csv_reader, (void *)k_guarded_reader) < 0) { return -1; }
    if (k_patch(writerow, METH_O, (void **)&k_csv_writerow, (void *)k_guarded_writerow) < 0) { return -1; }
    return k_patch(writerows, METH_O, (void **)&k_csv_writerows, (void *)k_guarded_writerows);
}

/* ---- codecs: an error handler is asked for each error, and the texts that a type is made from may be coded --------- */
static int k_look(void) { return *k_alarm_set ? k_interrupted(0) : 0; }
static PyCFunction k_handlers[6];
static int k_ask_handler(PyObject *error, double rate) {
    PyUnicodeErrorObject *e = (PyUnicodeErrorObject *)error;
    if (!*k_metered_runs) { return 0; }
    if (k_look() < 0) { return -1; }
    if (!PyObject_TypeCheck(error, (PyTypeObject *)PyExc_UnicodeEncodeError) || e->object == NULL || e->end - e->start > (Py_ssize_t)k_size_of(e->object)) {
        return 0;
    }
    return k_afford_ns((double)(e->end - e->start) * rate);
}
#define K_HANDLER(N, rate) static PyObject *k_handler_##N(PyObject *self, PyObject *error) { \
        return k_ask_handler(error, rate) < 0 ? NULL : k_handlers[N](self, error); }
K_HANDLER(0, 5) K_HANDLER(1, 10) K_HANDLER(2, 250) K_HANDLER(3, 250) K_HANDLER(4, 1200) K_HANDLER(5, 60)
/* which: the place in the list of native_slots.pyx. */
static int k_guard_handler(PyObject *handler, int which) {
    static void *const guards[] = {(void *)k_handler_0, (void *)k_handler_1, (void *)k_handler_2, (void *)k_handler_3, (void *)k_handler_4,
                                   (void *)k_handler_5};
    return k_patch(handler, METH_O, (void **)&k_handlers[which], guards[which]);
}

static KCost k_making_of_text = {NULL, 4, K_CODING, NULL};
static newfunc k_str_new, k_bytes_new;
static initproc k_bytearray_init;
static int k_ask_coded(PyObject *args, PyObject *kwargs) {
    if (PyTuple_GET_SIZE(args) + (kwargs == NULL ? 0 : PyDict_GET_SIZE(kwargs)) < 2 || !*k_metered_runs) { return 0; }
    return k_ask_keywords(&k_making_of_text, NULL, args, kwargs);
}
static PyObject *k_guarded_str_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    return k_ask_coded(args, kwargs) < 0 ? NULL : k_str_new(type, args, kwargs);
}
static PyObject *k_guarded_bytes_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    return k_ask_coded(args, kwargs) < 0 ? NULL : k_bytes_new(type, args, kwargs);
}
static int k_guarded_bytearray_init(PyObject *self, PyObject *args, PyObject *kwargs) {
    return k_ask_coded(args, kwargs) < 0 ? -1 : k_bytearray_init(self, args, kwargs);
}
#if PY_VERSION_HEX >= 0x030D0000
/* From 3.13 on `str` itself is called by vector, past its tp_new. */
static vectorcallfunc k_str_vectorcall;
static PyObject *k_guarded_str_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames) {
    Py_ssize_t n = PyVectorcall_NARGS(nargsf), more = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames), i;
    PyObject *given, *named = NULL;
    int asked = -1;
    if (n + more < 2 || !*k_metered_runs) { return k_str_vectorcall(type, args, nargsf, kwnames); }
    given = PyTuple_New(n);
    if (given == NULL) { return NULL; }
    for (i = 0; i < n; i++) { PyTuple_SET_ITEM(given, i, Py_NewRef(args[i])); }
    if (more == 0 || (named = PyDict_New()) != NULL) {
        for (i = 0; i < more && PyDict_SetItem(named, PyTuple_GET_ITEM(kwnames, i), args[n + i]) == 0; i++) { }
        if (i == more) { asked = k_ask_coded(given, named); }
    }
    Py_DECREF(given);
    Py_XDECREF(named);
    return asked < 0 ? NULL : k_str_vectorcall(type, args, nargsf, kwnames);
}
#endif
/* One of str, bytes and bytearray, or a class that inherits from them: whose constructor is another than that of its base may not be made by it. */
static void k_guard_coded(PyObject *of) {
    PyTypeObject *type = (PyTypeObject *)of;
    if (k_str_new == NULL) {
        k_str_new = PyUnicode_Type.tp_new;
        k_bytes_new = PyBytes_Type.tp_new;
        k_bytearray_init = PyByteArray_Type.tp_init;
#if PY_VERSION_HEX >= 0x030D0000
        k_str_vectorcall = PyUnicode_Type.tp_vectorcall;
        PyUnicode_Type.tp_vectorcall = k_guarded_str_vectorcall;
#endif
    }
    if (type->tp_new == k_str_new) { type->tp_new = k_guarded_str_new; }
    else if (type->tp_new == k_bytes_new) { type->tp_new = k_guarded_bytes_new; }
    if (type->tp_init == k_bytearray_init) {
        type->tp_init = k_guarded_bytearray_init;
        k_rewrap(type, (void *)k_bytearray_init, (void *)k_guarded_bytearray_init);
    }
}

/* ---- bz2 and lzma ----------------------------------------------------------------------------------------------- */
enum { K_OUTPUT_PIECE = 1 << 20 };
typedef PyObject *(*k_keywords)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
typedef struct { PyObject_HEAD char *next_in; unsigned avail_in, total_in, total_in_high; } KBz2Compressor;    /* begins with a bz_stream */
typedef struct {
    PyCFunction compress, flush;
    k_keywords decompress;
    PyObject *eof, *needs_input;        /* descriptors of the decompressor */
    Py_ssize_t piece;                   /* of input of the compressor */
    double ns;                          /* for each byte of that */
} KCodec;
static KCodec k_bz2 = {NULL, NULL, NULL, NULL, NULL, 100000, 120}, k_lzma = {NULL, NULL, NULL, NULL, NULL, 16384, 1500};
enum { K_BZ2_BLOCK = 900000 };

static PyObject *k_join_parts(PyObject *parts) {
    PyObject *empty, *joined;
    if (PyList_GET_SIZE(parts) == 1) {
        joined = Py_NewRef(PyList_GET_ITEM(parts, 0));
    } else {
        empty = PyBytes_FromStringAndSize(NULL, 0);
        joined = empty == NULL ? NULL : _PyBytes_Join(empty, parts);
        Py_XDECREF(empty);
    }
    Py_DECREF(parts);
    return joined;
}

/* Takes the reference to part over, which may be NULL. */
static int k_add_part(PyObject *parts, PyObject *part) {
    int status = part == NULL ? -1 : PyList_Append(parts, part);
    Py_XDECREF(part);
    return status;
}

/* What a compressor may do when it gets so many bytes more: bz2 compresses a block when it is full, however little came last. */
static double k_compressing_ns(KCodec *codec, PyObject *self, double size) {
    double waiting;
    if (codec != &k_bz2) { return size * codec->ns; }
    waiting = (double)((KBz2Compressor *)self)->total_in;
    if (((KBz2Compressor *)self)->total_in_high || waiting > K_BZ2_BLOCK) { waiting = K_BZ2_BLOCK; }
    if (waiting + size < 0.8 * K_BZ2_BLOCK) { return size * codec->ns / 8; }        /* sorts runs only; those of four bytes take five places */
    return (waiting + size) * codec->ns;
}

static PyObject *k_compress_pieces(KCodec *codec, PyObject *self, PyObject *data) {
    PyObject *parts, *view, *bytes, *piece;
    Py_ssize_t at, size;
    int status = 0;
    if (!*k_metered_runs || !PyObject_CheckBuffer(data)) { return codec->compress(self, data); }
    view = PyMemoryView_FromObject(data);
    if (view == NULL) { PyErr_Clear(); return codec->compress(self, data); }
    size = PyMemoryView_GET_BUFFER(view)->len;
    if (size <= codec->piece || !PyBuffer_IsContiguous(PyMemoryView_GET_BUFFER(view), 'C')) {
        Py_DECREF(view);
        return k_afford_ns(k_compressing_ns(codec, self, (double)size)) < 0 ? NULL : codec->compress(self, data);
    }
    bytes = PyMemoryView_GET_BUFFER(view)->ndim == 1 && PyMemoryView_GET_BUFFER(view)->itemsize == 1 ? Py_NewRef(view)
            : PyObject_CallMethod(view, "cast", "s", "B");
    Py_DECREF(view);
    parts = bytes == NULL ? NULL : PyList_New(0);
    if (parts == NULL) { Py_XDECREF(bytes); return NULL; }
    for (at = 0; at < size && status == 0; at += codec->piece) {
        status = k_afford(k_compressing_ns(codec, self, (double)codec->piece) * 1e-9);
        if (status == 0) {
            piece = PySequence_GetSlice(bytes, at, at + codec->piece < size ? at + codec->piece : size);
            status = piece == NULL ? -1 : k_add_part(parts, codec->compress(self, piece));
            Py_XDECREF(piece);
        }
    }
    Py_DECREF(bytes);
    if (status < 0) { Py_DECREF(parts); return NULL; }
    return k_join_parts(parts);
}

static int k_read_flag(PyObject *descriptor, PyObject *self) {
    PyObject *value = Py_TYPE(descriptor)->tp_descr_get(descriptor, self, (PyObject *)Py_TYPE(self));
    int status = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return status;
}

static PyObject *k_decompress_pieces(KCodec *codec, PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) {
    Py_ssize_t given = n + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames)), i, most = -1, made = 0;
    PyObject *data = NULL, *limit = NULL, *parts, *piece, *pair[2], *empty;
    int status = 0, more = 1;
    for (i = 0; i < given; i++) {
        if (i < n ? i == 0 : PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i - n), "data") == 0) { data = args[i]; }
        else if (i < n ? i == 1 : PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i - n), "max_length") == 0) { limit = args[i]; }
    }
    if (data == NULL || given != (limit != NULL ? 2 : 1) || !*k_metered_runs || (limit != NULL && !PyLong_CheckExact(limit))) {
        return codec->decompress(self, args, n, kwnames);
    }
    if (limit != NULL) {
        most = PyLong_AsSsize_t(limit);
        if (most == -1 && PyErr_Occurred()) { PyErr_Clear(); return codec->decompress(self, args, n, kwnames); }
    }
    if (most >= 0 && most <= K_OUTPUT_PIECE) { return codec->decompress(self, args, n, kwnames); }
    parts = PyList_New(0);
    empty = PyBytes_FromStringAndSize(NULL, 0);
    if (parts == NULL || empty == NULL) { Py_XDECREF(parts); Py_XDECREF(empty); return NULL; }
    while (more && status == 0) {
        pair[0] = data;
        pair[1] = PyLong_FromSsize_t(most < 0 || most - made > K_OUTPUT_PIECE ? K_OUTPUT_PIECE : most - made);
        piece = pair[1] == NULL ? NULL : codec->decompress(self, pair, 2, NULL);
        Py_XDECREF(pair[1]);
        if (piece != NULL) { made += PyBytes_GET_SIZE(piece); }
        status = k_add_part(parts, piece);
        data = empty;
        if (status == 0) { status = k_look(); }
        if (status == 0) {
            more = k_read_flag(codec->eof, self);
            if (more == 0) { more = k_read_flag(codec->needs_input, self); }
            status = more < 0 ? -1 : 0;
            more = more == 0 && (most < 0 || made < most);
        }
    }
    Py_DECREF(empty);
    if (status < 0) { Py_DECREF(parts); return NULL; }
    return k_join_parts(parts);
}

static PyObject *k_bz2_compress(PyObject *self, PyObject *data) { return k_compress_pieces(&k_bz2, self, data); }
static PyObject *k_bz2_flush(PyObject *self, PyObject *unused) {
    if (*k_metered_runs && k_afford_ns(k_compressing_ns(&k_bz2, self, K_BZ2_BLOCK) - K_BZ2_BLOCK * k_bz2.ns) < 0) { return NULL; }
    return k_bz2.flush(self, unused);
}
static PyObject *k_lzma_compress(PyObject *self, PyObject *data) { return k_compress_pieces(&k_lzma, self, data); }
static PyObject *k_bz2_decompress(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) {
    return k_decompress_pieces(&k_bz2, self, args, n, kwnames);
}
static PyObject *k_lzma_decompress(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *kwnames) {
    return k_decompress_pieces(&k_lzma, self, args, n, kwnames);
}

static int k_guard_codec(KCodec *codec, PyObject *compress, void *compressing, PyObject *decompress, void *decompressing, PyObject *eof,
                         PyObject *needs_input) {
    if (Py_TYPE(eof)->tp_descr_get == NULL || Py_TYPE(needs_input)->tp_descr_get == NULL) { return -1; }
    codec->eof = Py_NewRef(eof);
    codec->needs_input = Py_NewRef(needs_input);
    if (k_patch(compress, METH_O, (void **)&codec->compress, compressing) < 0) { return -1; }
    return k_patch(decompress, METH_FASTCALL | METH_KEYWORDS, (void **)&codec->decompress, decompressing);
}
/* probe: a compressor that was given three bytes. */
static int k_guard_bz2(PyObject *compress, PyObject *flush, PyObject *probe, PyObject *decompress, PyObject *eof, PyObject *needs_input) {
    if (((KBz2Compressor *)probe)->total_in != 3 || ((KBz2Compressor *)probe)->total_in_high != 0) { return -1; }
    if (k_patch(flush, METH_NOARGS, (void **)&k_bz2.flush, (void *)k_bz2_flush) < 0) { return -1; }
    return k_guard_codec(&k_bz2, compress, (void *)k_bz2_compress, decompress, (void *)k_bz2_decompress, eof, needs_input);
}
static int k_guard_lzma(PyObject *compress, PyObject *decompress, PyObject *eof, PyObject *needs_input) {
    return k_guard_codec(&k_lzma, compress, (void *)k_lzma_compress, decompress, (void *)k_lzma_decompress, eof, needs_input);
}

/* ---- operators, comparisons and texts whose time grows with their operands --------------------------------------- */
typedef struct { void *original; double rate; } KSized;
#define K_SIZED(kind) static KSized k_##kind##_sized[K_MOST]; static int k_##kind##_sized_used = 0;
K_SIZED(binary) K_SIZED(comparing) K_SIZED(texting)

static inline int k_ask_sized(const KSized *s, PyObject *a, PyObject *b) {
    double ns;
    if (!*k_metered_runs || (k_is_small(a) && (b == NULL || k_is_small(b)))) { return 0; }
    ns = (k_size_of(a) + (b == NULL ? 0 : k_size_of(b))) * s->rate;
    return ns < K_ASK_FROM ? 0 : k_afford(ns * 1e-9);
}
#define K_STAMP_BINARY(N) static PyObject *k_binary_##N(PyObject *a, PyObject *b) { \
        if (k_ask_sized(&k_binary_sized[N - 100], a, b) < 0) { return NULL; } \
        return ((binaryfunc)k_binary_sized[N - 100].original)(a, b); }
#define K_STAMP_COMPARING(N) static PyObject *k_comparing_##N(PyObject *a, PyObject *b, int op) { \
        if (k_ask_sized(&k_comparing_sized[N - 100], a, b) < 0) { return NULL; } \
        return ((richcmpfunc)k_comparing_sized[N - 100].original)(a, b, op); }
#define K_STAMP_TEXTING(N) static PyObject *k_texting_##N(PyObject *a) { \
        if (k_ask_sized(&k_texting_sized[N - 100], a, NULL) < 0) { return NULL; } \
        return ((reprfunc)k_texting_sized[N - 100].original)(a); }
K_ALL(K_STAMP_BINARY) K_ALL(K_STAMP_COMPARING) K_ALL(K_STAMP_TEXTING)
#define K_LIST_BINARY(N) (void *)k_binary_##N,
#define K_LIST_COMPARING(N) (void *)k_comparing_##N,
#define K_LIST_TEXTING(N) (void *)k_texting_##N,
static void *k_binary_list[K_MOST] = {K_ALL(K_LIST_BINARY)};
static void *k_comparing_list[K_MOST] = {K_ALL(K_LIST_COMPARING)};
static void *k_texting_list[K_MOST] = {K_ALL(K_LIST_TEXTING)};

static int k_put_sized(PyTypeObject *type, void **slot, KSized *sized, int *used, void **list, double rate) {
    int i;
    void *original = *slot;
    if (original == NULL) { return 0; }
    for (i = 0; i < *used; i++) {
        if (list[i] == original) { return 0; }
        if (sized[i].original == original && sized[i].rate == rate) { break; }
    }
    if (i == K_MOST) { return -1; }
    if (i == *used) {
        sized[i].original = original;
        sized[i].rate = rate;
        (*used)++;
    }
    *slot = list[i];
    k_rewrap(type, original, list[i]);
    return 1;
}

#define K_NUMBER(name) if (type->tp_as_number != NULL \
        && k_put_sized(type, (void **)&type->tp_as_number->name, k_binary_sized, &k_binary_sized_used, k_binary_list, rate) < 0) { return -1; }
static int k_guard_set_operators(PyObject *of, double rate) {
    PyTypeObject *type = (PyTypeObject *)of;
    K_NUMBER(nb_and) K_NUMBER(nb_or) K_NUMBER(nb_xor) K_NUMBER(nb_subtract)
    K_NUMBER(nb_inplace_and) K_NUMBER(nb_inplace_or) K_NUMBER(nb_inplace_xor) K_NUMBER(nb_inplace_subtract)
    return 0;
}
static int k_guard_joining(PyObject *of, double rate) {
    PyTypeObject *type = (PyTypeObject *)of;
    if (type->tp_as_sequence == NULL) { return 0; }
    if (k_put_sized(type, (void **)&type->tp_as_sequence->sq_concat, k_binary_sized, &k_binary_sized_used, k_binary_list, rate) < 0) { return -1; }
    return k_put_sized(type, (void **)&type->tp_as_sequence->sq_inplace_concat, k_binary_sized, &k_binary_sized_used, k_binary_list, rate);
}
static int k_guard_sized_comparison(PyObject *of, double rate) {
    PyTypeObject *type = (PyTypeObject *)of;
    return k_put_sized(type, (void **)&type->tp_richcompare, k_comparing_sized, &k_comparing_sized_used, k_comparing_list, rate);
}
static int k_guard_sized_text(PyObject *of, double rate) {
    PyTypeObject *type = (PyTypeObject *)of;
    return k_put_sized(type, (void **)&type->tp_repr, k_texting_sized, &k_texting_sized_used, k_texting_list, rate);
}

static richcmpfunc k_view_compare, k_array_compare;
static PyObject *k_guarded_view_compare(PyObject *a, PyObject *b, int op) {
    Py_buffer *view = PyMemoryView_GET_BUFFER(a), *other = PyMemoryView_Check(b) ? PyMemoryView_GET_BUFFER(b) : NULL;
    int native;
    if (view->len > 20000 && *k_metered_runs && (op == Py_EQ || op == Py_NE)) {
        /* Items of two formats that are not both native are unpacked by the module struct. */
        native = view->format != NULL && view->format[0] != '\0' && view->format[1] == '\0'
            && (other == NULL || (other->format != NULL && strcmp(view->format, other->format) == 0));
        if (k_afford_ns((double)view->len / (view->itemsize ? view->itemsize : 1) * (native ? 12 : 400)) < 0) { return NULL; }
    }
    return k_view_compare(a, b, op);
}
static PyObject *k_guarded_array_compare(PyObject *a, PyObject *b, int op) {
    if (Py_SIZE(a) > 5000 && k_array_type != NULL && PyObject_TypeCheck(b, k_array_type) && *k_metered_runs
            && k_afford_ns((double)(Py_SIZE(a) < Py_SIZE(b) ? Py_SIZE(a) : Py_SIZE(b)) * 60) < 0) { return NULL; }
    return k_array_compare(a, b, op);
}
static void k_guard_views(void) {
    k_replace(&PyMemoryView_Type, (void **)&PyMemoryView_Type.tp_richcompare, (void **)&k_view_compare, (void *)k_guarded_view_compare);
}
static void k_guard_arrays(PyObject *type) {
    PyTypeObject *t = (PyTypeObject *)type;
    k_replace(t, (void **)&t->tp_richcompare, (void **)&k_array_compare, (void *)k_guarded_array_compare);
}

/* Of a text or bytes that were not hashed before. */
static hashfunc k_str_hash, k_bytes_hash;
static Py_hash_t k_guarded_str_hash(PyObject *o) {
    if (PyUnicode_GET_LENGTH(o) > 1000000 && ((PyASCIIObject *)o)->hash == -1 && *k_metered_runs
            && k_afford_ns((double)PyUnicode_GET_LENGTH(o) * PyUnicode_KIND(o) * 1.5) < 0) { return -1; }
    return k_str_hash(o);
}
static Py_hash_t k_guarded_bytes_hash(PyObject *o) {
    if (PyBytes_GET_SIZE(o) > 1000000 && *k_metered_runs && k_afford_ns((double)PyBytes_GET_SIZE(o) * 1.5) < 0) { return -1; }
    return k_bytes_hash(o);
}
static void k_guard_hashes(void) {
    k_replace(&PyUnicode_Type, (void **)&PyUnicode_Type.tp_hash, (void **)&k_str_hash, (void *)k_guarded_str_hash);
    k_replace(&PyBytes_Type, (void **)&PyBytes_Type.tp_hash, (void **)&k_bytes_hash, (void *)k_guarded_bytes_hash);
}

/* ---- objects that are made from others: slots for what a type does with the arguments of its call ---------------- */
K_SIZED(making) K_SIZED(filling)
static int k_ask_making(const KSized *s, PyObject *args, PyObject *kwargs) {
    double size = 0;
    Py_ssize_t i, position = 0;
    PyObject *value;
    if (!*k_metered_runs) { return 0; }
    for (i = 0; i < PyTuple_GET_SIZE(args); i++) { size += k_size_of(PyTuple_GET_ITEM(args, i)); }
    while (kwargs != NULL && PyDict_Next(kwargs, &position, NULL, &value)) { size += k_size_of(value); }
    return k_afford_ns(size * s->rate);
}
#define K_STAMP_MAKING(N) static PyObject *k_making_##N(PyTypeObject *t, PyObject *a, PyObject *k) { \
        if (k_ask_making(&k_making_sized[N - 100], a, k) < 0) { return NULL; } \
        return ((newfunc)k_making_sized[N - 100].original)(t, a, k); }
#define K_STAMP_FILLING(N) static int k_filling_##N(PyObject *o, PyObject *a, PyObject *k) { \
        if (k_ask_making(&k_filling_sized[N - 100], a, k) < 0) { return -1; } \
        return ((initproc)k_filling_sized[N - 100].original)(o, a, k); }
K_TEN(K_STAMP_MAKING, 10) K_TEN(K_STAMP_MAKING, 11) K_TEN(K_STAMP_FILLING, 10)
#define K_LIST_MAKING(N) (void *)k_making_##N,
#define K_LIST_FILLING(N) (void *)k_filling_##N,
static void *k_making_list[K_MOST] = {K_TEN(K_LIST_MAKING, 10) K_TEN(K_LIST_MAKING, 11)};
static void *k_filling_list[K_MOST] = {K_TEN(K_LIST_FILLING, 10)};

/* -1: there are too many. */
static int k_guard_making(PyObject *of, double rate) {
    PyTypeObject *type = (PyTypeObject *)of;
    if (k_making_sized_used == 20 || k_filling_sized_used == 10) { return -1; }
    if (type->tp_new != PyBaseObject_Type.tp_new
            && k_put_sized(type, (void **)&type->tp_new, k_making_sized, &k_making_sized_used, k_making_list, rate) < 0) { return -1; }
    if (type->tp_init == PyBaseObject_Type.tp_init) { return 0; }
    return k_put_sized(type, (void **)&type->tp_init, k_filling_sized, &k_filling_sized_used, k_filling_list, rate);
}

/* ---- templates with % -------------------------------------------------------------------------------------------- */
enum { K_PLACE_NS = 250 };
static binaryfunc k_str_percent, k_bytes_percent, k_bytearray_percent;

static int k_ask_percent(PyObject *template, PyObject *values) {
    double ns, size = 0, places = 0;
    Py_ssize_t i, at = 0, n;
    const char *text, *found;
    if (!*k_metered_runs) { return 0; }
    if (PyUnicode_Check(template)) {
        n = PyUnicode_GET_LENGTH(template);
        while (at < n && (at = PyUnicode_FindChar(template, '%', at, n, 1)) >= 0) { places++; at++; }
    } else {
        n = PyBytes_Check(template) ? PyBytes_GET_SIZE(template) : PyByteArray_Check(template) ? PyByteArray_GET_SIZE(template) : 0;
        text = PyBytes_Check(template) ? PyBytes_AS_STRING(template) : n ? PyByteArray_AS_STRING(template) : NULL;
        while (at < n && (found = memchr(text + at, '%', n - at)) != NULL) { places++; at = found - text + 1; }
    }
    if (PyTuple_Check(values)) {
        for (i = 0; i < PyTuple_GET_SIZE(values); i++) { size += k_size_of(PyTuple_GET_ITEM(values, i)); }
    } else { size = k_size_of(values); }
    ns = places * K_PLACE_NS + (double)n + size * 12;
    return k_afford_ns(ns);
}
#define K_PERCENT(kind, type) static PyObject *k_guarded_##kind##_percent(PyObject *a, PyObject *b) { \
        if (type##_Check(a) && !(k_is_small(a) && k_is_small(b)) && k_ask_percent(a, b) < 0) { return NULL; } \
        return k_##kind##_percent(a, b); \
    }
K_PERCENT(str, PyUnicode) K_PERCENT(bytes, PyBytes) K_PERCENT(bytearray, PyByteArray)

static void k_guard_templates_of_text(void) {
    k_replace(&PyUnicode_Type, (void **)&PyUnicode_Type.tp_as_number->nb_remainder, (void **)&k_str_percent, (void *)k_guarded_str_percent);
    k_replace(&PyBytes_Type, (void **)&PyBytes_Type.tp_as_number->nb_remainder, (void **)&k_bytes_percent, (void *)k_guarded_bytes_percent);
    k_replace(&PyByteArray_Type, (void **)&PyByteArray_Type.tp_as_number->nb_remainder, (void **)&k_bytearray_percent,
              (void *)k_guarded_bytearray_percent);
}

/* ---- decimals ---------------------------------------------------------------------------------------------------- */
/* What libmpdec keeps of a number, and of a context, behind the head of the object. */
typedef struct { PyObject_HEAD Py_hash_t hash; uint8_t flags; Py_ssize_t exp, digits, len; } KDecimal;
typedef struct { PyObject_HEAD Py_ssize_t prec; } KDecimalContext;
static PyTypeObject *k_decimal_type = NULL, *k_decimal_context = NULL;
static PyObject *k_get_decimal_context = NULL;

/* The digits that an operation works with. whole: 1, also those that an exponent stands for; 2, or those of a negative one. */
static double k_decimal_digits(PyObject *o, int whole) {
    double digits;
    if (PyObject_TypeCheck(o, k_decimal_type)) {
        digits = (double)((KDecimal *)o)->digits;
        return whole && (whole > 1 || ((KDecimal *)o)->exp > 0) ? digits + fabs((double)((KDecimal *)o)->exp) : digits;
    }
    if (PyObject_TypeCheck(o, k_decimal_context)) { return (double)((KDecimalContext *)o)->prec; }
    if (PyLong_Check(o)) { return K_DIGITS(o) * 9; }
    return PyUnicode_Check(o) ? (double)PyUnicode_GET_LENGTH(o) : 0;
}
static double k_decimal_precision(void) {
    double digits = 28;
    PyObject *context;
    if (!k_large_precision) { return digits; }
    context = PyObject_CallNoArgs(k_get_decimal_context);
    if (context == NULL) { PyErr_Clear(); return digits; }
    if (PyObject_TypeCheck(context, k_decimal_context)) { digits = (double)((KDecimalContext *)context)->prec; }
    Py_DECREF(context);
    return digits;
}
static int k_ask_decimals(KCost *c, PyObject *self, PyObject *const *args, Py_ssize_t n) {
    int whole = c->how >= K_DECIMAL_INT ? 1 + (c->how == K_DECIMAL_RATIO) : 0;
    double digits, each, ns = 0;
    Py_ssize_t i;
    PyObject *o;
    if (!*k_metered_runs || k_decimal_type == NULL) { return 0; }
    digits = whole ? 28 : k_decimal_precision();
    for (i = self == NULL ? 0 : -1; i < n; i++) {
        o = i < 0 ? self : args[i];
        each = k_decimal_digits(o, whole);
        if (each > digits) { digits = each; }
        if (PyLong_Check(o)) { ns += 1.2 * K_DIGITS(o) * K_DIGITS(o); }     /* made a decimal first */
    }
    if (c->how == K_DECIMAL_SQUARE && n == 3 && args[2] != Py_None) { digits *= 3; }    /* a power modulo */
    ns += c->how == K_DECIMAL_LINEAR || c->how == K_DECIMAL_FORMAT ? digits * c->rate : digits * digits * c->rate;
    return k_afford_ns(ns);
}
static KCost k_decimal_arithmetic = {NULL, 400, K_DECIMAL_LINEAR, NULL}, k_decimal_powers = {NULL, 30, K_DECIMAL_SQUARE, NULL},
    k_decimal_ints = {NULL, 0.03, K_DECIMAL_INT, NULL}, k_decimal_looks = {NULL, 12, K_DECIMAL_LINEAR, NULL};

static binaryfunc k_decimal_binary[7];
static ternaryfunc k_decimal_power;
static unaryfunc k_decimal_unary[5];
static reprfunc k_decimal_text[2];
static hashfunc k_decimal_hash;
static richcmpfunc k_decimal_compare;
static newfunc k_decimal_new;
/* Two numbers of the usual size, with a precision like theirs: some hundred nanoseconds, which are not worth asking for. */
static inline int k_decimal_short(PyObject *o) {
    return Py_TYPE(o) == k_decimal_type ? ((KDecimal *)o)->digits < 64 : Py_TYPE(o) == &PyLong_Type && K_DIGITS(o) < 8;
}
#define K_DECIMAL_BINARY(N) static PyObject *k_decimal_binary_##N(PyObject *a, PyObject *b) { \
        if (!k_large_precision && k_decimal_short(a) && k_decimal_short(b)) { return k_decimal_binary[N](a, b); } \
        return k_ask_decimals(&k_decimal_arithmetic, a, &b, 1) < 0 ? NULL : k_decimal_binary[N](a, b); }
K_DECIMAL_BINARY(0) K_DECIMAL_BINARY(1) K_DECIMAL_BINARY(2) K_DECIMAL_BINARY(3) K_DECIMAL_BINARY(4) K_DECIMAL_BINARY(5) K_DECIMAL_BINARY(6)
static PyObject *k_decimal_raise(PyObject *a, PyObject *b, PyObject *c) {
    PyObject *all[3];
    all[0] = a;
    all[1] = b;
    all[2] = c;
    return k_ask_decimals(&k_decimal_powers, NULL, all, 3) < 0 ? NULL : k_decimal_power(a, b, c);
}
#define K_DECIMAL_UNARY(N, cost) static PyObject *k_decimal_unary_##N(PyObject *a) { \
        return k_ask_decimals(&cost, a, NULL, 0) < 0 ? NULL : k_decimal_unary[N](a); }
K_DECIMAL_UNARY(0, k_decimal_arithmetic) K_DECIMAL_UNARY(1, k_decimal_arithmetic) K_DECIMAL_UNARY(2, k_decimal_arithmetic)
K_DECIMAL_UNARY(3, k_decimal_ints) K_DECIMAL_UNARY(4, k_decimal_arithmetic)
static PyObject *k_decimal_str(PyObject *a) {
    return k_ask_decimals(&k_decimal_looks, a, NULL, 0) < 0 ? NULL : k_decimal_text[0](a);
}
static PyObject *k_decimal_repr(PyObject *a) {
    return k_ask_decimals(&k_decimal_looks, a, NULL, 0) < 0 ? NULL : k_decimal_text[1](a);
}
static Py_hash_t k_decimal_hashed(PyObject *a) {
    return k_ask_decimals(&k_decimal_looks, a, NULL, 0) < 0 ? -1 : k_decimal_hash(a);
}
static PyObject *k_decimal_compared(PyObject *a, PyObject *b, int op) {
    return k_ask_decimals(&k_decimal_looks, a, &b, 1) < 0 ? NULL : k_decimal_compare(a, b, op);
}
static PyObject *k_decimal_make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *value = PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0) : NULL;
    if (value == NULL && kwargs != NULL) { value = PyDict_GetItemString(kwargs, "value"); }
    if (value != NULL && k_ask_decimals(&k_decimal_looks, value, NULL, 0) < 0) { return NULL; }
    return k_decimal_new(type, args, kwargs);
}

/* 0, or -1 when this Python keeps decimals in another way. */
static int k_guard_decimals(PyObject *type, PyObject *context, PyObject *get_context, PyObject *probe, PyObject *probe_context) {
    PyTypeObject *t = (PyTypeObject *)type;
    PyNumberMethods *n = t->tp_as_number;
    if (((KDecimal *)probe)->digits != 5 || ((KDecimal *)probe)->exp != -3 || ((KDecimalContext *)probe_context)->prec != 77) { return -1; }
    if (k_decimal_type != NULL) { return 0; }
    k_decimal_type = (PyTypeObject *)Py_NewRef(type);
    k_decimal_context = (PyTypeObject *)Py_NewRef(context);
    k_get_decimal_context = Py_NewRef(get_context);
    k_replace(t, (void **)&n->nb_add, (void **)&k_decimal_binary[0], (void *)k_decimal_binary_0);
    k_replace(t, (void **)&n->nb_subtract, (void **)&k_decimal_binary[1], (void *)k_decimal_binary_1);
    k_replace(t, (void **)&n->nb_multiply, (void **)&k_decimal_binary[2], (void *)k_decimal_binary_2);
    k_replace(t, (void **)&n->nb_true_divide, (void **)&k_decimal_binary[3], (void *)k_decimal_binary_3);
    k_replace(t, (void **)&n->nb_floor_divide, (void **)&k_decimal_binary[4], (void *)k_decimal_binary_4);
    k_replace(t, (void **)&n->nb_remainder, (void **)&k_decimal_binary[5], (void *)k_decimal_binary_5);
    k_replace(t, (void **)&n->nb_divmod, (void **)&k_decimal_binary[6], (void *)k_decimal_binary_6);
    k_replace(t, (void **)&n->nb_power, (void **)&k_decimal_power, (void *)k_decimal_raise);
    k_replace(t, (void **)&n->nb_negative, (void **)&k_decimal_unary[0], (void *)k_decimal_unary_0);
    k_replace(t, (void **)&n->nb_positive, (void **)&k_decimal_unary[1], (void *)k_decimal_unary_1);
    k_replace(t, (void **)&n->nb_absolute, (void **)&k_decimal_unary[2], (void *)k_decimal_unary_2);
    k_replace(t, (void **)&n->nb_int, (void **)&k_decimal_unary[3], (void *)k_decimal_unary_3);
    k_replace(t, (void **)&n->nb_float, (void **)&k_decimal_unary[4], (void *)k_decimal_unary_4);
    k_replace(t, (void **)&t->tp_str, (void **)&k_decimal_text[0], (void *)k_decimal_str);
    k_replace(t, (void **)&t->tp_repr, (void **)&k_decimal_text[1], (void *)k_decimal_repr);
    k_replace(t, (void **)&t->tp_hash, (void **)&k_decimal_hash, (void *)k_decimal_hashed);
    k_replace(t, (void **)&t->tp_richcompare, (void **)&k_decimal_compare, (void *)k_decimal_compared);
    k_replace(t, (void **)&t->tp_new, (void **)&k_decimal_new, (void *)k_decimal_make);
    return 0;
}
static void k_note_precision(double digits) { if (digits > 500) { k_large_precision = 1; } }

#endif
