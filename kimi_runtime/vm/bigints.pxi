# Work with large ints, bounded before it begins: one multiplication in C can outlast any limit of time.
#
# The estimates are those of CPython's algorithms (Karatsuba for products, school division) in nanoseconds per 30-bit
# digit, measured on one machine and rounded up; they only have to be right within a factor of a few.

cdef extern from "Python.h":
    size_t _PyLong_NumBits(PyObject *o) noexcept
    int _PyLong_Sign(PyObject *o) noexcept
    long long PyLong_AsLongLong(PyObject *o) noexcept

cdef extern from *:
    """
    #if PY_VERSION_HEX >= 0x030C0000
    #define k_int_digits(o) ((Py_ssize_t)(((PyLongObject *)(o))->long_value.lv_tag >> 3))
    #else
    #define k_int_digits(o) (Py_ABS(Py_SIZE(o)))
    #endif
    """
    Py_ssize_t k_int_digits(PyObject *o) noexcept

cdef extern from "wide_ints.h":
    enum:
        K_WIDE_ADD
        K_WIDE_SUB
        K_WIDE_MUL
        K_WIDE_MOD
        K_WIDE_FLOORDIV
        K_WIDE_NONE
        K_WIDE_INT
        K_WIDE_OBJECT
    int k_wide_binary(int op, PyObject *bo, int64_t bi, PyObject *co, int64_t ci, int64_t *small, PyObject **made) noexcept

cdef enum:
    SMALL_DIGITS = 1000
    SMALL_BITS = 60_000          # products of ints below this size take well under a millisecond

cdef double MAX_BITS = 8e9       # larger results are refused as out of memory: 1 GB
cdef double PRODUCT_NS = 4.0     # times n ** 1.585
cdef double DIVISION_NS = 1.5    # times the digits of quotient and divisor

cdef inline double product_seconds(double bits_a, double bits_b) noexcept:
    cdef double low = (bits_a if bits_a < bits_b else bits_b) / 30 + 1
    cdef double high = (bits_a if bits_a > bits_b else bits_b) / 30 + 1
    return PRODUCT_NS * 1e-9 * pow(low, 1.585) * (high / low)

cdef int afford(double seconds) noexcept:
    """0, or -1 with the exception of a stop when the run has not as much time left as a native operation will take."""
    cdef VM *vm = <VM *>k_get_vm()
    cdef PyObject *m
    if vm == NULL or vm.meter == NULL:
        return 0
    m = vm.meter
    if vm.describing:
        if k_now() + seconds * 1e9 <= <double>vm.describing or k_host_imports(vm.host_frames[vm.native]):
            return 0
        if (<Meter>m).stopped == STOP_NONE:
            (<Meter>m).stopped = STOP_SECONDS
        return raise_stop(m)
    if vm.host_frames[vm.native] != k_host_frame():
        return 0                # Python code of the host is at work
    if (<Meter>m).stopped == STOP_NONE:
        if (<Meter>m).deadline and k_now() + seconds * 1e9 > (<Meter>m).deadline:
            (<Meter>m).stopped = STOP_SECONDS
        else:
            if not (<Meter>m).cpu_limit:
                return 0
            settle_cpu(vm, m)
            if (<Meter>m).cpu_used + seconds * 1e9 <= (<Meter>m).cpu_limit:
                return 0
            (<Meter>m).stopped = STOP_CPU_SECONDS
    return raise_stop(m)

cdef int guard_product(PyObject *a, PyObject *b) noexcept:
    """For a * b of two ints: 0, or -1 with an exception."""
    cdef double bits_a = <double>_PyLong_NumBits(a)
    cdef double bits_b = <double>_PyLong_NumBits(b)
    if bits_a + bits_b < SMALL_BITS:
        return 0
    return afford(product_seconds(bits_a, bits_b))

cdef int guard_division(PyObject *a, PyObject *b) noexcept:
    cdef double bits_a = <double>_PyLong_NumBits(a)
    cdef double bits_b = <double>_PyLong_NumBits(b)
    if bits_a < SMALL_BITS or bits_b >= bits_a:
        return 0
    return afford(DIVISION_NS * 1e-9 * ((bits_a - bits_b) / 30 + 1) * (bits_b / 30 + 1))

cdef int guard_power(PyObject *a, PyObject *b) noexcept:
    cdef double bits = <double>_PyLong_NumBits(a)
    if _PyLong_Sign(b) <= 0:
        return 0                    # a float
    if bits <= 1:                   # 0, 1 and -1 stay small, but each bit of the exponent is looked at
        bits = <double>_PyLong_NumBits(b)
        return 0 if bits < SMALL_BITS else afford(bits * 15e-9)
    if _PyLong_NumBits(b) > 62:
        bits = 1e30
    else:
        bits = bits * <double>PyLong_AsLongLong(b)
    if bits < SMALL_BITS:
        return 0
    if bits > MAX_BITS:
        return no_memory()
    return afford(1.5 * product_seconds(bits, bits))

cdef object MOST_DIGITS = 2305843009213693945

cdef int guard_shift(PyObject *a, PyObject *b) noexcept:
    if _PyLong_Sign(b) <= 0 or _PyLong_Sign(a) == 0:
        return 0
    if _PyLong_NumBits(b) > 62 or <double>_PyLong_NumBits(a) + <double>PyLong_AsLongLong(b) > MAX_BITS:
        return refuse_shift(a, b)
    return 0

cdef int refuse_shift(PyObject *a, PyObject *b) noexcept:
    """As CPython refuses a << b: it does not try what has more digits than a size can tell."""
    try:
        digits = <object>b // 30 + (<long long>_PyLong_NumBits(a) + 29) // 30 + (<object>b % 30 > 0)
        if digits <= MOST_DIGITS:
            return no_memory()
        PyErr_SetString(PyExc_OverflowError, b"too many digits in integer")
    except BaseException as error:
        restore_object(error)
    return -1

cdef inline int guard_ints(int op, PyObject *a, PyObject *b) noexcept:
    """Before a binary operation of two exact ints: 0, or -1 with an exception when it would take too much."""
    if op == OP_MUL or op == OP_IMUL:
        return guard_product(a, b) if k_int_digits(a) + k_int_digits(b) > SMALL_DIGITS else 0
    if op == OP_POW or op == OP_IPOW:
        return guard_power(a, b)
    if op == OP_LSHIFT or op == OP_ILSHIFT:
        return guard_shift(a, b)
    if op == OP_FLOORDIV or op == OP_MOD or op == OP_DIV or op == OP_IFLOORDIV or op == OP_IMOD or op == OP_IDIV:
        return guard_division(a, b) if k_int_digits(a) > SMALL_DIGITS else 0
    return 0


def afford_power(base, exponent, modulus):
    """Raises when ``pow`` of three ints, or of two when modulus is None, would take more than the run has left."""
    cdef double size
    if modulus is None:
        if guard_power(<PyObject *>base, <PyObject *>exponent) < 0:
            raise_set()
        return
    size = <double>_PyLong_NumBits(<PyObject *>modulus)
    # One product and one division by the modulus for each bit of the exponent, and half of one more.
    size = <double>_PyLong_NumBits(<PyObject *>exponent) * (
        1.5 * product_seconds(size, size) + DIVISION_NS * 1e-9 * (size / 30 + 1) * (size / 30 + 1))
    if size > 0.001 and afford(size) < 0:
        raise_set()


def afford_digits(double bits, double steps):
    """Raises when a result of so many bits, made in so many steps of a small factor each, would be too much.

    MemoryError: it is too large.  steps 0: as for one product of that size.
    """
    if bits > MAX_BITS:
        no_memory()
        raise_set()
    bits = product_seconds(bits, bits) if not steps else 1e-9 * steps * (bits / 30 + 1)
    if bits > 0.001 and afford(bits) < 0:
        raise_set()
