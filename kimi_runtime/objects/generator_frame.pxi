# What `gi_frame`, `cr_frame` and `ag_frame` show (part of function.pyx).

@cython.final
cdef class GeneratorFrame:
    """The frame of a generator: enough for inspect and debuggers, and no way to other frames.

    Like CPython's it does not keep the generator alive.
    """

    def __cinit__(self, generator=None):
        if type(generator) not in RESUMABLE_TYPES:
            raise TypeError("cannot create 'frame' instances")
        self.generator = ref(generator)
        self.code = (<Generator>generator).code
        self.globals = None if (<Generator>generator).func is None else visible_namespace((<Generator>generator).func.globals)

    @property
    def __class__(self):
        return types.FrameType

    @property
    def f_code(self):
        return self.code

    @property
    def f_back(self):
        return None

    @property
    def f_globals(self):
        return self.globals

    @property
    def f_lasti(self):
        gen = self.generator()
        if gen is None or (<Generator>gen).state == GEN_CREATED:
            return -1
        return 2 * generator_pc(<Generator>gen)

    @property
    def f_lineno(self):
        gen = self.generator()
        if gen is None or (<Generator>gen).state == GEN_CREATED:
            return self.code.firstlineno
        return self.code.positions[generator_pc(<Generator>gen)].line

    @property
    def f_locals(self):
        gen = self.generator()
        return {} if gen is None else generator_locals(<Generator>gen)

    def clear(self):
        """F.clear(): clear most references held by the frame"""
        gen = self.generator()
        if gen is None:
            return
        if (<Generator>gen).state == GEN_RUNNING:
            raise RuntimeError("cannot clear an executing frame")
        if (<Generator>gen).state == GEN_SUSPENDED and PY_VERSION_HEX >= 0x030D0000:
            raise RuntimeError("cannot clear a suspended frame")
        if must_finalize(<PyObject *>gen):
            generator_finalize(<PyObject *>gen)
        generator_finish(<Generator>gen)

    def __repr__(self):
        return (f"<frame at {<size_t><PyObject *>self:#x}, file {self.code.filename!r}, line {self.f_lineno}, "
                f"code {self.code.name}>")


cdef dict generator_locals(Generator gen):
    cdef dict found = {}
    cdef Py_ssize_t i
    cdef Value *value
    cdef PyObject *o
    if gen.regs == NULL or gen.state == GEN_RUNNING:
        return found
    for i, name in enumerate(gen.code.local_names):
        value = &gen.regs[i]
        if not name or name.startswith(".") or value.tag == T_UNDEF:
            continue
        o = value_object(value)
        item = take(o)
        if type(item) is Cell and i in gen.code.cell_regs:
            if (<Cell>item).value.tag == T_UNDEF:
                continue
            item = (<Cell>item).cell_contents
        found[name] = item
    if gen.func is not None and gen.func.closure is not None:
        for name, cell in zip(gen.code.free_names, gen.func.closure):
            if (<Cell>cell).value.tag != T_UNDEF:
                found[name] = (<Cell>cell).cell_contents
    return found


cdef uint32_t generator_pc(Generator gen) noexcept:
    cdef uint32_t pc = <uint32_t>(gen.ip - gen.code.instrs)
    if gen.delegate == NULL and pc > 0 and gen.state == GEN_SUSPENDED:
        return pc - 1
    return pc
