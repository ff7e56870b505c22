# Operators off the fast path: operands become objects, CPython's own operator does the work.
#
# OWNER RULE of everything that takes (R, ins, ft): operands of role `in` are consumed when their register number is
# >= ft (a temporary), the result goes to R[ins.a], whose old value is released last. On failure (-1) nothing was consumed;
# the unwinder empties the temporaries.

# What puts a value into a register notes where the frame is when that releases an object: its finalizer may look at the line.

cdef inline void release_at(Frame *f, const Instr *ip, PyObject *old) noexcept:
    """Drops a reference that a register held, after the register has its new value. f: NULL where its place is known."""
    if f != NULL:
        f.ip = ip
    Py_DECREF(old)

cdef inline void store_at(Frame *f, const Instr *ip, Value *R, uint32_t index, Value *v) noexcept:
    """R[index] = v, moved; the old value is released after.

    Field by field: reading 16 bytes at once that were just written as two words costs a stall.
    """
    cdef Value *r = &R[index]
    cdef uint64_t tag = r.tag
    cdef PyObject *old = r.u.o
    r.tag = v.tag
    r.u.i = v.u.i
    if tag & T_OWNED:
        release_at(f, ip, old)

cdef inline void store(Value *R, uint32_t index, Value *v) noexcept:
    store_at(NULL, NULL, R, index, v)

cdef inline void store_object(Value *R, uint32_t index, PyObject *o) noexcept:
    """R[index] = o, taking over the reference."""
    cdef Value v
    value_steal(&v, o)
    store(R, index, &v)

cdef inline void set_int(Frame *f, const Instr *ip, Value *r, int64_t i) noexcept:
    cdef PyObject *old
    if r.tag & T_OWNED:
        old = r.u.o
        r.tag = T_INT
        r.u.i = i
        release_at(f, ip, old)
    else:
        r.tag = T_INT
        r.u.i = i

cdef inline int set_float(Frame *f, const Instr *ip, Value *r, double d) noexcept:
    """r = d; NaN is boxed. -1 when that fails."""
    cdef PyObject *old = NULL
    cdef PyObject *nan
    if r.tag & T_OWNED:
        old = r.u.o
    if K_LIKELY(d == d):
        r.tag = T_FLOAT
        r.u.d = d
    else:
        nan = PyFloat_FromDouble(d)
        if nan == NULL:
            return -1
        r.tag = T_OBJ
        r.u.o = nan
    if old != NULL:
        release_at(f, ip, old)
    return 0

cdef inline bint rewrite_number(PyObject *old, const Value *v) noexcept:
    """Puts the number v into the object old, which a container holds: 1, or 0 when an object is to be stored."""
    if v.tag == T_INT:
        return k_rewrite_int(old, v.u.i)
    if v.tag == T_FLOAT:
        return k_rewrite_float(old, v.u.d)
    return 0

cdef inline void set_bool(Frame *f, const Instr *ip, Value *r, bint b) noexcept:
    cdef PyObject *old
    if r.tag & T_OWNED:
        old = r.u.o
        r.tag = T_BOOL
        r.u.i = b
        release_at(f, ip, old)
    else:
        r.tag = T_BOOL
        r.u.i = b

cdef inline void finish2(Value *R, const Instr *ins, uint32_t ft, PyObject *result) noexcept:
    """Consumes b, then R[a] = result (reference taken over)."""
    if ins.t.abc.b >= ft and ins.t.abc.b != ins.a:
        value_clear(&R[ins.t.abc.b])
    store_object(R, ins.a, result)

cdef inline void finish3(Value *R, const Instr *ins, uint32_t ft, PyObject *result) noexcept:
    """Consumes b and c, then R[a] = result (reference taken over)."""
    if ins.t.abc.b >= ft and ins.t.abc.b != ins.a:
        value_clear(&R[ins.t.abc.b])
    if ins.t.abc.c >= ft and ins.t.abc.c != ins.a:
        value_clear(&R[ins.t.abc.c])
    store_object(R, ins.a, result)

cdef inline PyObject *operand(const Value *v, PyObject **owned) noexcept:
    """The value as an object without a new reference where it has one; *owned is what to release after (or NULL)."""
    if v.tag & T_OWNED:
        owned[0] = NULL
        return v.u.o
    owned[0] = value_object(v)
    return owned[0]

cdef PyObject *shift_right(PyObject *a, PyObject *b) noexcept:
    """a >> b; the TypeError of a print statement as in Python 2 gets CPython's hint."""
    cdef PyObject *r = PyNumber_Rshift(a, b)
    cdef PyObject *exc
    if r != NULL or not PyErr_ExceptionMatches(PyExc_TypeError):
        return r
    exc = k_take_raised()
    try:
        text = str(<object>exc) if is_print(<object>a) else ""
        if text == f"unsupported operand type(s) for >>: 'builtin_function_or_method' and '{type_name_of(<object>b)}'":
            (<object>exc).args = (text + '. Did you mean "print(<message>, file=<output_stream>)"?',)
    except BaseException:
        PyErr_Clear()
    k_restore_raised(exc)
    return NULL

cdef PyObject *apply_binary(int op, PyObject *a, PyObject *b) noexcept:
    """a <op> b for OP_ADD.. and OP_IADD..: new reference or NULL."""
    if K_UNLIKELY(look_at_alarm() < 0):
        return NULL
    if PyLong_CheckExact(a) and PyLong_CheckExact(b) and guard_ints(op, a, b) < 0:
        return NULL
    if op == OP_ADD: return PyNumber_Add(a, b)
    elif op == OP_SUB: return PyNumber_Subtract(a, b)
    elif op == OP_MUL: return PyNumber_Multiply(a, b)
    elif op == OP_MATMUL: return PyNumber_MatrixMultiply(a, b)
    elif op == OP_DIV: return PyNumber_TrueDivide(a, b)
    elif op == OP_MOD: return PyNumber_Remainder(a, b)
    elif op == OP_POW: return PyNumber_Power(a, b, Py_None)
    elif op == OP_LSHIFT: return PyNumber_Lshift(a, b)
    elif op == OP_RSHIFT: return shift_right(a, b)
    elif op == OP_OR: return PyNumber_Or(a, b)
    elif op == OP_XOR: return PyNumber_Xor(a, b)
    elif op == OP_AND: return PyNumber_And(a, b)
    elif op == OP_FLOORDIV: return PyNumber_FloorDivide(a, b)
    elif op == OP_IADD: return PyNumber_InPlaceAdd(a, b)
    elif op == OP_ISUB: return PyNumber_InPlaceSubtract(a, b)
    elif op == OP_IMUL: return PyNumber_InPlaceMultiply(a, b)
    elif op == OP_IMATMUL: return PyNumber_InPlaceMatrixMultiply(a, b)
    elif op == OP_IDIV: return PyNumber_InPlaceTrueDivide(a, b)
    elif op == OP_IMOD: return PyNumber_InPlaceRemainder(a, b)
    elif op == OP_IPOW: return PyNumber_InPlacePower(a, b, Py_None)
    elif op == OP_ILSHIFT: return PyNumber_InPlaceLshift(a, b)
    elif op == OP_IRSHIFT: return PyNumber_InPlaceRshift(a, b)
    elif op == OP_IOR: return PyNumber_InPlaceOr(a, b)
    elif op == OP_IXOR: return PyNumber_InPlaceXor(a, b)
    elif op == OP_IAND: return PyNumber_InPlaceAnd(a, b)
    elif op == OP_IFLOORDIV: return PyNumber_InPlaceFloorDivide(a, b)
    PyErr_SetString(PyExc_SystemError, b"bad operator")
    return NULL

cdef PyObject *binary_values(int op, const Value *b, const Value *c) noexcept:
    """b <op> c as objects: new reference or NULL."""
    cdef PyObject *ob
    cdef PyObject *oc
    cdef PyObject *x = operand(b, &ob)
    cdef PyObject *y
    cdef PyObject *r
    if x == NULL:
        return NULL
    y = operand(c, &oc)
    if y == NULL:
        Py_XDECREF(ob)
        return NULL
    r = apply_binary(op, x, y)
    Py_XDECREF(ob)
    Py_XDECREF(oc)
    return r

cdef inline int wide_kind(int op) noexcept:
    """Which of the operations of wide_ints.h an opcode is."""
    if op == OP_MUL or op == OP_IMUL:
        return K_WIDE_MUL
    if op == OP_MOD or op == OP_IMOD:
        return K_WIDE_MOD
    if op == OP_ADD or op == OP_IADD:
        return K_WIDE_ADD
    if op == OP_SUB or op == OP_ISUB:
        return K_WIDE_SUB
    if op == OP_FLOORDIV or op == OP_IFLOORDIV:
        return K_WIDE_FLOORDIV
    return K_WIDE_NONE

cdef inline bint may_be_wide(const Value *v) noexcept:
    return v.tag == T_INT or (v.tag == T_OBJ and Py_TYPE(v.u.o) == &PyLong_Type and k_int_digits(v.u.o) <= 5)

cdef inline int binary_wide(int op, const Value *b, const Value *c, Value *out) noexcept:
    """b <op> c of ints of up to 126 bits, at least one of them or the result above 64: 1 and *out (a dead slot) is filled; 0 not
    covered; -1 error. The operands stay."""
    cdef int kind
    cdef PyObject *made
    cdef int64_t small
    if not (may_be_wide(b) and may_be_wide(c)):
        return 0
    kind = wide_kind(op)
    if kind == K_WIDE_NONE:
        return 0
    kind = k_wide_binary(kind, b.u.o if b.tag == T_OBJ else NULL, b.u.i, c.u.o if c.tag == T_OBJ else NULL, c.u.i, &small, &made)
    if kind == K_WIDE_INT:
        out.tag = T_INT
        out.u.i = small
        return 1
    if kind == K_WIDE_OBJECT:
        out.tag = T_OBJ
        out.u.o = made
        return 1
    return kind

cdef inline void finish_wide(Value *R, const Instr *ins, uint32_t ft, bint third, Value *v) noexcept:
    """Consumes b, and c if it is a register, then R[a] = v, moved."""
    if ins.t.abc.b >= ft and ins.t.abc.b != ins.a:
        value_clear(&R[ins.t.abc.b])
    if third and ins.t.abc.c >= ft and ins.t.abc.c != ins.a:
        value_clear(&R[ins.t.abc.c])
    store(R, ins.a, v)

cdef int binary_slow(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    cdef Value *b = &R[ins.t.abc.b]
    cdef Value *c = &R[ins.t.abc.c]
    cdef Value v
    cdef PyObject *r
    cdef int wide
    if K_UNLIKELY(look_at_alarm() < 0):
        return -1
    if (K_EVEN(op == OP_ADD) or K_EVEN(op == OP_IADD)) and b.tag == T_OBJ and c.tag == T_OBJ \
            and K_EVEN(Py_TYPE(b.u.o) == &PyUnicode_Type) and K_LIKELY(Py_TYPE(c.u.o) == &PyUnicode_Type):
        if ins.a == ins.t.abc.b and b != c:
            # The register is overwritten anyway: when it holds the only reference the string grows in place.
            r = b.u.o
            b.tag = T_UNDEF
            PyUnicode_Append(&r, c.u.o)
            if r == NULL:
                return -1
            b.tag = T_OBJ
            b.u.o = r
            if ins.t.abc.c >= ft:
                value_clear(c)
            return 0
        r = PyUnicode_Concat(b.u.o, c.u.o)
        if r == NULL:
            return -1
        finish3(R, ins, ft, r)
        return 0
    wide = binary_wide(op, b, c, &v)
    if wide:
        if wide > 0:
            finish_wide(R, ins, ft, 1, &v)
        return -1 if wide < 0 else 0
    if K_EVEN(b.tag == T_OBJ) and K_EVEN(c.tag == T_OBJ):
        if op == OP_ADD and Py_TYPE(b.u.o) == &PyList_Type and Py_TYPE(c.u.o) == &PyList_Type:
            r = k_concatenate(b.u.o, c.u.o)
        else:
            r = apply_binary(op, b.u.o, c.u.o)
    else:
        r = binary_values(op, b, c)
    if r == NULL:
        return -1
    finish3(R, ins, ft, r)
    return 0

cdef int binary_imm_slow(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    """As binary_slow with an immediate for c."""
    cdef Value c, v
    cdef PyObject *r
    cdef int wide
    c.tag = T_INT
    c.u.i = <int16_t>ins.t.abc.c
    wide = binary_wide(op, &R[ins.t.abc.b], &c, &v)
    if wide:
        if wide > 0:
            finish_wide(R, ins, ft, 0, &v)
        return -1 if wide < 0 else 0
    r = binary_values(op, &R[ins.t.abc.b], &c)
    if r == NULL:
        return -1
    finish2(R, ins, ft, r)
    return 0

cdef int binary_const_slow(int op, Value *R, const Instr *ins, uint32_t ft, const Value *k, bint reverse) noexcept:
    """As binary_slow with a constant for c; `reverse`: constant <op> b."""
    cdef PyObject *r
    cdef Value v
    cdef Value *b = &R[ins.t.abc.b]
    cdef int wide
    if K_UNLIKELY(look_at_alarm() < 0):
        return -1
    if not reverse and op == OP_ADD and b.tag == T_OBJ and k.tag == T_OBJ and ins.a == ins.t.abc.b \
            and Py_TYPE(b.u.o) == &PyUnicode_Type and Py_TYPE(k.u.o) == &PyUnicode_Type and b.u.o != k.u.o:
        r = b.u.o
        b.tag = T_UNDEF
        PyUnicode_Append(&r, k.u.o)
        if r == NULL:
            return -1
        b.tag = T_OBJ
        b.u.o = r
        return 0
    wide = binary_wide(op, k, b, &v) if reverse else binary_wide(op, b, k, &v)
    if wide:
        if wide > 0:
            finish_wide(R, ins, ft, 0, &v)
        return -1 if wide < 0 else 0
    if reverse:
        r = binary_values(op, k, b)
    else:
        r = binary_values(op, b, k)
    if r == NULL:
        return -1
    finish2(R, ins, ft, r)
    return 0

cdef int unary_slow(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    cdef PyObject *ob
    cdef PyObject *x = operand(&R[ins.t.abc.b], &ob)
    cdef PyObject *r
    if x == NULL:
        return -1
    if K_UNLIKELY(look_at_alarm() < 0):
        Py_XDECREF(ob)
        return -1
    if op == OP_NEG:
        r = PyNumber_Negative(x)
    elif op == OP_POS:
        r = PyNumber_Positive(x)
    else:
        r = PyNumber_Invert(x)
    Py_XDECREF(ob)
    if r == NULL:
        return -1
    finish2(R, ins, ft, r)
    return 0

cdef inline int int_floordiv(int64_t a, int64_t b, int64_t *q, int64_t *m) noexcept:
    """Floor division and modulo; 0 when the fast path does not apply (zero divisor, overflow)."""
    if K_UNLIKELY(b == 0) or (K_UNLIKELY(b == -1) and a == <int64_t>(<uint64_t>1 << 63)):
        return 0
    q[0] = a / b
    m[0] = a - q[0] * b
    if m[0] != 0 and ((m[0] < 0) != (b < 0)):
        m[0] += b
        q[0] -= 1
    return 1

cdef inline double as_double(const Value *v) noexcept:
    return v.u.d if K_EVEN(v.tag == T_FLOAT) else <double>v.u.i

cdef inline bint is_number(const Value *v) noexcept:
    """Float, or an int that a double holds exactly."""
    return K_EVEN(v.tag == T_FLOAT) or (
        K_EVEN(v.tag == T_INT) and <uint64_t>(v.u.i + (<int64_t>1 << 53)) <= (<uint64_t>1 << 54))

cdef inline int truth(const Value *v) noexcept:
    """1, 0, or -1 with an exception set."""
    if K_EVEN(v.tag == T_BOOL) or K_EVEN(v.tag == T_INT):
        return v.u.i != 0
    if v.tag == T_NONE:
        return 0
    if v.tag == T_FLOAT:
        return v.u.d != 0.0
    return object_truth(v.u.o)

cdef int object_truth(PyObject *o) noexcept:
    cdef PyTypeObject *t = Py_TYPE(o)
    if K_EVEN(t == &PyUnicode_Type):
        return PyUnicode_GET_LENGTH(o) != 0
    if K_EVEN(t == &PyList_Type):
        return PyList_GET_SIZE(o) != 0
    return PyObject_IsTrue(o)

cdef PyObject *compare_values(const Value *b, const Value *c, int op) noexcept:
    """Rich comparison: new reference or NULL."""
    cdef PyObject *ob
    cdef PyObject *oc
    cdef PyObject *x
    cdef PyObject *y
    cdef PyObject *r
    cdef int known = quick_comparison(b, c, op)
    if known >= 0:
        r = Py_True if known else Py_False
        Py_INCREF(r)
        return r
    x = operand(b, &ob)
    if x == NULL:
        return NULL
    y = operand(c, &oc)
    if y == NULL:
        Py_XDECREF(ob)
        return NULL
    r = PyObject_RichCompare(x, y, op) if look_at_alarm() == 0 else NULL
    Py_XDECREF(ob)
    Py_XDECREF(oc)
    return r

cdef int unicode_equal(PyObject *a, PyObject *b) noexcept:
    if a == b:
        return 1
    return k_unicode_same(a, b)

cdef inline int quick_comparison(const Value *b, const Value *c, int op) noexcept:
    """b <op> c for two exact strs, and for short tuples of strs and numbers: 1 or 0; -1 for others."""
    cdef PyTypeObject *t
    if K_EVEN(b.tag != T_OBJ) or K_UNLIKELY(c.tag != T_OBJ):
        return -1
    t = Py_TYPE(b.u.o)
    if K_UNLIKELY(t != Py_TYPE(c.u.o)):
        return -1
    if K_LIKELY(t == &PyUnicode_Type):
        if K_LIKELY(op == Py_EQ):
            return unicode_equal(b.u.o, c.u.o)
        if op == Py_NE:
            return not unicode_equal(b.u.o, c.u.o)
    elif t == &PyTuple_Type:
        return k_compare_tuples(b.u.o, c.u.o, op)
    return -1

cdef int compare_truth(const Value *b, const Value *c, int op) noexcept:
    """Truth of the comparison b <op> c: 1, 0, or -1 with an exception set."""
    cdef PyObject *r
    cdef int t
    cdef double x, y
    t = quick_comparison(b, c, op)
    if K_LIKELY(t >= 0):
        return t
    if is_number(b) and is_number(c):
        x = as_double(b)
        y = as_double(c)
        if op == Py_LT: return x < y
        if op == Py_LE: return x <= y
        if op == Py_EQ: return x == y
        if op == Py_NE: return x != y
        if op == Py_GT: return x > y
        return x >= y
    r = compare_values(b, c, op)
    if r == NULL:
        return -1
    if r == Py_True:
        t = 1
    elif r == Py_False:
        t = 0
    else:
        t = PyObject_IsTrue(r)
    Py_DECREF(r)
    return t

cdef int compare_slow(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    """R[a] = b <op> c, whatever the comparison gives."""
    cdef PyObject *r = compare_values(&R[ins.t.abc.b], &R[ins.t.abc.c], op)
    if r == NULL:
        return -1
    finish3(R, ins, ft, r)
    return 0

cdef inline int jump_compare(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    """Truth of a <op> b for the fused jumps; consumes both. -1 with an exception set."""
    cdef int t = compare_truth(&R[ins.a], &R[ins.t.abc.b], op)
    if t >= 0:
        if ins.a >= ft:
            value_clear(&R[ins.a])
        if ins.t.abc.b >= ft:
            value_clear(&R[ins.t.abc.b])
    return t

cdef int jump_compare_imm(int op, Value *R, const Instr *ins, uint32_t ft) noexcept:
    cdef Value c
    cdef int t
    c.tag = T_INT
    c.u.i = <int16_t>ins.t.abc.b
    t = compare_truth(&R[ins.a], &c, op)
    if t >= 0 and ins.a >= ft:
        value_clear(&R[ins.a])
    return t

cdef int jump_compare_const(int op, Value *R, const Instr *ins, uint32_t ft, const Value *k) noexcept:
    cdef int t = compare_truth(&R[ins.a], k, op)
    if t >= 0 and ins.a >= ft:
        value_clear(&R[ins.a])
    return t

cdef int order_of(const Value *x, const Value *y) noexcept:
    """-1, 0 or 1 as two numbers or exact strs compare; 2: one of them has a say. Registers hold no NaN."""
    cdef double a, b
    if x.tag == T_OBJ and y.tag == T_OBJ:
        return 0 if x.u.o == y.u.o else k_order(x.u.o, y.u.o)
    if x.tag == T_NONE and y.tag == T_NONE:
        return 0
    if (x.tag == T_INT or x.tag == T_BOOL) and y.tag == x.tag:
        return -1 if x.u.i < y.u.i else x.u.i > y.u.i
    if is_number(x) and is_number(y):
        a = as_double(x)
        b = as_double(y)
        return -1 if a < b else a > b
    return 2

cdef int compared_displays(Value *R, const Instr *ins, uint32_t ft) noexcept:
    """Truth of the comparison at ins + 2 of the tuples that ins and ins + 1 would make of registers: -1 where that is not what
    comes, or an item has a say. Everything is borrowed."""
    cdef const Instr *last = ins + 2
    cdef const Value *x = &R[ins.t.abc.b]
    cdef const Value *y = &R[(ins + 1).t.abc.b]
    cdef uint32_t n = ins.t.abc.c
    cdef uint32_t op = last.op
    cdef uint32_t b = last.t.abc.b
    cdef uint32_t c = last.t.abc.c
    cdef int order = 0
    if OP_JEQ <= op <= OP_JNGE:
        c = b
        b = last.a
        op = OP_EQ + (op - OP_JEQ) % 6
    if not OP_EQ <= op <= OP_GE or (ins + 1).t.abc.c != n or n > 8 or b != ins.a or c != (ins + 1).a or c < ft:
        return -1
    while n and order == 0:
        order = order_of(x, y)
        x += 1
        y += 1
        n -= 1
    if order < -1 or order > 1:
        return -1
    return k_ordered(order, (0x541032 >> 4 * (op - OP_EQ)) & 7)         # Py_EQ, Py_NE, Py_LT, Py_LE, Py_GT, Py_GE

cdef bint is_same(const Value *b, const Value *c) noexcept:
    """`is`: unboxed values are the same when type and bits are."""
    if K_EVEN(b.tag != c.tag):
        return 0
    if K_EVEN(b.tag == T_NONE):
        return 1
    return b.u.i == c.u.i

cdef inline int among_few(PyObject **items, Py_ssize_t n, const Value *item) noexcept:
    return k_among(items, n, item.u.o if item.tag == T_OBJ else NULL, item.u.i) if n <= 64 else -1

cdef int quick_contains(const Value *item, const Value *container) noexcept:
    """item in container, where no other code has a say: 1 or 0; 2 where it may."""
    cdef PyObject *y = container.u.o
    cdef PyObject **found
    cdef int t = K_GIVE_UP
    if K_UNLIKELY(container.tag != T_OBJ):
        return t
    if K_EVEN(Py_TYPE(y) == &PyUnicode_Type):
        if K_LIKELY(item.tag == T_OBJ) and K_LIKELY(Py_TYPE(item.u.o) == &PyUnicode_Type):
            t = k_char_in(item.u.o, y)
    elif K_EVEN(Py_TYPE(y) == &PyDict_Type) or k_searches_as_dict(Py_TYPE(y)):
        t = dict_find(y, item, &found)
    elif K_EVEN(Py_TYPE(y) == &PySet_Type) or Py_TYPE(y) == &PyFrozenSet_Type:
        if item.tag == T_INT:
            t = k_set_find(y, NULL, item.u.i)
        elif item.tag == T_OBJ and Py_TYPE(item.u.o) == &PyUnicode_Type:
            t = k_set_find(y, item.u.o, 0)
    elif item.tag == T_INT or (item.tag == T_OBJ and Py_TYPE(item.u.o) == &PyUnicode_Type):
        if Py_TYPE(y) == &PyTuple_Type:
            t = among_few((<TupleStruct *>y).ob_item, PyTuple_GET_SIZE(y), item)
        elif Py_TYPE(y) == &PyList_Type:
            t = among_few((<ListStruct *>y).ob_item, PyList_GET_SIZE(y), item)
    return t if t == 0 or t == 1 else K_GIVE_UP

cdef int contains(const Value *item, const Value *container) noexcept:
    """item in container: 1, 0, or -1 with an exception set."""
    cdef PyObject *ob
    cdef PyObject *oc
    cdef PyObject *x
    cdef PyObject *y
    cdef int t = quick_contains(item, container)
    if t != K_GIVE_UP:
        return t
    x = operand(item, &ob)
    if x == NULL:
        return -1
    y = operand(container, &oc)
    if y == NULL:
        Py_XDECREF(ob)
        return -1
    if K_UNLIKELY(look_at_alarm() < 0):
        t = -1
    elif Py_TYPE(y) == &PyDict_Type:
        t = PyDict_Contains(y, x)
    else:
        t = PySequence_Contains(y, x)
    Py_XDECREF(ob)
    Py_XDECREF(oc)
    return t
