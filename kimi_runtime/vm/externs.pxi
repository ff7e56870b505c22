# The C interface of CPython as the core uses it: raw PyObject*, so that every reference is counted by hand.
cdef extern from "layout.h":
    int k_add_overflow(int64_t a, int64_t b, int64_t *r) noexcept
    int k_sub_overflow(int64_t a, int64_t b, int64_t *r) noexcept
    int k_mul_overflow(int64_t a, int64_t b, int64_t *r) noexcept
    unsigned int k_type_version(PyTypeObject *t) noexcept
    PyObject **k_handled(PyThreadState *ts) noexcept
    PyObject *k_raised(PyThreadState *ts) noexcept
    PyObject *k_take_raised() noexcept
    void k_restore_raised(PyObject *exc) noexcept
    ctypedef struct KDictKeys:
        uint8_t dk_kind
        uint32_t dk_version
    int k_layout_ok
    void k_layout_ok_set(int on) noexcept
    bint k_layout_is_ok() noexcept
    int k_super_selftest(PyObject *o, PyTypeObject *cls, PyObject *self) noexcept
    PyObject *k_super_instance(PyObject *o, PyObject **cls) noexcept
    PyTypeObject *k_super_class(PyObject *o, PyObject **cls) noexcept
    KDictKeys *k_dict_keys(PyObject *d) noexcept
    uint32_t k_keys_version(KDictKeys *k) noexcept
    Py_ssize_t k_keys_index(KDictKeys *k, PyObject *key) noexcept
    Py_ssize_t k_dict_index(PyObject *d, PyObject *key, uint32_t *version) noexcept
    uint32_t k_dict_version(PyObject *d) noexcept
    PyObject *k_dict_value_at(PyObject *d, Py_ssize_t i) noexcept
    bint k_type_has_values(PyTypeObject *t) noexcept
    bint k_type_managed_dict(PyTypeObject *t) noexcept
    KDictKeys *k_type_keys(PyTypeObject *t) noexcept
    PyObject **k_values(PyObject *o) noexcept
    PyObject *k_own_dict(PyObject *o) noexcept
    int k_lookup_attr(PyObject *o, PyObject *name, PyObject **found) noexcept
    void k_values_inserted(PyObject **values, Py_ssize_t ix) noexcept
    void *k_get_vm() noexcept
    void *k_host_frame() noexcept
    bint k_rewrite_int(PyObject *old, int64_t v) noexcept
    bint k_rewrite_float(PyObject *old, double d) noexcept
    bint k_is_ascii(PyObject *s) noexcept
    void k_copy_text(char *to, PyObject *s, Py_ssize_t n) noexcept
    PyObject *k_concatenate(PyObject *a, PyObject *b) noexcept
    bint k_is_metaclass(PyObject *o) noexcept
    int k_compare_tuples(PyObject *a, PyObject *b, int op) noexcept
    int k_order(PyObject *a, PyObject *b) noexcept
    int k_ordered(int order, int op) noexcept
    void k_set_vm(void *vm) noexcept
    PyObject *k_iternext(PyObject *it) noexcept
    int k_dict_next(PyObject *d, Py_ssize_t *pos, PyObject **key, PyObject **value) noexcept
    Py_ssize_t k_dict_size(PyObject *d) noexcept
    Py_ssize_t set_length "PySet_GET_SIZE"(PyObject *d) noexcept
    double fabs(double d) noexcept
    ctypedef struct KEnum:
        Py_ssize_t index
        PyObject *iterator
        PyObject *long_index
    ctypedef struct KZip:
        Py_ssize_t size
        PyObject *iterators
        int strict
    int k_iterators_ok
    int k_iterators_selftest(PyObject *e, PyObject *z) noexcept
    double k_square(double x) noexcept
    int k_float_mod(double a, double b, double *out) noexcept
    int k_float_floordiv(double a, double b, double *out) noexcept
    void k_unreachable() noexcept

cdef extern from "type_flags.h":
    unsigned long K_MADE
    unsigned long k_flags_of(PyTypeObject *type) noexcept

cdef extern from "arrays.h":
    bint k_is_array(PyTypeObject *type) noexcept
    int k_array_get(PyObject *o, int64_t index, int64_t *i, double *d) noexcept
    bint k_array_set_int(PyObject *o, int64_t index, int64_t number) noexcept
    bint k_array_set_float(PyObject *o, int64_t index, double number) noexcept

cdef extern from "structmember.h":
    ctypedef struct PyMemberDef:
        int type
        Py_ssize_t offset
        int flags
    ctypedef struct PyMemberDescrObject:
        PyMemberDef *d_member
    int T_OBJECT_EX
    int READONLY

cdef extern from "Python.h":
    ctypedef struct PyThreadState:
        _PyErr_StackItem *exc_info
    PyThreadState *PyThreadState_Get() noexcept
    Py_ssize_t Py_REFCNT(PyObject *o) noexcept
    bint PyObject_TypeCheck(PyObject *o, PyTypeObject *t) noexcept
    int PyObject_IsTrue(PyObject *o) noexcept
    PyObject *PyObject_GetIter(PyObject *o) noexcept
    PyObject *PyObject_GetAttr(PyObject *o, PyObject *name) noexcept
    int PyObject_SetAttr(PyObject *o, PyObject *name, PyObject *v) noexcept
    PyObject *PyObject_GetItem(PyObject *o, PyObject *k) noexcept
    int PyObject_SetItem(PyObject *o, PyObject *k, PyObject *v) noexcept
    int PyObject_DelItem(PyObject *o, PyObject *k) noexcept
    PyObject *PyObject_RichCompare(PyObject *a, PyObject *b, int op) noexcept
    int PyObject_RichCompareBool(PyObject *a, PyObject *b, int op) noexcept
    PyObject *PyObject_Vectorcall(PyObject *f, PyObject *const *args, size_t nargsf, PyObject *kwnames) noexcept
    PyObject *PyObject_Call(PyObject *f, PyObject *args, PyObject *kwargs) noexcept
    PyObject *PyObject_CallNoArgs(PyObject *f) noexcept
    PyObject *PyObject_CallOneArg(PyObject *f, PyObject *arg) noexcept
    PyObject *PyObject_Str(PyObject *o) noexcept
    PyObject *PyObject_Repr(PyObject *o) noexcept
    PyObject *PyObject_ASCII(PyObject *o) noexcept
    PyObject *PyObject_Format(PyObject *o, PyObject *spec) noexcept
    Py_ssize_t PyObject_Size(PyObject *o) noexcept
    int PyObject_IsInstance(PyObject *o, PyObject *t) noexcept
    Py_hash_t PyObject_Hash(PyObject *o) noexcept
    PyObject *PyObject_Type(PyObject *o) noexcept
    PyObject *PyNumber_Negative(PyObject *o) noexcept
    PyObject *PyNumber_Positive(PyObject *o) noexcept
    PyObject *PyNumber_Invert(PyObject *o) noexcept
    PyObject *PyNumber_Add(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Subtract(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Multiply(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_MatrixMultiply(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_TrueDivide(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_FloorDivide(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Remainder(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Power(PyObject *a, PyObject *b, PyObject *c) noexcept
    PyObject *PyNumber_Lshift(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Rshift(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Or(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_Xor(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_And(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceAdd(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceSubtract(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceMultiply(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceMatrixMultiply(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceTrueDivide(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceFloorDivide(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceRemainder(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlacePower(PyObject *a, PyObject *b, PyObject *c) noexcept
    PyObject *PyNumber_InPlaceLshift(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceRshift(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceOr(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceXor(PyObject *a, PyObject *b) noexcept
    PyObject *PyNumber_InPlaceAnd(PyObject *a, PyObject *b) noexcept
    int PySequence_Contains(PyObject *s, PyObject *v) noexcept
    PyObject *PySequence_Tuple(PyObject *o) noexcept
    PyObject *PySequence_List(PyObject *o) noexcept
    PyObject *PyList_New(Py_ssize_t n) noexcept
    int PyList_Append(PyObject *l, PyObject *v) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject *l) noexcept
    PyObject *PyList_GET_ITEM(PyObject *l, Py_ssize_t i) noexcept
    void PyList_SET_ITEM(PyObject *l, Py_ssize_t i, PyObject *v) noexcept
    PyObject *PyList_AsTuple(PyObject *l) noexcept
    PyObject *PyTuple_New(Py_ssize_t n) noexcept
    PyObject *PyTuple_GetSlice(PyObject *t, Py_ssize_t low, Py_ssize_t high) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t) noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i) noexcept
    void PyTuple_SET_ITEM(PyObject *t, Py_ssize_t i, PyObject *v) noexcept
    PyObject *PySet_New(PyObject *it) noexcept
    int PySet_Add(PyObject *s, PyObject *v) noexcept
    PyObject *PyDict_New() noexcept
    PyObject *PyDict_Copy(PyObject *d) noexcept
    PyObject *PyDict_GetItemWithError(PyObject *d, PyObject *k) noexcept
    int PyDict_SetItem(PyObject *d, PyObject *k, PyObject *v) noexcept
    int PyDict_DelItem(PyObject *d, PyObject *k) noexcept
    int PyDict_Next(PyObject *d, Py_ssize_t *pos, PyObject **k, PyObject **v) noexcept
    bint PyUnicode_CHECK_INTERNED(PyObject *o) noexcept
    int PyDict_Contains(PyObject *d, PyObject *k) noexcept
    int PyDict_Update(PyObject *d, PyObject *o) noexcept
    Py_ssize_t PyDict_GET_SIZE "PyDict_Size"(PyObject *d) noexcept
    bint PyDict_Check(PyObject *o) noexcept
    bint PyDict_CheckExact(PyObject *o) noexcept
    bint PyList_CheckExact(PyObject *o) noexcept
    bint PyTuple_CheckExact(PyObject *o) noexcept
    bint PyTuple_Check(PyObject *o) noexcept
    bint PyUnicode_CheckExact(PyObject *o) noexcept
    bint PyUnicode_Check(PyObject *o) noexcept
    bint PyType_Check(PyObject *o) noexcept
    bint PyLong_CheckExact(PyObject *o) noexcept
    bint PyExceptionInstance_Check(PyObject *o) noexcept
    bint PyExceptionClass_Check(PyObject *o) noexcept
    bint PyModule_CheckExact(PyObject *o) noexcept
    PyObject *PyUnicode_Concat(PyObject *a, PyObject *b) noexcept
    void PyUnicode_Append(PyObject **p, PyObject *right) noexcept
    int PyUnicode_Compare(PyObject *a, PyObject *b) noexcept
    int PyUnicode_Contains(PyObject *a, PyObject *b) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *o) noexcept
    int PyUnicode_KIND(PyObject *o) noexcept
    void *PyUnicode_DATA(PyObject *o) noexcept
    PyObject *PyUnicode_Substring(PyObject *text, Py_ssize_t start, Py_ssize_t end) noexcept
    uint32_t PyUnicode_READ_CHAR(PyObject *o, Py_ssize_t i) noexcept
    uint32_t PyUnicode_MAX_CHAR_VALUE(PyObject *o) noexcept
    PyObject *PyUnicode_New(Py_ssize_t n, uint32_t maxchar) noexcept
    Py_ssize_t PyUnicode_CopyCharacters(PyObject *to, Py_ssize_t at, PyObject *src, Py_ssize_t start, Py_ssize_t n) noexcept
    PyObject *PyUnicode_FromStringAndSize(const char *s, Py_ssize_t n) noexcept
    PyObject *PyUnicode_Join(PyObject *sep, PyObject *seq) noexcept
    PyObject *PyUnicode_FromOrdinal(int c) noexcept
    PyObject *PySlice_New(PyObject *a, PyObject *b, PyObject *c) noexcept
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t *start, Py_ssize_t *stop, Py_ssize_t step) noexcept
    int PyList_SetSlice(PyObject *list, Py_ssize_t low, Py_ssize_t high, PyObject *items) noexcept
    Py_ssize_t PY_SSIZE_T_MAX, PY_SSIZE_T_MIN
    PyObject *PyMethod_New(PyObject *f, PyObject *self) noexcept
    PyObject *PyMethod_GET_FUNCTION(PyObject *m) noexcept
    PyObject *PyMethod_GET_SELF(PyObject *m) noexcept
    bint PyCFunction_CheckExact(PyObject *o) noexcept
    PyTypeObject PyUnicode_Type, PyList_Type, PyTuple_Type, PyDict_Type, PySet_Type, PyRange_Type, PyType_Type
    PyTypeObject PyMethod_Type, PyCFunction_Type, PyMemberDescr_Type, PyMethodDescr_Type, PyModule_Type, PyProperty_Type
    PyTypeObject PyEnum_Type, PyZip_Type, PyDictKeys_Type, PyDictValues_Type, PyDictItems_Type
    ctypedef struct KDictView:
        PyObject *dv_dict
    PyTypeObject PyMap_Type, PyFilter_Type
    PyTypeObject PyBaseObject_Type, PySuper_Type, PyBytes_Type, PySlice_Type, PyFrozenSet_Type, PyWrapperDescr_Type
    PyTypeObject PyClassMethod_Type, PyStaticMethod_Type, PyGetSetDescr_Type
    ctypedef struct PyTypeFull "PyTypeObject":
        const char *tp_name
        Py_ssize_t tp_basicsize
        Py_ssize_t tp_dictoffset
        unsigned long tp_flags
        unsigned int tp_version_tag
        GetAttrFunc tp_getattro
        int (*tp_setattro)(PyObject *o, PyObject *name, PyObject *v) noexcept
        PyObject *(*tp_descr_get)(PyObject *d, PyObject *o, PyObject *t) noexcept
        int (*tp_descr_set)(PyObject *d, PyObject *o, PyObject *v) noexcept
        PyObject *(*tp_iter)(PyObject *o) noexcept
        PyObject *(*tp_iternext)(PyObject *o) noexcept
        NewFunc tp_new
        InitFunc tp_init
        PyObject *(*tp_alloc)(PyTypeObject *t, Py_ssize_t n) noexcept
        PyObject *(*tp_call)(PyObject *o, PyObject *a, PyObject *k) noexcept
        Py_hash_t (*tp_hash)(PyObject *o) noexcept
    ctypedef struct KAsyncMethods "PyAsyncMethods":
        AsyncSlot am_await
        AsyncSlot am_aiter
        AsyncSlot am_anext
    ctypedef struct KAsyncType "PyTypeObject":
        KAsyncMethods *tp_as_async
    bint PyCoro_CheckExact(PyObject *o) noexcept
    ctypedef enum PySendResult:
        PYGEN_RETURN
        PYGEN_ERROR
        PYGEN_NEXT
    PySendResult PyIter_Send(PyObject *it, PyObject *value, PyObject **result) noexcept
    PyObject *PyType_GenericAlloc(PyTypeObject *t, Py_ssize_t n) noexcept
    PyObject *PyObject_GenericGetAttr(PyObject *o, PyObject *name) noexcept
    int PyObject_GenericSetAttr(PyObject *o, PyObject *name, PyObject *v) noexcept
    PyObject *_PyType_Lookup(PyTypeObject *t, PyObject *name) noexcept
    unsigned long Py_TPFLAGS_HAVE_GC, Py_TPFLAGS_HEAPTYPE, Py_TPFLAGS_METHOD_DESCRIPTOR
    unsigned long Py_TPFLAGS_SEQUENCE, Py_TPFLAGS_MAPPING
    int PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b) noexcept
    size_t PY_VECTORCALL_ARGUMENTS_OFFSET
    PyObject *PyErr_Occurred() noexcept
    void PyErr_Clear() noexcept
    void PyErr_SetObject(PyObject *t, PyObject *v) noexcept
    void PyErr_SetString(PyObject *t, const char *s) noexcept
    void PyErr_SetNone(PyObject *t) noexcept
    PyObject *PyErr_Format(PyObject *t, const char *fmt, ...) noexcept
    PyObject *PyErr_NoMemory() noexcept
    int PyErr_CheckSignals() noexcept
    int PyErr_ExceptionMatches(PyObject *t) noexcept
    int PyErr_GivenExceptionMatches(PyObject *e, PyObject *t) noexcept
    void PyException_SetCause(PyObject *e, PyObject *c) noexcept
    void PyException_SetContext(PyObject *e, PyObject *c) noexcept
    PyObject *PyException_GetTraceback(PyObject *e) noexcept
    PyObject *PyExc_NameError, *PyExc_UnboundLocalError, *PyExc_TypeError, *PyExc_ValueError, *PyExc_RuntimeError
    PyObject *PyExc_RecursionError, *PyExc_AttributeError, *PyExc_StopIteration, *PyExc_ZeroDivisionError
    PyObject *PyExc_AssertionError, *PyExc_SystemError, *PyExc_KeyError, *PyExc_IndexError, *PyExc_GeneratorExit
    PyObject *PyExc_KeyboardInterrupt, *PyExc_NotImplementedError, *PyExc_ImportError, *PyExc_BaseException, *PyExc_StopAsyncIteration, *PyExc_MemoryError
    PyObject *PyExc_OverflowError
    int Py_EQ, Py_NE, Py_LT, Py_LE, Py_GT, Py_GE
    PyObject *PyObject_GenericGetDict(PyObject *o, void *context) noexcept
    bint PySequence_Check(PyObject *o) noexcept
    int PY_VERSION_HEX
    PyObject *PyModule_GetDict(PyObject *m) noexcept
    PyObject *PyObject_CallMethodOneArg(PyObject *o, PyObject *name, PyObject *arg) noexcept
    int PyDict_Next(PyObject *d, Py_ssize_t *pos, PyObject **k, PyObject **v) noexcept
    unsigned long Py_TPFLAGS_IS_ABSTRACT
    unsigned long Py_TPFLAGS_TUPLE_SUBCLASS

cdef extern from "layout.h":
    void *k_host_frame_of(PyThreadState *ts) noexcept
    int k_enter_recursive(PyThreadState *ts) noexcept
    void k_leave_recursive(PyThreadState *ts) noexcept

cdef extern from "layout.h":
    void k_set_size(PyObject *o, Py_ssize_t n) noexcept
    PyObject *k_list_extend(PyObject *l, PyObject *it) noexcept
    int k_set_update(PyObject *s, PyObject *it) noexcept
    int k_dict_merge(PyObject *d, PyObject *o) noexcept
    PyObject *k_mro(PyTypeObject *t) noexcept
    PyObject *k_type_dict(PyTypeObject *t) noexcept
    int k_dict_replace(PyObject *d, Py_ssize_t i, PyObject *value) noexcept
    PyObject *k_call(PyObject *callee, PyObject **argv, Py_ssize_t n, PyObject *kwnames) noexcept
    ctypedef struct PyMethodDef:
        pass
    int K_CALL_FASTKW, K_CALL_TUPLEKW, METH_NOARGS, METH_O, METH_FASTCALL, METH_VARARGS
    PyObject *k_call_tuple_keywords(PyMethodDef *method, PyObject *self, PyObject *args) noexcept
    int PyUnicode_Tailmatch(PyObject *s, PyObject *part, Py_ssize_t start, Py_ssize_t end, int direction) noexcept
    int k_call_kind(PyMethodDef *method) noexcept
    PyMethodDef *k_method_for(PyObject *callee, PyObject *self) noexcept
    bint k_method_stays(PyObject *callee) noexcept
    PyMethodDef *k_function_def(PyObject *callee, PyObject **self) noexcept
    PyObject *k_call_one(PyMethodDef *method, PyObject *self, PyObject *arg) noexcept
    PyObject *k_call_fast(PyMethodDef *method, PyObject *self, PyObject **argv, Py_ssize_t n) noexcept
    PyObject *k_call_fastkw(PyMethodDef *method, PyObject *self, PyObject **argv, Py_ssize_t n) noexcept
    bint k_reads_as_dict(PyTypeObject *t) noexcept
    bint k_stores_as_dict(PyTypeObject *t) noexcept
    bint k_searches_as_dict(PyTypeObject *t) noexcept
    int k_set_find(PyObject *set, PyObject *key, int64_t v) noexcept
    int k_char_in(const PyObject *c, const PyObject *text) noexcept
    int k_among(PyObject **items, Py_ssize_t n, const PyObject *key, int64_t v) noexcept
    int k_dict_find_int(PyObject *d, int64_t v, PyObject ***slot) noexcept
    int k_dict_find_str(PyObject *d, PyObject *key, PyObject ***slot) noexcept
    bint k_shares_keys(PyObject *d, PyTypeObject *t) noexcept
    PyObject *k_shared_value(PyObject *d, Py_ssize_t i) noexcept
    bint k_dict_may_swap(PyObject *d, PyObject *value) noexcept
    int K_MISSING, K_FOUND, K_GIVE_UP
    bint k_unicode_same(PyObject *a, PyObject *b) noexcept
