# What the compiler of the hot tier sees of the core: layouts, addresses, code objects, and the switch.

cdef extern from *:
    """
    #define k_keys_offset() offsetof(PyHeapTypeObject, ht_cached_keys)
    #define k_keys_version_offset() offsetof(KDictKeys, dk_version)
    """
    size_t k_keys_offset() noexcept
    size_t k_keys_version_offset() noexcept

def hot_layout():
    """Offsets of fields, tags and addresses of functions, by name: what the back end needs."""
    cdef VM *vm = NULL
    cdef Frame *f = NULL
    cdef CacheSite *site = NULL
    cdef PyTypeFull *no_type = NULL
    cdef Py_ssize_t i
    return {
        "vm.slice": <size_t>&vm.slice, "vm.instructions": <size_t>&vm.instructions, "vm.frame": <size_t>&vm.frame,
        "frame.ip": <size_t>&f.ip, "frame.flags": <size_t>&f.flags, "frame.func": <size_t>&f.func,
        "vm.spilled": <size_t>&vm.hot_spilled, "vm.due": <size_t>&vm.hot_due,
        "hot_alive": <size_t>hot_alive, "hot_fill": <size_t>hot_fill, "hot_box_int": <size_t>hot_box_int,
        "hot_box_float": <size_t>hot_box_float, "hot_rewrite_int": <size_t>hot_rewrite_int, "hot_attr": <size_t>hot_attr,
        "hot_method": <size_t>hot_method, "hot_method_of": <size_t>hot_method_of,
        "hot_store_attr": <size_t>hot_store_attr, "hot_global_of": <size_t>hot_global_of,
        "hot_is_function": <size_t>hot_is_function, "hot_fits": <size_t>hot_fits, "hot_push": <size_t>hot_push,
        "hot_generator": <size_t>hot_generator, "hot_suspended": <size_t>hot_suspended, "hot_resume": <size_t>hot_resume,
        "hot_dict_get": <size_t>hot_dict_get, "hot_contains": <size_t>hot_contains, "hot_dict_set": <size_t>hot_dict_set,
        "hot_power": <size_t>hot_power, "vm.ticked": <size_t>&vm.hot_ticked,
        "type.flags": <size_t>&no_type.tp_flags, "type.version": <size_t>&no_type.tp_version_tag,
        "site.kind": <size_t>&site.kind, "site.version": <size_t>&site.version, "site.index": <size_t>&site.index,
        "site": sizeof(CacheSite), "attribute in values": A_VALUE, "stored in values": A_STORE_VALUE,
        "type.keys": k_keys_offset(), "keys.version": k_keys_version_offset(),
        "none": <size_t>Py_None, "bool": <size_t>&PyBool_Type, "none type": <size_t>Py_TYPE(Py_None),
        "set": <size_t>&PySet_Type, **{name: <size_t>native_callees[i] for i, name in enumerate(hot_native_names) if i},
        "hot_cell": <size_t>hot_cell, "hot_append": <size_t>hot_append,
        "hot_global": <size_t>hot_global, "hot_begin": <size_t>hot_begin, "hot_callee": <size_t>hot_callee,
        "hot_return": <size_t>hot_return, "hot_deopt": <size_t>hot_deopt,
        "true": <size_t>Py_True, "false": <size_t>Py_False,
        "hot_sample": <size_t>hot_sample, "hot_step": <size_t>hot_step,
        "hot_tick": <size_t>hot_tick, "hot_tick_free": <size_t>hot_tick_free, "hot_take": <size_t>hot_take,
        "vm.away": <size_t>&vm.hot_away, "hot_release": <size_t>hot_release,
        "hot_put": <size_t>hot_put, "hot_drop": <size_t>hot_drop, "hot_long": <size_t>hot_long,
        "hot_square": <size_t>hot_square, "hot_float_mod": <size_t>hot_float_mod,
        "hot_float_floordiv": <size_t>hot_float_floordiv,
        "list": <size_t>&PyList_Type, "tuple": <size_t>&PyTuple_Type, "dict": <size_t>&PyDict_Type, "str": <size_t>&PyUnicode_Type,
        "int": <size_t>&PyLong_Type, "float": <size_t>&PyFloat_Type, "range": <size_t>&PyRange_Type,
        "function": <size_t>FunctionType,
        **{name: address for address, name in hot_math_names.items()},
        **{name: address for address, name in hot_exceptions.items()},
        **{"c." + name: address for name, address in hot_math_addresses.items()},
    }

def hot_code(Code code not None):
    """What there is to compile: (instructions as (op, a, b, c, imm), constants, figures)."""
    cdef uint32_t i
    cdef Instr *ins = code.instrs
    cdef list constants = []
    cdef list held = []         # of constants that are objects: the kind, else 0
    cdef uint8_t kind = code.call_kind
    cdef Value *k
    for i in range(code.nconsts):
        k = &code.consts[i]
        held.append(kind_of(k) if k.tag == T_OBJ else 0)
        if k.tag == T_INT:
            constants.append(k.u.i)
        elif k.tag == T_FLOAT:
            constants.append(k.u.d)
        else:
            constants.append(None)
    instrs = [(ins[i].op, ins[i].a, ins[i].t.abc.b, ins[i].t.abc.c, ins[i].t.imm) for i in range(code.ninstrs)]
    figures = {"first_temp": code.first_temp, "registers": code.nregs, "instrs": <size_t>code.instrs, "consts": <size_t>code.consts,
               "held": held, "site": sizeof(CacheSite), "caches": <size_t>code.caches,
               "generator": bool(code.flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR)),
               "simple": classify(<PyObject *>code) in (K_SIMPLE, K_HOT), "locals": code.nlocals, "free": code.nfree,
               "handlers": [(code.exc_table[i].start, code.exc_table[i].end, code.exc_table[i].handler, code.exc_table[i].temp_top,
                             code.exc_table[i].exc_reg) for i in range(code.nexc)],
               "spans": [(span[0], span[1]) for span in code.inlined] if code.inlined else [],
               "cells": bool(code.cell_regs), "name": code.qualname, "file": code.filename, "line": code.firstlineno, "parameters": code.npos,
               "plain": code.nregs <= HOT_PLAIN_REGISTERS and code.nfree == 0 and not code.cell_regs
               and classify(<PyObject *>code) in (K_SIMPLE, K_HOT)}
    if kind == K_HOT:
        code.call_kind = K_HOT          # classify has said K_SIMPLE
    return instrs, constants, figures

def hot_kinds(Code code not None):
    """Masks of the kinds seen, four for each instruction: see hot.pxi."""
    cdef HotCode *hot = <HotCode *>code.hot
    cdef uint32_t i
    if hot == NULL or hot.kinds == NULL:
        return [0] * (code.ninstrs * 4)
    return [hot.kinds[i] for i in range(code.ninstrs * 4)]

def hot_calls(Code code not None):
    """The number of positional values of each call site, or -1 where there are names too."""
    cdef uint32_t i
    return [code.caches[i].nargs if code.caches[i].nkw == 0 and code.caches[i].name == NULL else -1 for i in range(code.ncaches)]

def hot_again(Code code not None, uint32_t pc):
    """The place is counted from the beginning: it may be worth compiling later."""
    cdef HotEntry *entry = hot_entry(<PyObject *>code, pc, 1)
    if entry != NULL:
        entry.state = HOT_COUNTED
        entry.count = 1

def hot_install(Code code not None, uint32_t pc, size_t function, keep):
    """Compiled code for the place is there from now on; keep is what holds its memory."""
    cdef HotEntry *entry
    cdef HotCode *hot
    cdef list held
    entry = hot_entry(<PyObject *>code, pc, 1)
    if entry == NULL:
        raise MemoryError("no memory for the record of a loop")
    hot = <HotCode *>code.hot
    if hot.held == NULL:
        held = []
        hot.held = <PyObject *>held
        Py_INCREF(hot.held)
    (<list>hot.held).append(keep)
    entry.function = <HotFunction>function
    entry.state = HOT_COMPILED
    entry.versions += 1
    entry.last_left = entry.left + entry.refused
    if pc == 0 and code.call_kind == K_SIMPLE:
        code.call_kind = K_HOT

def hot_give_up(Code code not None, uint32_t pc):
    """The place is not looked at again."""
    cdef HotEntry *entry = hot_entry(<PyObject *>code, pc, 1)
    if entry != NULL:
        entry.state = HOT_GIVEN_UP

def hot_records(Code code not None):
    """[(pc, state, versions, entered, refused, left, instructions executed)] of a code object."""
    cdef HotCode *hot = <HotCode *>code.hot
    cdef uint32_t i
    if hot == NULL:
        return []
    return [(hot.entries[i].pc, hot.entries[i].state, hot.entries[i].versions, hot.entries[i].entered, hot.entries[i].refused,
             hot.entries[i].left, hot.entries[i].done) for i in range(hot.n)]
