# Objects that are written as a list of their parts. Included by writer.pyx.

cdef class PartsWriter(Stream):
    """What a writer does with objects whose parts other modules know: those of asyncio, weak references."""
    cdef object context
    cdef list kept                  # made while writing: keeps the addresses from being used again
    cdef dict classes               # class -> names and descriptors of slots
    cdef bint with_decimal          # the guest has decimal contexts
    cdef list shared
    cdef dict savers         # class of the host -> function, or None

    # Of `Writer`:
    cdef int value(self, PyObject *o, int how) except -1:
        raise NotImplementedError

    cdef int part(self, o, int how, label) except -1:
        raise NotImplementedError

    cdef int state(self, PyObject *o, slots) except -1:
        raise NotImplementedError

    cdef int known(self, o) except -1:
        raise NotImplementedError

    cdef int share(self, o) except -1:
        raise NotImplementedError

    cdef int name(self, text) except -1:
        raise NotImplementedError

    cdef int host_object(self, o) except -1:
        """Writes an object of the host, by its saver; for a fork, which one it is. Whether it was one."""
        cdef object target = o
        cdef bint wrapped = True
        found = rule_of_proxy(o)
        if type(o) is MethodType:       # of such an object
            return 0
        if found is not None:
            target = found[1]
            if self.shared is not None:
                self.add(<PyObject *>o, S_FULL)
                self.tag(T_HOST_COPY)
                self.share(o)
                return 1
        elif type(o) is HostFunction:
            target = callable_behind(o)
            if self.shared is not None:
                self.share(o)
                return 1
        elif is_made(type(o)):
            return 0
        else:
            wrapped = False
        saved = natives.saved_by_host(target, self.savers)
        if saved is None:
            return 0
        self.add(<PyObject *>o, S_FULL)
        self.tag(T_HOST)
        self.name(saved[0])
        self.tag(T_TRUE if wrapped else T_FALSE)
        self.varint(len(saved[1]))
        self.raw(<const char *><bytes>saved[1], len(saved[1]))
        return 1

    cdef Py_ssize_t running(self, o) except? -2:
        """The shell of an object of asyncio or contextvars: its number, or -1 where it goes by its name."""
        cdef object cls = type(o)
        if cls is ContextVar and self.known(o):
            return -1
        cdef Py_ssize_t number = self.add(<PyObject *>o, S_BEGUN)
        cdef Py_ssize_t kind = saved_number(cls)
        self.tag(T_RUNNING)
        self.varint(kind)
        if kind == 0:
            self.part(cls, LATER, ".__class__")
        self.states[number] = S_SHELL
        return number

    cdef int running_body(self, o) except -1:
        try:
            parts = parts_to_save(o, self.context, self.with_decimal)
        except ValueError as error:
            raise Unsaved(str(error)) from None
        self.varint(len(parts))
        for each, label in parts:
            self.kept.append(each)
            self.part(each, NOW, label)
        return self.state(<PyObject *>o, self.classes[type(o)][1])

    cdef int weak(self, o) except -1:
        """A weak reference: its class, what it leads to, its callback."""
        cdef object cls = type(o)
        cdef Py_ssize_t number = self.add(<PyObject *>o, S_BEGUN)
        self.tag(T_WEAK)
        self.part(None if cls is ReferenceType else cls, LATER, ".__class__")
        target = ReferenceType.__call__(o)
        self.part(target, LATER, "()")
        self.part(callback_within(weak_callback(o)), LATER, ".__callback__")
        self.state(<PyObject *>o, () if cls is ReferenceType else natives.slot_descriptors(cls))
        self.states[number] = S_FULL
        return 0

    cdef Py_ssize_t cached(self, o) except? -2:
        """A function with a cache: what is in the cache is left out."""
        cdef Py_ssize_t number
        if self.known(o):
            return -1
        number = self.add(<PyObject *>o, S_BEGUN)
        settings = o.cache_parameters()
        self.tag(T_CACHED)
        self.part(o.__wrapped__, LATER, ".__wrapped__")
        self.value(<PyObject *>settings["maxsize"], NOW)
        self.value(<PyObject *>settings["typed"], NOW)
        self.states[number] = S_SHELL
        return number
