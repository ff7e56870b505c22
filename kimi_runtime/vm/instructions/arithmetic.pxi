# Arithmetic: ints that do not overflow and floats here, everything else in operators.pxi.

case NEG:
    if K_LIKELY($B.tag == T_INT) and $B.u.i != <int64_t>(<uint64_t>1 << 63):
        set_int(f, ip, &$A, -$B.u.i)
        NEXT
    if $B.tag == T_FLOAT:
        set_float(f, ip, &$A, -$B.u.d)
        NEXT
    f.ip = ip
    if unary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

case POS:
    if K_LIKELY($B.tag == T_INT):
        set_int(f, ip, &$A, $B.u.i)
        NEXT
    f.ip = ip
    if unary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

case INVERT:
    if K_LIKELY($B.tag == T_INT):
        set_int(f, ip, &$A, ~$B.u.i)
        NEXT
    f.ip = ip
    if unary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

case NOT:
    if $B.tag == T_OBJ:
        f.ip = ip
    status = truth(&$B)
    if status < 0:
        RAISE
    if $b >= ft and $b != $a:
        value_clear(&$B)
    set_bool(f, ip, &$A, not status)
    NEXT

family N, F, S = (ADD, k_add_overflow, +), (SUB, k_sub_overflow, -), (MUL, k_mul_overflow, *),
    (IADD, k_add_overflow, +), (ISUB, k_sub_overflow, -), (IMUL, k_mul_overflow, *)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT):
        if K_LIKELY(not $F$($B.u.i, $C.u.i, &i)):
            set_int(f, ip, &$A, i)
            NEXT
    elif K_EVEN($B.tag == T_FLOAT) and K_EVEN($C.tag == T_FLOAT):
        if set_float(f, ip, &$A, $B.u.d $S$ $C.u.d) == 0:
            NEXT
    elif is_number(&$B) and is_number(&$C):
        if set_float(f, ip, &$A, as_double(&$B) $S$ as_double(&$C)) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (DIV), (IDIV)
case $N$:
    if is_number(&$B) and is_number(&$C):
        d = as_double(&$C)
        if d != 0.0 and set_float(f, ip, &$A, as_double(&$B) / d) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (MOD), (IMOD)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT):
        if K_LIKELY(int_floordiv($B.u.i, $C.u.i, &i, &j)):
            set_int(f, ip, &$A, j)
            NEXT
    elif $B.tag == T_FLOAT and is_number(&$C) and as_double(&$C) != 0.0:
        if k_float_mod($B.u.d, as_double(&$C), &d):
            set_float(f, ip, &$A, d)
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (FLOORDIV), (IFLOORDIV)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT):
        if K_LIKELY(int_floordiv($B.u.i, $C.u.i, &i, &j)):
            set_int(f, ip, &$A, i)
            NEXT
    elif $B.tag == T_FLOAT and is_number(&$C) and as_double(&$C) != 0.0:
        if k_float_floordiv($B.u.d, as_double(&$C), &d):
            set_float(f, ip, &$A, d)
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N, S = (AND, &), (OR, |), (XOR, ^), (IAND, &), (IOR, |), (IXOR, ^)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT):
        set_int(f, ip, &$A, $B.u.i $S$ $C.u.i)
        NEXT
    if $B.tag == T_BOOL and $C.tag == T_BOOL:
        set_bool(f, ip, &$A, $B.u.i $S$ $C.u.i)
        NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (LSHIFT), (ILSHIFT)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT) and 0 <= $C.u.i < 62:
        i = $B.u.i
        j = $C.u.i
        if -((<int64_t>1) << (62 - j)) < i < (<int64_t>1) << (62 - j):
            set_int(f, ip, &$A, <int64_t>(<uint64_t>i << j))
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (RSHIFT), (IRSHIFT)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT) and $C.u.i >= 0:
        set_int(f, ip, &$A, $B.u.i >> (63 if $C.u.i > 63 else $C.u.i))
        NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (POW), (IPOW)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT) and 0 <= $C.u.i <= 3:
        i = 1
        for status in range(<int>$C.u.i):
            if k_mul_overflow(i, $B.u.i, &i):
                i = 0
                break
        else:
            set_int(f, ip, &$A, i)
            NEXT
    elif $B.tag == T_FLOAT and $C.tag == T_INT and $C.u.i == 2:
        d = k_square($B.u.d)
        if d - d == 0.0:
            set_float(f, ip, &$A, d)
            NEXT
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N = (MATMUL), (IMATMUL)
case $N$:
    ALIVE
    f.ip = ip
    if binary_slow(op, R, ins, ft) < 0:
        RAISE
    NEXT

family N, F, S, G = (ADD_I, k_add_overflow, +, OP_ADD), (SUB_I, k_sub_overflow, -, OP_SUB), (MUL_I, k_mul_overflow, *, OP_MUL),
    (IADD_I, k_add_overflow, +, OP_IADD), (ISUB_I, k_sub_overflow, -, OP_ISUB)
case $N$:
    if K_LIKELY($B.tag == T_INT):
        if K_LIKELY(not $F$($B.u.i, $sc, &i)):
            set_int(f, ip, &$A, i)
            NEXT
    elif K_LIKELY($B.tag == T_FLOAT):
        if set_float(f, ip, &$A, $B.u.d $S$ <double>($sc)) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_imm_slow($G$, R, ins, ft) < 0:
        RAISE
    NEXT

family N, W, G = (MOD_I, j, OP_MOD), (FLOORDIV_I, i, OP_FLOORDIV)
case $N$:
    if K_LIKELY($B.tag == T_INT) and int_floordiv($B.u.i, $sc, &i, &j):
        set_int(f, ip, &$A, $W$)
        NEXT
    ALIVE
    f.ip = ip
    if binary_imm_slow($G$, R, ins, ft) < 0:
        RAISE
    NEXT

case LSHIFT_I:
    j = $sc
    i = $B.u.i
    if K_LIKELY($B.tag == T_INT) and 0 <= j < 62:
        if -((<int64_t>1) << (62 - j)) < i < (<int64_t>1) << (62 - j):
            set_int(f, ip, &$A, <int64_t>(<uint64_t>i << j))
            NEXT
    ALIVE
    f.ip = ip
    if binary_imm_slow(OP_LSHIFT, R, ins, ft) < 0:
        RAISE
    NEXT

case RSHIFT_I:
    if K_LIKELY($B.tag == T_INT) and ($sc) >= 0:
        set_int(f, ip, &$A, $B.u.i >> (63 if ($sc) > 63 else ($sc)))
        NEXT
    ALIVE
    f.ip = ip
    if binary_imm_slow(OP_RSHIFT, R, ins, ft) < 0:
        RAISE
    NEXT

case AND_I:
    if K_LIKELY($B.tag == T_INT):
        set_int(f, ip, &$A, $B.u.i & ($sc))
        NEXT
    ALIVE
    f.ip = ip
    if binary_imm_slow(OP_AND, R, ins, ft) < 0:
        RAISE
    NEXT

family N, F, S, G = (ADD_K, k_add_overflow, +, OP_ADD), (SUB_K, k_sub_overflow, -, OP_SUB), (MUL_K, k_mul_overflow, *, OP_MUL)
case $N$:
    if K_EVEN(K[$c].tag == T_FLOAT) and is_number(&$B):
        if set_float(f, ip, &$A, as_double(&$B) $S$ K[$c].u.d) == 0:
            NEXT
    elif K_LIKELY(K[$c].tag == T_INT) and K_LIKELY($B.tag == T_INT):
        if K_LIKELY(not $F$($B.u.i, K[$c].u.i, &i)):
            set_int(f, ip, &$A, i)
            NEXT
    elif K[$c].tag == T_INT and $B.tag == T_FLOAT and is_number(&K[$c]):
        if set_float(f, ip, &$A, $B.u.d $S$ <double>K[$c].u.i) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow($G$, R, ins, ft, &K[$c], 0) < 0:
        RAISE
    NEXT

case DIV_K:
    if is_number(&$B) and is_number(&K[$c]):
        d = as_double(&K[$c])
        if d != 0.0 and set_float(f, ip, &$A, as_double(&$B) / d) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow(OP_DIV, R, ins, ft, &K[$c], 0) < 0:
        RAISE
    NEXT

case MOD_K:
    if K_LIKELY($B.tag == T_INT) and K[$c].tag == T_INT and int_floordiv($B.u.i, K[$c].u.i, &i, &j):
        set_int(f, ip, &$A, j)
        NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow(OP_MOD, R, ins, ft, &K[$c], 0) < 0:
        RAISE
    NEXT

case POW_K:
    if K_LIKELY(K[$c].tag == T_INT) and K_LIKELY(K[$c].u.i == 2):
        if K_LIKELY($B.tag == T_INT):
            if not k_mul_overflow($B.u.i, $B.u.i, &i):
                set_int(f, ip, &$A, i)
                NEXT
        elif K_LIKELY($B.tag == T_FLOAT):
            d = k_square($B.u.d)
            if d - d == 0.0:
                set_float(f, ip, &$A, d)
                NEXT
    elif $B.tag == T_FLOAT and $B.u.d > 0.0 and K[$c].tag == T_FLOAT:
        d = pow($B.u.d, K[$c].u.d)
        if d - d == 0.0:
            set_float(f, ip, &$A, d)
            NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow(OP_POW, R, ins, ft, &K[$c], 0) < 0:
        RAISE
    NEXT

family N, F, S, G = (RADD_K, k_add_overflow, +, OP_ADD), (RSUB_K, k_sub_overflow, -, OP_SUB), (RMUL_K, k_mul_overflow, *, OP_MUL)
case $N$:
    if K_EVEN(K[$c].tag == T_INT) and K_EVEN($B.tag == T_INT):
        if K_LIKELY(not $F$(K[$c].u.i, $B.u.i, &i)):
            set_int(f, ip, &$A, i)
            NEXT
    elif is_number(&K[$c]) and is_number(&$B):          # one of them is a float
        if set_float(f, ip, &$A, as_double(&K[$c]) $S$ as_double(&$B)) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow($G$, R, ins, ft, &K[$c], 1) < 0:
        RAISE
    NEXT

case RDIV_K:
    if is_number(&$B) and is_number(&K[$c]):
        d = as_double(&$B)
        if d != 0.0 and set_float(f, ip, &$A, as_double(&K[$c]) / d) == 0:
            NEXT
    ALIVE
    f.ip = ip
    if binary_const_slow(OP_DIV, R, ins, ft, &K[$c], 1) < 0:
        RAISE
    NEXT
