# Generators, their frames for the guest, and `yield from` (part of function.pyx).

cdef const char *kind_name(PyObject *gen) noexcept:
    if (<Generator>gen).kind & CODE_COROUTINE:
        return b"coroutine"
    if (<Generator>gen).kind & CODE_ASYNC_GENERATOR:
        return b"async generator"
    return b"generator"


cdef str kind_word(Generator gen):
    return kind_name(<PyObject *>gen).decode("ascii")


cdef object checked_name(value, str attribute):
    if not isinstance(value, str):
        raise TypeError(f"{attribute} must be set to a string object")
    return value


cdef inline bint is_resumable(PyObject *o) noexcept:
    """Whether o is a Generator or Coroutine: what `yield from` and `await` step themselves."""
    return <PyObject *>Py_TYPE(o) == <PyObject *>Coroutine or <PyObject *>Py_TYPE(o) == <PyObject *>Generator


@cython.final
@cython.auto_pickle(False)
cdef class Generator:
    """A suspended or finished call of a generator function."""

    # For the slot wrappers; the slots themselves are replaced.
    def __iter__(self):
        return self

    def __next__(self):
        return generator_result(self, Py_None, NULL)

    @cython.always_allow_keywords(False)
    def send(self, value):
        """send(arg) -> send 'arg' into generator,
return next yielded value or raise StopIteration."""
        return generator_result(self, <PyObject *>value, NULL)

    def throw(self, *args):
        """throw(value)
throw(type[,value[,tb]])

Raise exception in generator, return next yielded value or raise
StopIteration.
the (type, val, tb) signature is deprecated,
and may be removed in a future version of Python."""
        return throw_into(self, args)

    @cython.always_allow_keywords(False)
    def close(self):
        """close() -> raise GeneratorExit inside generator."""
        return generator_close(self)

    @property
    def gi_running(self):
        return self.state == GEN_RUNNING

    @property
    def gi_suspended(self):
        return self.state == GEN_SUSPENDED

    @property
    def gi_code(self):
        return self.code

    @property
    def gi_frame(self):
        if self.state == GEN_DONE:
            return None
        return GeneratorFrame(self)

    @property
    def gi_yieldfrom(self):
        if self.state != GEN_SUSPENDED or self.delegate == NULL:
            return None
        return <object>self.delegate

    @property
    def __name__(self):
        """name of the generator"""
        return self.name

    @__name__.setter
    def __name__(self, value):
        self.name = checked_name(value, "__name__")

    @__name__.deleter
    def __name__(self):
        checked_name(None, "__name__")

    @property
    def __qualname__(self):
        """qualified name of the generator"""
        return self.qualname

    @__qualname__.setter
    def __qualname__(self, value):
        self.qualname = checked_name(value, "__qualname__")

    @__qualname__.deleter
    def __qualname__(self):
        checked_name(None, "__qualname__")

    def __del__(self):          # for its slot wrapper; the slot itself is replaced
        generator_finalize(<PyObject *>self)

    def __repr__(self):
        return f"<generator object {self.qualname} at {<size_t><PyObject *>self:#x}>"


cdef object throw_into(Generator gen, tuple args):
    """``throw(*args)`` of a generator or coroutine."""
    global thrown_exception, thrown_arguments
    cdef PyObject *previous_exception = thrown_exception
    cdef PyObject *previous_arguments = thrown_arguments
    exc = checked_exception(args, "throw")
    thrown_exception = <PyObject *>exc
    thrown_arguments = <PyObject *>args
    try:
        return generator_result(gen, NULL, <PyObject *>exc)
    finally:
        thrown_exception = previous_exception
        thrown_arguments = previous_arguments


cdef object checked_exception(tuple args, str method):
    """The exception instance for the arguments of the method; TypeError as CPython's."""
    if not args:
        raise TypeError(f"{method} expected at least 1 argument, got 0")
    if len(args) > 3:
        raise TypeError(f"{method} expected at most 3 arguments, got {len(args)}")
    if len(args) > 1 and PY_VERSION_HEX >= 0x030C0000:
        PyErr_WarnEx(PyExc_DeprecationWarning, f"the (type, exc, tb) signature of {method}() is deprecated, "
                     "use the single-arg signature instead.".encode(), 1)
    return exception_to_throw(args)


ctypedef PyObject *(*raw_make)(TypeSlots *, PyObject *, PyObject *, PyObject *, PyObject *, const void *, unsigned char,
                               uint32_t) noexcept
cdef raw_make raw_generator_make = <raw_make><void *>k_generator_make


cdef PyObject *new_generator(PyObject *func) noexcept:
    cdef PyObject *code = <PyObject *>(<Function>func).code
    cdef unsigned int kind = (<Code>code).flags & (CODE_GENERATOR | CODE_COROUTINE | CODE_ASYNC_GENERATOR)
    cdef TypeSlots *type = generator_type
    cdef PyObject *made
    if kind != CODE_GENERATOR:
        type = coroutine_type if kind == CODE_COROUTINE else async_generator_type
    made = raw_generator_make(
        type, func, code, <PyObject *>(<Function>func).name, <PyObject *>(<Function>func).qualname,
        &(<Code>code).instrs[(<Code>code).entry], <unsigned char>kind, (<Code>code).nregs)
    if kind == CODE_COROUTINE and origin_depth != NULL and made != NULL and origin_depth() > 0:
        if try_note_origin(made) < 0:
            Py_DECREF(made)
            return NULL
    return made


cdef void generator_finish(Generator gen) noexcept:
    # Also called on an object without references, so it must not make one.
    cdef Value *regs = gen.regs
    cdef PyObject *handled = gen.exc_state.exc_value
    gen.state = GEN_DONE
    gen.delegate = NULL
    gen.regs = NULL
    gen.exc_state.exc_value = NULL
    if regs != NULL:
        k_window_drop(<void *>regs, gen.code.nlocals, gen.code.nregs)
    Py_XDECREF(handled)


cdef void generator_returned(PyObject *gen) noexcept:
    cdef Value *regs = (<Generator>gen).regs
    cdef PyObject *handled = (<Generator>gen).exc_state.exc_value
    (<Generator>gen).state = GEN_DONE
    (<Generator>gen).delegate = NULL
    (<Generator>gen).regs = NULL
    (<Generator>gen).exc_state.exc_value = NULL
    k_window_free(<void *>regs, (<Generator>gen).code.nregs)
    Py_XDECREF(handled)


cdef PyObject *generator_resume(Generator gen, PyObject *value, PyObject *exc, bint close, PyObject **result) noexcept:
    """hooks.resume after the checks that every caller owes; the results are those of hooks.resume."""
    result[0] = NULL
    if gen.state == GEN_SUSPENDED:
        return hooks.resume(<PyObject *>gen, value, exc, close, result)
    if gen.state == GEN_RUNNING:
        set_error(PyExc_ValueError, f"{kind_word(gen)} already executing")
        return NULL
    if gen.state == GEN_DONE:
        if gen.kind & CODE_COROUTINE:
            set_error(PyExc_RuntimeError, "cannot reuse already awaited coroutine")
        elif exc != NULL:
            Py_INCREF(exc)
            k_restore_raised(exc)
        else:
            Py_INCREF(Py_None)
            result[0] = Py_None
        return NULL
    if exc != NULL:
        raise_at_start(gen, exc)
        return NULL
    if value != Py_None:
        set_error(PyExc_TypeError, f"can't send non-None value to a just-started {kind_word(gen)}")
        return NULL
    return hooks.resume(<PyObject *>gen, value, exc, close, result)


cdef int raise_at_start(Generator gen, PyObject *exc) noexcept:
    """Raises in a generator that has not started: no handler of its body covers that point."""
    cdef Code code = gen.code
    cdef dict namespace = gen.func.globals if gen.func is not None else {}
    cdef PyObject *raised
    generator_finish(gen)
    raised = exc
    Py_INCREF(raised)
    add_traceback_line(raised, code, <PyObject *>namespace, code.firstlineno)
    if PY_VERSION_HEX < 0x030C0000:             # later ones convert in the body, where this does not arrive
        raised = exception_leaving(<PyObject *>gen, raised)
    k_restore_raised(raised)
    return -1


cdef PyObject *exception_leaving(PyObject *gen, PyObject *exc) noexcept:
    cdef PyObject *error
    cdef const char *name = b"StopIteration"
    if not PyErr_GivenExceptionMatches(exc, PyExc_StopIteration):
        if (<Generator>gen).kind != CODE_ASYNC_GENERATOR or not PyErr_GivenExceptionMatches(exc, PyExc_StopAsyncIteration):
            return exc
        name = b"StopAsyncIteration"
    PyErr_Format(PyExc_RuntimeError, b"%s raised %s", kind_name(gen), name)
    error = k_take_raised()
    if error == NULL:
        return exc
    Py_INCREF(exc)
    PyException_SetCause(error, exc)
    PyException_SetContext(error, exc)
    return error


cdef int set_error(PyObject *exc_type, str message) noexcept:
    PyErr_SetObject(exc_type, <PyObject *>message)
    return -1


cdef object generator_result(Generator gen, PyObject *value, PyObject *exc):
    cdef PyObject *result = NULL
    cdef PyObject *item = generator_resume(gen, value, exc, 1, &result)
    if item == NULL and result != NULL:
        set_stop_iteration(result)
        Py_DECREF(result)
    return take(item)


cdef void set_stop_iteration(PyObject *value) noexcept:
    cdef PyObject *exc
    if value == Py_None:
        PyErr_SetNone(PyExc_StopIteration)
    elif PyTuple_Check(value) or PyExceptionInstance_Check(value):
        # PyErr_SetObject would take these as the arguments or as the exception itself.
        exc = PyObject_CallOneArg(PyExc_StopIteration, value)
        if exc != NULL:
            PyErr_SetObject(PyExc_StopIteration, exc)
            Py_DECREF(exc)
    else:
        PyErr_SetObject(PyExc_StopIteration, value)


cdef object instance_of(cls, value):
    """An exception of a class with a value, as ``raise`` of old made them."""
    if isinstance(value, cls):
        return value
    if value is None:
        exc = cls()
    elif isinstance(value, tuple):
        exc = cls(*value)
    else:
        exc = cls(value)
    if not isinstance(exc, BaseException):
        raise TypeError(f"calling {cls!r} should have returned an instance of BaseException, not {type_name_of(exc)}")
    return exc


cdef object exception_to_throw(tuple args):
    """The exception instance that ``throw(*args)`` raises; TypeError as CPython's throw gives it."""
    raised = args[0]
    value = args[1] if len(args) > 1 else None
    traceback = args[2] if len(args) > 2 else None
    if traceback is not None and not isinstance(traceback, types.TracebackType):
        raise TypeError("throw() third argument must be a traceback object")
    if PyExceptionClass_Check(<PyObject *>raised):
        try:
            exc = instance_of(raised, value)
        except BaseException as error:          # is thrown in its place
            exc = error.with_traceback(None)
    elif PyExceptionInstance_Check(<PyObject *>raised):
        if value is not None:
            raise TypeError("instance exception may not have a separate value")
        exc = raised
    else:
        raise TypeError("exceptions must be classes or instances deriving from BaseException, not "
                        f"{type_name_of(raised)}")
    if traceback is not None:
        PyException_SetTraceback(exc, traceback)
    return exc


cdef int must_close(PyObject *o) noexcept:
    """Whether dropping a suspended generator has to run guest code: only inside a try, a with or a `yield from`."""
    # Also called on an object without references, so it must not make one: no variable of type Generator.
    cdef uint32_t i, pc
    cdef PyObject *code
    cdef const ExcEntry *entry
    if (<Generator>o).state != GEN_SUSPENDED:
        return 0
    if (<Generator>o).delegate != NULL:
        return 1
    code = <PyObject *>(<Generator>o).code
    pc = <uint32_t>((<Generator>o).ip - (<Code>code).instrs)
    for i in range((<Code>code).nexc):
        entry = &(<Code>code).exc_table[i]
        if entry.start <= pc <= entry.end:      # the instruction that yielded is pc or the one before
            return 1
    return 0


cdef object generator_close(Generator gen):
    """``close()``. What the generator delegates to is closed first, and so on inwards: without recursion on the C stack."""
    cdef list chain
    cdef PyObject *inner
    if gen.state == GEN_DONE:
        return None
    if gen.state != GEN_SUSPENDED or gen.delegate == NULL or not is_closable(gen.delegate):
        return close_one(gen, 1, None)
    gen.state = GEN_RUNNING
    chain = [gen]           # an asynchronous generator, too, when it is dropped
    inner = gen.delegate
    while is_closable(inner):
        (<Generator>inner).state = GEN_RUNNING
        chain.append(<object>inner)
        if (<Generator>inner).delegate == NULL:
            break
        inner = (<Generator>inner).delegate
    return close_chain(chain)


cdef inline bint is_closable(PyObject *o) noexcept:
    return is_resumable(o) and (<Generator>o).state == GEN_SUSPENDED


cdef object close_chain(list chain):
    """Closes generators, each of which waits for the next; all of them count as running. The result is the first one's."""
    cdef int how = 1
    cdef Generator gen
    error = result = None
    while chain:
        gen = <Generator>chain.pop()        # the one before lives as long as this one waits for it
        gen.state = GEN_SUSPENDED
        try:
            result = close_one(gen, how, error)
            error = None
        except BaseException as raised:
            error = raised
        how = 2
    if error is not None:
        raise error
    return result


cdef object new_exit():
    """A GeneratorExit as ``close()`` raises it: what is being handled there is its context."""
    PyErr_SetNone(PyExc_GeneratorExit)
    return take(k_take_raised())


cdef object close_one(Generator gen, int how, error):
    """Throws GeneratorExit into the generator. how 2: what it delegates to is closed already, with the error if any."""
    cdef PyObject *result = NULL
    cdef PyObject *item
    if gen.state == GEN_CREATED or (gen.state == GEN_SUSPENDED and error is None and not must_close(<PyObject *>gen)):
        generator_finish(gen)
        return None
    exc = new_exit() if error is None else error
    if gen.state == GEN_SUSPENDED:
        item = hooks.resume(<PyObject *>gen, NULL, <PyObject *>exc, how, &result)
    else:
        item = generator_resume(gen, NULL, <PyObject *>exc, 1, &result)
    if item != NULL:
        gen.yielded = 0
        Py_DECREF(item)
        raise RuntimeError(f"{kind_word(gen)} ignored GeneratorExit")
    if result != NULL:
        value = <object>result
        Py_DECREF(result)
        return value if PY_VERSION_HEX >= 0x030D0000 else None
    if PyErr_ExceptionMatches(PyExc_GeneratorExit) or PyErr_ExceptionMatches(PyExc_StopIteration):
        PyErr_Clear()
        return None
    raise_current()


# Functions that return an object, called from C: NULL stays NULL with the exception set. Always through a variable:
# gcc turns a direct call of a cast function into a trap.
ctypedef PyObject *(*raw1)(PyObject *) noexcept
cdef raw1 raw_generator_close = <raw1><void *>generator_close
cdef raw1 raw_close_step = <raw1><void *>close_step
cdef raw1 raw_close_other = <raw1><void *>close_other
cdef raw1 raw_find_throw = <raw1><void *>find_throw
cdef raw1 raw_stop_value = <raw1><void *>stop_value


cdef bint has_traceback(PyObject *error) noexcept:
    cdef PyObject *found = PyException_GetTraceback(error)
    Py_XDECREF(found)
    return found != NULL


cdef int begin_finalizer(PyObject *builtins) noexcept:
    if builtins == NULL:
        return hooks.begin_unattended(False, NULL)
    return -1 if is_left_behind(builtins) else hooks.begin_unattended(is_foreign(builtins), builtins)


cdef void report_unraisable(PyObject *error, PyObject *where) noexcept:
    """Shows an exception that cannot be raised on the guest's stderr; nowhere when no guest runs that could be told."""
    cdef PyObject *function = NULL
    cdef int line
    if hooks.stopped != NULL and hooks.stopped():
        return                      # what a stop leaves behind is no error of the guest's
    drop_host_entries(error)
    if not has_traceback(error) and hooks.frame_line != NULL:
        line = hooks.frame_line(0, &function)       # what runs now, as CPython does
        if function != NULL:
            add_traceback_line(error, (<Function>function).code, <PyObject *>(<Function>function).globals, line)
    if write_unraisable != NULL:
        write_unraisable(error, where)


cdef object close_other(iterator):
    cdef object close = None
    try:
        close = getattr(iterator, s_close, None)
    except BaseException as error:              # reported, and the generator is closed all the same
        report_unraisable(<PyObject *>error, <PyObject *>iterator)
    if close is not None:
        close()
    return None


cdef int close_iterator(PyObject *iterator) noexcept:
    """Closes what a `yield from` delegates to: 0, or -1 with an exception set."""
    cdef PyObject *done
    if is_resumable(iterator):
        if (<Generator>iterator).state == GEN_RUNNING:
            return set_error(PyExc_ValueError, f"{kind_word(<Generator>iterator)} already executing")
        done = raw_generator_close(iterator)
    elif <PyObject *>Py_TYPE(iterator) == <PyObject *>AsyncGenerator:
        done = raw_close_step(iterator)
    else:
        done = raw_close_other(iterator)
    if done == NULL:
        return -1
    Py_DECREF(done)
    return 0


cdef object find_throw(iterator):
    return getattr(iterator, s_throw, None)


cdef PyObject *delegate_throw(PyObject *iterator, PyObject *exc, bint close, PyObject **result) noexcept:
    cdef PyObject *method
    cdef PyObject *item
    cdef PyObject *stop
    result[0] = NULL
    if close and PyErr_GivenExceptionMatches(exc, PyExc_GeneratorExit):
        if close_iterator(iterator) == 0:
            Py_INCREF(exc)
            k_restore_raised(exc)
        return NULL
    if is_resumable(iterator):
        return generator_resume(<Generator>iterator, NULL, exc, close, result)
    if <PyObject *>Py_TYPE(iterator) == <PyObject *>AsyncGenerator:
        item = generator_resume(<Generator>iterator, NULL, exc, 1, result)      # by the `throw` of its asend(None)
        return async_generator_item(iterator, item, result)
    method = raw_find_throw(iterator)
    if method == NULL:
        return NULL
    if method == Py_None:
        Py_DECREF(method)
        if PY_VERSION_HEX >= 0x030C0000 and PyErr_GivenExceptionMatches(exc, PyExc_StopIteration):
            result[0] = raw_stop_value(exc)     # counts as the end of the iterator since then
            return NULL
        Py_INCREF(exc)
        k_restore_raised(exc)
        return NULL
    if thrown_exception == exc:
        item = PyObject_Call(method, thrown_arguments, NULL)
    else:
        item = PyObject_CallOneArg(method, exc)
    Py_DECREF(method)
    if item == NULL and PyErr_ExceptionMatches(PyExc_StopIteration):
        stop = k_take_raised()
        result[0] = raw_stop_value(stop)
        Py_DECREF(stop)
    return item


cdef object stop_value(stop):
    return stop.value


cdef PyObject *generator_self(PyObject *o) noexcept:
    Py_INCREF(o)
    return o


cdef PyObject *generator_iternext(PyObject *o) noexcept:
    cdef PyObject *result = NULL
    cdef PyObject *item = generator_resume(<Generator>o, Py_None, NULL, 1, &result)
    if item == NULL and result != NULL:
        if result != Py_None:
            set_stop_iteration(result)
        Py_DECREF(result)
    return item


cdef PyObject *generator_am_await(PyObject *o) noexcept:
    """Only generators of functions that types.coroutine marked can be awaited."""
    if (<Generator>o).code.flags & CODE_ITERABLE_COROUTINE:
        Py_INCREF(o)
        return o
    set_error(PyExc_TypeError, "object generator can't be used in 'await' expression")
    return NULL


cdef PySendResult generator_am_send(PyObject *o, PyObject *value, PyObject **result) noexcept:
    cdef PyObject *item = generator_resume(<Generator>o, value, NULL, 1, result)
    if item != NULL:
        result[0] = item
        return PYGEN_NEXT
    return PYGEN_RETURN if result[0] != NULL else PYGEN_ERROR


cdef int must_finalize(PyObject *o) noexcept:
    """Whether dropping o has to run code: see must_close; coroutines that never ran are told of."""
    # Also called on an object without references: see must_close.
    if (<Generator>o).kind == CODE_COROUTINE and (<Generator>o).state == GEN_CREATED:
        return 1
    if (<Generator>o).kind == CODE_ASYNC_GENERATOR and (<Generator>o).state != GEN_DONE \
            and (<Generator>o).extra != NULL and not (<Generator>o).closed:
        return 1
    return must_close(o)


cdef void generator_finalize(PyObject *o) noexcept:
    """Runs the finally blocks of a suspended generator that nobody refers to any more."""
    cdef PyObject *raised
    cdef PyObject *done
    cdef PyObject *error
    cdef int begun
    if not must_finalize(o):
        return
    raised = k_take_raised()
    begun = begin_finalizer(<PyObject *>(<Generator>o).func.builtins)
    if begun < 0:
        if raised != NULL:
            k_restore_raised(raised)
        return
    if (<Generator>o).kind == CODE_COROUTINE and (<Generator>o).state == GEN_CREATED:
        if warn_never_awaited == NULL or not warn_never_awaited(o):
            warn_host(o)
        done = NULL
    elif (<Generator>o).kind == CODE_ASYNC_GENERATOR and (<Generator>o).extra != NULL and not (<Generator>o).closed:
        done = PyObject_CallOneArg((<Generator>o).extra, o)
    else:
        done = raw_generator_close(o)
    if done == NULL:
        error = k_take_raised()
        if error != NULL:
            if begun == 0:              # otherwise nobody is there to be told
                report_unraisable(error, o)
            Py_DECREF(error)
    else:
        Py_DECREF(done)
    if raised != NULL:
        k_restore_raised(raised)
    hooks.end_unattended(begun)


cdef int generator_traverse(PyObject *o, visitproc visit, void *arg) noexcept:
    cdef uint32_t i
    cdef int status
    if (<Generator>o).exc_state.exc_value != NULL:
        status = visit((<Generator>o).exc_state.exc_value, arg)
        if status:
            return status
    if (<Generator>o).extra != NULL:
        status = visit((<Generator>o).extra, arg)
        if status:
            return status
    # The registers of a running one are in use and may be stale; leaving them out only keeps their objects alive.
    if (<Generator>o).regs != NULL and (<Generator>o).state != GEN_RUNNING:
        for i in range((<Generator>o).code.nregs):
            if (<Generator>o).regs[i].tag & T_OWNED:
                status = visit((<Generator>o).regs[i].u.o, arg)
                if status:
                    return status
    return generator_base_traverse(o, visit, arg)


cdef int generator_clear(PyObject *o) noexcept:
    if (<Generator>o).state != GEN_RUNNING:
        generator_finish(<Generator>o)
    return 0
