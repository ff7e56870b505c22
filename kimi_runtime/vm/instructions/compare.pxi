# Comparisons and jumps.

family N, S, P = (EQ, ==, Py_EQ), (NE, !=, Py_NE), (LT, <, Py_LT), (LE, <=, Py_LE), (GT, >, Py_GT), (GE, >=, Py_GE)
case $N$:
    if K_LIKELY($B.tag == T_INT) and K_LIKELY($C.tag == T_INT):
        set_bool(f, ip, &$A, $B.u.i $S$ $C.u.i)
        NEXT
    if K_EVEN($B.tag == T_FLOAT) and K_EVEN($C.tag == T_FLOAT):
        set_bool(f, ip, &$A, $B.u.d $S$ $C.u.d)
        NEXT
    f.ip = ip
    if compare_slow($P$, R, ins, ft) < 0:
        RAISE
    NEXT

family N, X = (IS, ), (IS_NOT, not)
case $N$:
    status = $X$ is_same(&$B, &$C)
    if $b >= ft and $b != $a:
        value_clear(&$B)
    if $c >= ft and $c != $a:
        value_clear(&$C)
    set_bool(f, ip, &$A, status)
    NEXT

family N, X = (IN, ), (NOT_IN, not)
case $N$:
    ALIVE
    f.ip = ip
    status = contains(&$B, &$C)
    if K_UNLIKELY(status < 0):
        RAISE
    if $b >= ft and $b != $a:
        value_clear(&$B)
    if $c >= ft and $c != $a:
        value_clear(&$C)
    set_bool(f, ip, &$A, $X$ status)
    NEXT

case JUMP:
    i = $imm
    ip += i
    if i < 0:
        EDGE
    NEXT

family N, X = (JTRUE, ), (JFALSE, not)
case $N$:
    f.ip = ip
    status = truth(&$A)
    if K_UNLIKELY(status < 0):
        RAISE
    if $a >= ft:
        value_clear(&$A)
    if $X$ status:
        i = $imm
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, X = (JTRUE_KEEP, ), (JFALSE_KEEP, not)
case $N$:
    f.ip = ip
    status = truth(&$A)
    if K_UNLIKELY(status < 0):
        RAISE
    if $X$ status:
        ip += $imm
    elif $a >= ft:
        value_clear(&$A)
    NEXT

family N, X = (JNONE, ==), (JNOT_NONE, !=)
case $N$:
    status = $A.tag $X$ T_NONE
    if $a >= ft:
        value_clear(&$A)
    if status:
        i = $imm
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, S, P, X = (JEQ, ==, Py_EQ, ), (JNE, !=, Py_NE, ), (JLT, <, Py_LT, ), (JLE, <=, Py_LE, ), (JGT, >, Py_GT, ), (JGE, >=, Py_GE, ),
    (JNEQ, ==, Py_EQ, not), (JNNE, !=, Py_NE, not), (JNLT, <, Py_LT, not), (JNLE, <=, Py_LE, not), (JNGT, >, Py_GT, not), (JNGE, >=, Py_GE, not)
case $N$:
    if K_LIKELY($A.tag == T_INT) and K_LIKELY($B.tag == T_INT):
        status = $A.u.i $S$ $B.u.i
    elif K_EVEN($A.tag == T_FLOAT) and K_EVEN($B.tag == T_FLOAT):
        status = $A.u.d $S$ $B.u.d
    else:
        f.ip = ip
        status = jump_compare($P$, R, ins, ft)
        if K_UNLIKELY(status < 0):
            RAISE
    if $X$ status:
        i = $sc
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, S, P, X = (JEQ_I, ==, Py_EQ, ), (JNE_I, !=, Py_NE, ), (JLT_I, <, Py_LT, ), (JLE_I, <=, Py_LE, ), (JGT_I, >, Py_GT, ), (JGE_I, >=, Py_GE, ),
    (JNEQ_I, ==, Py_EQ, not), (JNNE_I, !=, Py_NE, not), (JNLT_I, <, Py_LT, not), (JNLE_I, <=, Py_LE, not), (JNGT_I, >, Py_GT, not), (JNGE_I, >=, Py_GE, not)
case $N$:
    if K_LIKELY($A.tag == T_INT):
        status = $A.u.i $S$ ($sb)
    else:
        f.ip = ip
        status = jump_compare_imm($P$, R, ins, ft)
        if K_UNLIKELY(status < 0):
            RAISE
    if $X$ status:
        i = $sc
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, P, X = (JEQ_K, Py_EQ, ), (JNEQ_K, Py_EQ, not), (JNE_K, Py_NE, ), (JNNE_K, Py_NE, not)
case $N$:
    f.ip = ip
    status = jump_compare_const($P$, R, ins, ft, &K[$b])
    if K_UNLIKELY(status < 0):
        RAISE
    if $X$ status:
        i = $sc
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, X = (JIS, ), (JIS_NOT, not)
case $N$:
    status = is_same(&$A, &$B)
    if $a >= ft:
        value_clear(&$A)
    if $b >= ft:
        value_clear(&$B)
    if $X$ status:
        i = $sc
        ip += i
        if i < 0:
            EDGE
    NEXT

family N, X = (JIN, ), (JNOT_IN, not)
case $N$:
    ALIVE
    f.ip = ip
    status = contains(&$A, &$B)
    if K_UNLIKELY(status < 0):
        RAISE
    if $a >= ft:
        value_clear(&$A)
    if $b >= ft:
        value_clear(&$B)
    if $X$ status:
        i = $sc
        ip += i
        if i < 0:
            EDGE
    NEXT
