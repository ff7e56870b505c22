"""Constant folding, with the size limits of CPython's optimizer so that no source text makes a huge constant."""
from kimi_runtime.syntax.nodes cimport *

# The operators by way of the C API: Cython's own are wrong for negative zeros (`-0.0 * -8`, `0 + -0.0`).
cdef extern from "Python.h":
    object PyNumber_Add(object left, object right)
    object PyNumber_Subtract(object left, object right)
    object PyNumber_Multiply(object left, object right)
    object PyNumber_TrueDivide(object left, object right)
    object PyNumber_FloorDivide(object left, object right)
    object PyNumber_Remainder(object left, object right)
    object PyNumber_Power(object left, object right, object modulus)

NOT_CONSTANT = object()

DEF MAX_INT_BITS = 128
DEF MAX_COLLECTION = 256
DEF MAX_STR = 4096


cdef object fold(Node e):
    """The value of a constant expression, or NOT_CONSTANT. Never raises for what the program would do at run time."""
    cdef int k = e.kind
    cdef Node item
    cdef list items
    if k == K_Constant:
        return (<Constant>e).value
    if k == K_UnaryOp:
        value = fold((<UnaryOp>e).operand)
        if value is NOT_CONSTANT:
            return value
        return fold_unary((<UnaryOp>e).op, value)
    if k == K_BinOp:
        right = fold((<BinOp>e).right)
        if right is NOT_CONSTANT:
            return right
        left = fold((<BinOp>e).left)
        if left is NOT_CONSTANT:
            return left
        return fold_binary((<BinOp>e).op, left, right)
    if k == K_Tuple:
        items = []
        for item in (<Tuple>e).elts:
            if item.kind == K_Starred:
                return NOT_CONSTANT
            value = fold(item)
            if value is NOT_CONSTANT:
                return value
            items.append(value)
        return tuple(items)
    if k == K_Slice:
        return fold_slice(<Slice>e)
    if k == K_Subscript and (<Subscript>e).ctx == CTX_Load:
        right = fold((<Subscript>e).slice)
        if right is NOT_CONSTANT:
            return right
        left = fold((<Subscript>e).value)
        if left is NOT_CONSTANT or type(left) not in (str, bytes, tuple) or type(right) is not int:
            return NOT_CONSTANT
        try:
            return left[right]
        except (TypeError, IndexError):
            return NOT_CONSTANT
    return NOT_CONSTANT


cdef object fold_slice(Slice e):
    """A slice whose parts are all constant."""
    left = right = step = None
    if e.lower is not None:
        left = fold(e.lower)
        if left is NOT_CONSTANT:
            return left
    if e.upper is not None:
        right = fold(e.upper)
        if right is NOT_CONSTANT:
            return right
    if e.step is not None:
        step = fold(e.step)
        if step is NOT_CONSTANT:
            return step
    return slice(left, right, step)


cdef object fold_unary(int op, object value):
    if op == UOP_Not:
        return not value
    if type(value) not in (int, float, complex, bool):
        return NOT_CONSTANT
    if op == UOP_USub:
        return -value
    if op == UOP_UAdd:
        return +value
    if type(value) is int:
        return ~value
    return NOT_CONSTANT


cdef object fold_binary(int op, object left, object right):
    if not small_enough(op, left, right):
        return NOT_CONSTANT
    try:
        if op == OP_Add:
            return PyNumber_Add(left, right)
        if op == OP_Sub:
            return PyNumber_Subtract(left, right)
        if op == OP_Mult:
            return PyNumber_Multiply(left, right)
        if op == OP_Div:
            return PyNumber_TrueDivide(left, right)
        if op == OP_FloorDiv:
            return PyNumber_FloorDivide(left, right)
        if op == OP_Mod:
            return PyNumber_Remainder(left, right)
        if op == OP_Pow:
            return PyNumber_Power(left, right, None)
        if op == OP_LShift:
            return left << right
        if op == OP_RShift:
            return left >> right
        if op == OP_BitOr:
            return left | right
        if op == OP_BitXor:
            return left ^ right
        if op == OP_BitAnd:
            return left & right
    except (ArithmeticError, TypeError, ValueError, MemoryError):
        # The program raises it when it gets there.
        return NOT_CONSTANT
    return NOT_CONSTANT


cdef bint small_enough(int op, object left, object right) except -1:
    """Whether the result is a number, or a string or tuple of bounded size."""
    kl = type(left)
    kr = type(right)
    if op == OP_Mod and kl in (str, bytes):
        return False
    if kl in (int, bool) and kr in (int, bool):
        if op == OP_Mult:
            return left.bit_length() + right.bit_length() <= MAX_INT_BITS
        if op == OP_Pow:
            return right <= 0 or (right < MAX_INT_BITS and left.bit_length() * right <= MAX_INT_BITS)
        if op == OP_LShift:
            return 0 <= right <= MAX_INT_BITS and left.bit_length() + right <= MAX_INT_BITS
        return True
    if op == OP_Mult:
        if kl is int and kr in (str, bytes, tuple):
            left, right = right, left
            kl, kr = kr, kl
        if kl in (str, bytes):
            return kr is int and 0 <= right and len(left) * right <= MAX_STR
        if kl is tuple:
            return kr is int and 0 <= right and len(left) * right <= MAX_COLLECTION
    if op == OP_Add and kl is kr and kl in (str, bytes, tuple):
        return len(left) + len(right) <= MAX_STR
    return kl in (int, float, complex, bool) and kr in (int, float, complex, bool)
