# cython: binding=False
"""From bytes back to the objects of a guest: see ``tags.pxi``. Nothing of what was saved runs: classes are made without their hooks,
and filled when all of them are there; instances are made without ``__new__`` and ``__init__``.

Whatever the bytes are, what comes of them is objects that a program could have, or a ValueError.
"""
from cpython.dict cimport PyDict_SetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from kimi_runtime.bytecode.code cimport Code
from kimi_runtime.objects.function cimport Cell, Function, hooks
from kimi_runtime.vm.values cimport Py_DECREF, Py_TYPE, PyTypeObject

import collections
import functools
import types
from abc import ABCMeta
from weakref import ReferenceType

from .. import _core
from ..aio.core import Token, empty_shell, fill_shell, saved_number
from ..bridge.conversion import convert_in
from ..bridge.exposed import exposed_with, rule_of_proxy
from ..bridge.gate import is_made, mark_made
from ..bridge.late_calls import callback_for
from ..errors import SnapshotError
from ..objects.class_builder import adopt_class
from . import natives
from .codes import code_form, marked_codes
from .form import VERSION
from .verifier import check_generator

cdef extern from *:
    """
    /* Puts an attribute into the __dict__ of an instance, or its value table, whatever descriptors its class has: 0 or -1. */
    static int k_put_attribute(PyObject *o, PyObject *name, PyObject *value)
    {
        PyObject *found = _PyType_Lookup(Py_TYPE(o), name);
        PyObject *names;
        int status;
        if (found == NULL && Py_TYPE(o)->tp_setattro != NULL)
            return PyObject_GenericSetAttr(o, name, value);
        names = PyObject_GenericGetDict(o, NULL);
        if (names == NULL) return -1;
        status = PyDict_SetItem(names, name, value);
        Py_DECREF(names);
        return status;
    }
    /* Replaces an item of a tuple that nobody else has looked at. */
    static void k_tuple_put(PyObject *tuple, Py_ssize_t i, PyObject *item)
    {
        PyObject *old = PyTuple_GET_ITEM(tuple, i);
        Py_INCREF(item);
        PyTuple_SET_ITEM(tuple, i, item);
        Py_XDECREF(old);
    }
    static int k_is_data(PyObject *descriptor) { return Py_TYPE(descriptor)->tp_descr_set != NULL; }
    /* An entry of a class's namespace, past what its metaclass has by that name. */
    static int k_class_put(PyObject *cls, PyObject *name, PyObject *value)
    {
        PyTypeObject *t = (PyTypeObject *)cls;
        if (PyDict_SetItem(t->tp_dict, name, value) < 0) return -1;
        PyType_Modified(t);
        return 0;
    }
    static PyObject *k_class_lookup(PyObject *cls, PyObject *name) { return _PyType_Lookup((PyTypeObject *)cls, name); }
    """
    int k_put_attribute(PyObject *o, PyObject *name, PyObject *value) except -1
    void k_tuple_put(PyObject *t, Py_ssize_t i, PyObject *item) noexcept
    bint k_is_data(PyObject *descriptor) noexcept
    int k_class_put(PyObject *cls, PyObject *name, PyObject *value) except -1
    PyObject *k_class_lookup(PyObject *cls, PyObject *name) noexcept

cdef extern from "Python.h":
    ctypedef struct PyThreadState:
        pass
    PyThreadState *PyThreadState_Get() noexcept
    object PyUnicode_DecodeUTF8(const char *data, Py_ssize_t size, const char *errors)
    object PyUnicode_New(Py_ssize_t size, Py_ssize_t maxchar)
    void *PyUnicode_DATA(object text) noexcept
    void PyUnicode_InternInPlace(PyObject **text) noexcept
    object _PyLong_FromByteArray(const unsigned char *data, size_t size, int little_endian, int is_signed)
    PyTypeObject PyUnicode_Type, PyLong_Type, PyTuple_Type
    int PyObject_GenericSetDict(object o, object value, void *context) except -1
    bint PyDict_CheckExact(object o)
    object PyFloat_FromDouble(double value)

include "tags.pxi"
include "reader_bytes.pxi"

cdef object object_new = object.__new__
cdef object class_of_type = type.__new__
cdef object Unordered = collections.OrderedDict.__setitem__
cdef object class_bases = type.__dict__["__bases__"]
cdef object class_mro = type.__dict__["__mro__"].__get__
cdef object class_contents = type.__dict__["__dict__"].__get__
cdef tuple FLOATING = (float, complex)
cdef set SIMPLE_KEYS = {str, int, float, bool, type(None), bytes}
cdef set DESCRIPTORS = {types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType}
cdef object new_weak = ReferenceType.__new__
cdef object cached_function = functools._lru_cache_wrapper


class Gone:
    """What a weak reference leads to that leads to nothing any more."""


#: What stands for an object that is being made.
cdef object BEGUN = object()
cdef enum:
    LAST_BY_LINES = 3       # version of the format that names functions of the library by their lines


include "reader_classes.pxi"


cdef class Reader(ByteReader):
    """Makes the objects of one guest again.

    Args:
        context, builtins: of the guest.
        root: the namespace of its program, which is filled.
        data: the bytes.
        load: function(text, file name) -> code.
        again: function(text, file name, mode, flags, level) -> code of an `exec`, `eval` or `compile`.
        shared: what the bytes only name; for forks.
        variables: the host's Context in which the guest runs.
    """
    cdef list objects               # by their numbers
    cdef bytearray states
    cdef list queue                 # numbers
    cdef Py_ssize_t promised        # items of tuples, which must come
    cdef int depth, shells
    cdef object context, load, again, root, variables
    cdef dict builtins
    cdef list shared
    cdef dict codes                 # number of the source -> its code by marks
    cdef dict library_codes
    cdef list library_made          # dictionaries with the ids of codes of the library
    cdef set plain                  # classes whose instances object.__new__ makes
    cdef list dicts, sets, classes, iterators, partials, tuples, bodies, running
    cdef readonly list generators   # those that run in a frame
    cdef bint entangled             # a tuple may be within itself
    cdef dict loaders        # name -> function of the host, or None
    cdef public list marks          # gets where values begin; for tests
    cdef public int version         # of the format

    def __cinit__(self, context, dict builtins not None, dict root not None, bytes data not None, load, again, list shared=None,
                  variables=None, dict loaders=None):
        self.begin(data)
        self.version = VERSION
        self.loaders = loaders
        self.variables = variables
        self.objects = [root]
        self.states = bytearray(b"\x02")
        self.queue = []
        self.context = context
        self.builtins = builtins
        self.root = root
        self.load = load
        self.again = again
        self.shared = shared
        self.codes = {}
        self.library_codes = {}
        self.library_made = []
        self.plain = set()
        self.dicts, self.sets, self.classes, self.iterators, self.partials, self.tuples, self.bodies = [], [], [], [], [], [], []
        self.running = []
        self.generators = []

    def read_names(self):
        """What comes first: plain data."""
        return self.value(NOW)

    def read(self):
        """Fills the namespace; returns what else was saved. ValueError and others: the bytes do not fit."""
        cdef Py_ssize_t at = 0
        cdef Py_ssize_t number
        self.names(self.root)
        head = self.value(NOW)
        while at < PyList_GET_SIZE(self.queue):
            number = self.queue[at]
            at += 1
            if self.states[number] == S_SHELL:
                self.body(number, NOW)
        if self.at != self.end:
            raise ValueError("there is more than was to be read")
        if self.entangled:
            self.look_at_tuples()
        self.finish()
        return head

    cdef inline Py_ssize_t add(self, o, int state) except -1:
        self.objects.append(o)
        self.states.append(state)
        return PyList_GET_SIZE(self.objects) - 1

    cdef int made(self, Py_ssize_t number, o, int state) except -1:
        self.objects[number] = o
        self.states[number] = state
        return 0

    # ---- values ------------------------------------------------------------------------------------------
    cdef object value(self, int how):
        cdef int tag = self.byte()
        cdef uint64_t n
        cdef Py_ssize_t number
        cdef PyObject *found
        if self.marks is not None:
            self.marks.append(self.at - 1)
        if tag & T_SMALL:
            return tag & 0x7F
        if tag == T_REF:
            n = self.varint()
            if n >= <uint64_t>PyList_GET_SIZE(self.objects):
                raise ValueError("a reference to nothing")
            found = PyList_GET_ITEM(self.objects, <Py_ssize_t>n)
            if found == <PyObject *>BEGUN:
                raise ValueError("objects that need each other to be made")
            if Py_TYPE(found) == &PyTuple_Type and self.states[<Py_ssize_t>n] != S_FULL:
                self.entangled = True
            return <object>found
        if tag == T_NAME or tag == T_STR:
            o = self.text(tag == T_NAME)
            self.add(o, S_FULL)
            return o
        if tag == T_INT:
            n = self.varint()
            return <int64_t>(n >> 1) ^ -<int64_t>(n & 1)
        if tag == T_NONE:
            return None
        if tag == T_TRUE:
            return True
        if tag == T_FALSE:
            return False
        if tag == T_FLOAT:
            return PyFloat_FromDouble(self.real())
        if tag == T_EMPTY:
            return ()
        if tag == T_LIST:
            number = self.add([], S_SHELL)
        elif tag == T_DICT:
            number = self.add({}, S_SHELL)
        elif tag == T_TUPLE:
            number = self.add(self.new_tuple(), S_SHELL)
        elif tag == T_SET:
            number = self.add(set(), S_SHELL)
        elif tag == T_OBJECT:
            number = self.add(BEGUN, S_BEGUN)
            self.made(number, self.instance(self.value(LATER)), S_SHELL)
        elif tag == T_NOW:
            n = self.varint()
            if n >= <uint64_t>PyList_GET_SIZE(self.objects) or self.states[<Py_ssize_t>n] != S_SHELL:
                raise ValueError("what follows belongs to nothing")
            self.body(<Py_ssize_t>n, WHOLE)
            return self.objects[<Py_ssize_t>n]
        else:
            self.shells += 1
            if self.shells > MOST_SHELLS + 10:
                raise ValueError("objects that need each other to be made lie too deep within each other")
            o = self.shell(tag)
            self.shells -= 1
            number = self.number_of_shell
            if number < 0:
                return o
        if how == LATER or (how == NOW and self.depth >= MOST_DEPTH):
            self.queue.append(number)
        else:
            self.body(number, how)
        return self.objects[number]

    cdef Py_ssize_t number_of_shell     # of the object whose shell was read last; -1 when it has no body

    cdef object new_tuple(self):
        cdef Py_ssize_t n = self.size(), i
        cdef object made
        self.promised += n
        if self.promised > self.end or n == 0:
            raise ValueError("a tuple that does not come")
        made = PyTuple_New(n)
        for i in range(n):
            Py_INCREF(None)
            PyTuple_SET_ITEM(made, i, None)
        self.tuples.append(made)
        return made

    cdef object of(self, cls, int how):
        """A value that must be of a type."""
        o = self.value(how)
        if not isinstance(o, cls):
            raise ValueError(f"a {type(o).__name__} where a {cls.__name__} belongs")
        return o

    cdef object a_text(self):
        o = self.value(NOW)
        if type(o) is not str:
            raise ValueError("a name that is none")
        return o

    # ---- shells ------------------------------------------------------------------------------------------
    cdef object shell(self, int tag):
        cdef Py_ssize_t number, n
        cdef object o
        self.number_of_shell = -1
        if tag == T_CELL:
            number = self.add(_core.empty_cell(), S_SHELL)
        elif tag == T_CLASS or tag == T_FUNCTION or tag == T_GENERATOR or tag == T_INSTANCE or tag == T_EXCEPTION \
                or tag == T_STATICMETHOD or tag == T_CLASSMETHOD or tag == T_RUNNING or tag == T_CACHED:
            number = self.add(BEGUN, S_BEGUN)
            if tag == T_CLASS:
                o = self.cls()
            elif tag == T_FUNCTION:
                o = self.function()
            elif tag == T_GENERATOR:
                function = self.of(Function, LATER)
                o = _core.make_generator_shell(function, self.of(Code, LATER))
            elif tag == T_INSTANCE:
                o = self.other_instance()
            elif tag == T_EXCEPTION:
                o = self.exception()
            elif tag == T_RUNNING:
                o = self.running_shell()
            elif tag == T_CACHED:
                function = self.value(LATER)
                maxsize, typed = self.value(NOW), self.truth()
                o = cached_function(function, maxsize, typed, vars(self.library_module("functools"))["_CacheInfo"])
            else:
                o = (staticmethod if tag == T_STATICMETHOD else classmethod)(self.value(LATER))
            self.made(number, o, S_SHELL)
        elif tag == T_DEQUE:
            n = <Py_ssize_t>self.of(int, NOW)
            number = self.add(collections.deque((), None if n < 0 else n), S_SHELL)
        elif tag == T_ORDERED:
            number = self.add(collections.OrderedDict(), S_SHELL)
        elif tag == T_DEFAULT:
            number = self.add(collections.defaultdict(), S_SHELL)
        elif tag == T_NAMESPACE:
            number = self.add(types.SimpleNamespace(), S_SHELL)
        elif tag == T_PARTIAL:
            number = self.add(functools.partial(len), S_SHELL)
        elif tag == T_SOURCE_MODULE:
            name = self.a_text()
            o = types.ModuleType(name)
            self.context.modules[name] = o
            number = self.add(o, S_SHELL)
            self.add(vars(o), S_FULL)
        else:
            o = self.whole(tag)
            self.number_of_shell = -1
            return o
        self.number_of_shell = number
        return None

    cdef object whole(self, int tag):
        """An object that has no body."""
        cdef Py_ssize_t number, size
        cdef object o
        if tag == T_BYTES or tag == T_BYTEARRAY:
            size = self.size()
            o = (<const char *>self.data + self.at)[:size]
            self.at += size
            if tag == T_BYTEARRAY:
                o = bytearray(o)
            self.add(o, S_FULL)
            return o
        if tag == T_BIG:
            size = self.size()
            o = _PyLong_FromByteArray(self.data + self.at, size, 1, 1)
            self.at += size
            return o
        if tag == T_COMPLEX:
            return complex(self.real(), self.real())
        if tag == T_ELLIPSIS:
            return ...
        if tag == T_NOT_IMPLEMENTED:
            return NotImplemented
        if tag == T_SHARED:
            if self.shared is None:
                raise ValueError("a reference to another process")
            return self.shared[<Py_ssize_t>self.varint()]
        if tag == T_BUILTINS:
            return self.builtins
        if tag == T_MODULE_NAMES:
            return vars(self.of(types.ModuleType, LATER))
        if tag == T_BUILTIN or tag == T_LIBRARY or tag == T_MODULE or tag == T_HOST_FUNCTION or tag == T_LOCK or tag == T_RLOCK \
                or tag == T_LIBRARY_CODE or tag == T_HOST or tag == T_HOST_COPY:
            number = self.add(BEGUN, S_BEGUN)
            if tag == T_BUILTIN:
                o = self.builtins[self.a_text()]
            elif tag == T_LIBRARY:
                o = vars(self.library_module(self.a_text()))[self.a_text()]
            elif tag == T_MODULE:
                o = self.module(self.a_text())
            elif tag == T_HOST_FUNCTION:
                o = self.host_function(self.a_text())
            elif tag == T_LIBRARY_CODE:
                o = self.library_code(self.a_text())
            elif tag == T_HOST:
                o = self.host_object()
            elif tag == T_HOST_COPY:
                rule, target = rule_of_proxy(self.value(NOW)) or self.wrong()
                o = convert_in(exposed_with(target, rule), "a copy", self.context)
            else:
                o = vars(self.library_module("_thread"))["RLock" if tag == T_RLOCK else "allocate_lock"]()
            self.made(number, o, S_FULL)
            return o
        if T_FROZENSET <= tag <= T_NATIVE:
            number = self.add(BEGUN, S_BEGUN)
            o = self.composed(tag)
            self.made(number, o, S_FULL)
            return o
        raise ValueError("a value of no kind")

    cdef object composed(self, int tag):
        cdef object o
        if tag == T_FROZENSET:
            return frozenset(self.keys())
        if tag == T_CODE:
            return self.code()
        if tag == T_MEMBER:
            cls = self.of(type, LATER)
            return natives.members(cls)[self.a_text()]
        if tag == T_METHOD:
            function = self.value(LATER)
            return types.MethodType(function, self.value(LATER))
        if tag == T_NATIVE_METHOD:
            owner = self.value(LATER)
            return natives.native_method(owner, self.a_text())
        if tag == T_DESCRIPTOR:
            cls = self.of(type, LATER)
            return natives.descriptor(cls, self.a_text())
        if tag == T_PROPERTY:
            fget, fset, fdel = self.value(LATER), self.value(LATER), self.value(LATER)
            return property(fget, fset, fdel, self.value(LATER))
        if tag == T_RANGE:
            first, last = self.of(int, NOW), self.of(int, NOW)
            return range(first, last, self.of(int, NOW))
        if tag == T_SLICE:
            first, last = self.value(NOW), self.value(NOW)
            return slice(first, last, self.value(NOW))
        if tag == T_ITERATOR:
            maker = self.a_text()
            args = [self.value(LATER) for _ in range(self.size())]
            state = self.value(NOW)
            o = natives.make_iterator(maker, args)
            if state is not None:
                self.iterators.append((o, maker, state))
            return o
        if tag == T_WEAK:
            return self.weak()
        if tag == T_NATIVE:
            kind = self.a_text()
            how = LATER if kind in natives.library_objects.OPEN_KINDS else WHOLE
            parts = [self.value(how) for _ in range(self.size())]
            return natives.put_together(kind, parts, self.library_module)
        raise ValueError("a value of no kind")

    cdef object weak(self):
        cls = self.value(LATER)
        target, callback = self.value(LATER), self.value(LATER)
        if cls is None:
            cls = ReferenceType
        elif not (isinstance(cls, type) and is_made(cls) and issubclass(cls, ReferenceType)):
            self.wrong()
        o = new_weak(cls, Gone() if target is None else target, callback_for(self.context, callback))
        self.state(o)
        return o

    cdef object running_shell(self):
        kind = self.varint()
        cls = None if kind else self.of(type, LATER)
        if not kind and not is_made(cls):
            self.wrong()
        return empty_shell(kind, cls, self.context, self.variables)

    cdef object wrong(self):
        raise ValueError("a value that does not fit its kind")

    cdef list keys(self):
        cdef list found = []
        for _ in range(self.size()):
            found.append(self.hashable(self.value(WHOLE)))
        return found

    cdef object hashable(self, key):
        if type(key) not in SIMPLE_KEYS:
            if not natives.hashes_natively(key):
                raise ValueError("a key that the program would have to hash")
        return key

    def library_module(self, name):
        """A library module as this guest has it, or as its library code does."""
        if not natives.is_library(name):
            raise ValueError(f"there is no library module {name!r}")
        found = natives.import_library(self.context, name)
        mine = self.context.modules.get(name)
        return found if mine is None else mine

    cdef object module(self, name):
        if not natives.is_library(name):
            raise ValueError(f"there is no library module {name!r}")
        self.builtins["__import__"](name)
        return self.context.modules[name]

    cdef object host_function(self, name):
        functions = self.context.functions or {}
        if name not in functions:
            raise SnapshotError(f"the snapshot uses the host function {name!r}: give it to the runtime (functions=...)")
        return functions[name]

    cdef object host_object(self):
        name, wrapped = self.a_text(), self.truth()
        size = self.size()
        made = natives.load_for_host(name, (<const char *>self.data + self.at)[:size], self.loaders)
        self.at += size
        return convert_in(made, name, self.context) if wrapped else made

    # ---- code --------------------------------------------------------------------------------------------
    cdef object code(self):
        cdef object source = self.of(tuple, NOW)
        found = self.codes.get(source)
        if found is None:
            if len(source) == 2:
                top = self.load(*source)
            else:
                top = self.again(*source)
            found = self.codes[source] = marked_codes(top)
        mark = self.varint(), self.varint()
        code = found.get(mark)
        if code is None:
            raise SnapshotError(f"a function of {source[1]}, line {mark[0]}, is not found in its source by this version of kimi_runtime "
                                "and Python: load the snapshot with the versions that saved it")
        return code

    cdef object library_code(self, name):
        found = self.library_codes.get(name)
        if found is None:
            known = natives.library_codes(name, self.library_module(name))
            found = self.library_codes[name] = known.codes if self.version > LAST_BY_LINES else known.by_lines()
            self.library_made.append(known.keys)
        mark = self.varint(), self.varint()
        code = found.get(mark)
        if code is None:
            raise SnapshotError(f"a function of the library module {name} that the snapshot uses is not there in this version of Python "
                                "and kimi_runtime, or takes other arguments: load the snapshot with the versions that saved it")
        return code

    cdef bint is_of_library(self, Code code):
        for made in self.library_made:
            if id(code) in made:
                return True
        return False

    cdef object function(self):
        cdef Code code = self.of(Code, LATER)
        cdef Py_ssize_t n
        cdef list cells = []
        if self.at < self.end and self.data[self.at] == T_LIBRARY_NAMES:
            self.at += 1
            name = self.a_text()
            self.library_module(name)
            if self.shared is None and not self.is_of_library(code):
                raise ValueError("code of a program among names of the library")
            names, builtins = natives.namespace_of_library(self.context, name, self.truth())
        else:
            names, builtins = self.of(dict, LATER), self.builtins
        n = self.size()
        for _ in range(n):
            cells.append(self.of(Cell, LATER))
        return _core.make_function_shell(code, names, builtins, tuple(cells) if n else None)

    cdef int function_body(self, Function o) except -1:
        cdef int parts = self.byte()
        defaults = self.value(NOW) if parts & P_DEFAULTS else None
        kwdefaults = self.value(NOW) if parts & P_KWDEFAULTS else None
        name = self.a_text() if parts & P_NAME else o.code.name
        qualname = self.a_text() if parts & P_QUALNAME else o.code.qualname
        module = self.value(NOW) if parts & P_MODULE else o.globals.get("__name__")
        doc = self.value(NOW) if parts & P_DOC else o.code.docstring
        annotations = self.value(NOW) if parts & P_ANNOTATIONS else None
        type_params = self.value(NOW) if parts & P_REST else None
        attrs = self.value(NOW) if parts & P_REST else None
        _core.fill_function(o, defaults, kwdefaults, name, qualname, module, doc, annotations, type_params, attrs)
        return 0

    cdef int generator_body(self, o) except -1:
        cdef uint64_t state = self.varint(), place, resume, form
        name, qualname = self.a_text(), self.a_text()
        if state == 3:
            _core.fill_generator(o, 3, 0, 0, (0, 0, 0, 0), [], False, None, name, qualname)
            return 0
        self.need(8)
        memcpy(&form, self.data + self.at, 8)
        self.at += 8
        code = _core.generator_code(o)
        if form != code_form(code):
            raise SnapshotError(f"{qualname} is half run and compiled differently by this version of kimi_runtime and Python: load the "
                                "snapshot with the versions that saved it")
        place, resume = self.varint(), self.varint()
        flags = (self.truth(), self.truth(), self.truth(), self.truth())
        delegates = self.truth()
        values = self.registers()
        handled = self.value(NOW)
        self.bodies.append((o, code, state, place, resume, flags, values, delegates, handled, name, qualname, self.value(LATER)))
        return 0

    cdef list registers(self):
        cdef list found = []
        for _ in range(self.size()):
            found.append(self.varint())
            found.append(self.value(NOW))
        return found

    # ---- classes and instances ---------------------------------------------------------------------------
    cdef object cls(self):
        cdef Py_ssize_t n
        meta = self.of(type, LATER)
        if not issubclass(meta, type):
            raise ValueError("a metaclass that is none")
        name, qualname = self.a_text(), self.a_text()
        contents = {"__module__": self.value(LATER), "__qualname__": qualname}
        bases = tuple([self.of(type, LATER) for _ in range(self.size())])
        n = self.size()
        if n:
            contents["__slots__"] = tuple([self.a_text() for _ in range(n - 1)])
        contents["__doc__"] = self.value(LATER)
        cls = quiet_class(meta, name, bases, contents)
        if type(cls) is not meta:
            raise ValueError("a class of another metaclass")
        mark_made(cls)
        adopt_class(cls, self.context.serial)
        if isinstance(cls, ABCMeta):
            natives.init_abstract(cls)
        return cls

    cdef object instance(self, cls):
        if cls in self.plain:
            return object_new(cls)
        if not isinstance(cls, type) or not is_made(cls):
            raise ValueError("an instance of no class of the program")
        self.plain.add(cls)
        return object_new(cls)

    cdef object other_instance(self):
        cdef Py_ssize_t n
        cls = self.of(type, LATER)
        if not is_made(cls):
            raise ValueError("an instance of no class of the program")
        base = natives.PAYLOADS[self.byte()]
        if base in (object, list, dict, set) or base is natives.PAYLOADS[natives.BASE_NUMBERS["tzinfo"]]:
            return base.__new__(cls)
        if base is frozenset:
            return frozenset.__new__(cls, self.keys())
        if base is tuple:
            n = self.size()
            self.promised += n
            if self.promised > self.end:
                raise ValueError("a tuple that does not come")
            o = tuple.__new__(cls, (None,) * n)
            self.tuples.append(o)
            return o
        payload = self.value(WHOLE)
        if base is natives.PAYLOADS[natives.BASE_NUMBERS["Random"]]:
            o = base.__new__(cls)
            base.setstate(o, payload)
            return o
        if base is bytearray:
            o = bytearray.__new__(cls)
            bytearray.__init__(o, payload if type(payload) is bytes else self.wrong())
            return o
        if type(payload) is not base:
            raise ValueError("an instance that holds something else")
        return base.__new__(cls, payload)

    cdef int instance_body(self, o, int how) except -1:
        cdef Py_ssize_t i
        cls = type(o)
        if issubclass(cls, list):
            for _ in range(self.size()):
                list.append(o, self.value(NOW))
        elif issubclass(cls, tuple):
            for i in range(PyTuple_GET_SIZE(o)):
                self.put_item(o, i, how)
        elif issubclass(cls, dict):
            self.dict_body(o)
        elif issubclass(cls, (set)):
            self.sets.append((o, [self.value(WHOLE) for _ in range(self.size())]))
        return self.state(o)

    cdef int state(self, o) except -1:
        cdef Py_ssize_t n
        cdef int kind
        for _ in range(self.size()):
            name = self.a_text()
            natives.set_slot(o, name, self.value(NOW))
        kind = self.byte()
        if kind == 0:
            return 0
        if kind == 2:
            given = self.value(NOW)
            if not PyDict_CheckExact(given):
                raise ValueError("attributes that are none")
            return PyObject_GenericSetDict(o, given, NULL)
        if kind != 1:
            raise ValueError("attributes of no kind")
        n = self.size()
        while n > 0:
            n -= 1
            name = self.value(WHOLE)
            value = self.value(NOW)
            if type(name) is str:
                k_put_attribute(<PyObject *>o, <PyObject *>name, <PyObject *>value)
            else:
                PyDict_SetItem(o.__dict__, self.hashable(name), value)
        return 0

    cdef object exception(self):
        cls = self.of(type, LATER)
        if not issubclass(cls, BaseException):
            raise ValueError("an exception that is none")
        return natives.make_exception(cls, self.of(tuple, NOW) if self.byte() else None)

    cdef int exception_body(self, o) except -1:
        cdef object get = BaseException.__dict__
        get["args"].__set__(o, self.of(tuple, NOW))
        while True:
            name = self.value(NOW)
            if name is None:
                break
            natives.set_member(o, name, self.value(NOW))
        for name in ("__cause__", "__context__"):
            value = self.value(NOW)
            if value is not None:
                get[name].__set__(o, value)
        get["__suppress_context__"].__set__(o, self.truth())
        return self.state(o)

    # ---- bodies ------------------------------------------------------------------------------------------
    cdef int body(self, Py_ssize_t number, int how) except -1:
        cdef object o = self.objects[number]
        cdef object cls = type(o)
        cdef Py_ssize_t i
        self.states[number] = S_FULL
        self.depth += 1
        if self.depth > MOST_DEPTH + 110:
            raise ValueError("objects too deep within each other")
        if cls is list:
            for _ in range(self.size()):
                (<list>o).append(self.value(NOW))
        elif cls is dict:
            self.dict_body(o)
        elif cls is tuple:
            for i in range(PyTuple_GET_SIZE(o)):
                self.put_item(o, i, how)
        elif cls is Function:
            self.function_body(o)
        elif cls is Cell:
            if self.byte():
                o.cell_contents = self.value(NOW)
        elif cls is set:
            self.sets.append((o, [self.value(WHOLE) for _ in range(self.size())]))
        elif _core.is_generator(o):
            self.generator_body(o)
        elif isinstance(o, type):
            self.classes.append((o, [(self.a_text(), self.value(NOW)) for _ in range(self.size())]))
        elif isinstance(o, BaseException):
            self.exception_body(o)
        elif cls is types.ModuleType or cls is staticmethod or cls is classmethod or cls is types.SimpleNamespace \
                or cls is cached_function:
            self.names(vars(o))
        elif cls is collections.deque:
            for _ in range(self.size()):
                o.append(self.value(NOW))
        elif cls is collections.OrderedDict:
            self.dicts.append((o, [(self.value(WHOLE), self.value(NOW)) for _ in range(self.size())]))
        elif cls is collections.defaultdict:
            factory = self.value(NOW)
            self.partials.append((o, factory))
            self.dict_body(o)
        elif cls is functools.partial:
            self.partials.append((o, (self.value(NOW), self.of(tuple, NOW), self.of(dict, NOW), None)))
        elif cls in self.plain or saved_number(cls) is None:
            self.instance_body(o, how)
        else:
            self.running.append((o, [self.value(NOW) for _ in range(self.size())]))
            self.state(o)
        self.depth -= 1
        return 0

    cdef int put_item(self, o, Py_ssize_t i, int how) except -1:
        item = self.value(how)
        k_tuple_put(<PyObject *>o, i, <PyObject *>item)
        return 0

    cdef int names(self, dict o) except -1:
        cdef Py_ssize_t n = self.size()
        while n > 0:
            n -= 1
            key = self.value(WHOLE)
            if type(key) is not str:
                key = self.hashable(key)
            PyDict_SetItem(o, key, self.value(NOW))
        return 0

    cdef int dict_body(self, o) except -1:
        """Items with keys whose hash may depend on what is still to come are put in at the end."""
        cdef Py_ssize_t n = self.size()
        cdef list later = None
        while n > 0:
            n -= 1
            key = self.value(WHOLE)
            value = self.value(NOW)
            if later is None and type(key) in SIMPLE_KEYS:
                PyDict_SetItem(o, key, value)
            else:
                if later is None:
                    later = []
                    self.dicts.append((o, later))
                later.append((key, value))
        return 0

    # ---- the end -----------------------------------------------------------------------------------------
    cdef int look_at_tuples(self) except -1:
        """A tuple that is within itself by nothing but tuples would be hashed for ever: ValueError."""
        cdef dict colors = {}
        for top in self.tuples:
            if id(top) in colors:
                continue
            pending = [(top, 0)]
            colors[id(top)] = 1
            while pending:
                o, i = pending.pop()
                n = tuple.__len__(o)
                while i < n:
                    each = tuple.__getitem__(o, i)
                    i += 1
                    if isinstance(each, tuple):
                        color = colors.get(id(each))
                        if color == 1:
                            raise ValueError("a tuple within itself")
                        if color is None:
                            colors[id(each)] = 1
                            pending.append((o, i))
                            pending.append((each, 0))
                            break
                else:
                    colors[id(o)] = 2
        return 0

    cdef int finish(self) except -1:
        """What has to wait for all objects."""
        for cls, items in self.classes:
            self.fill_class(cls, items)
        for o, given in self.partials:
            if type(o) is collections.defaultdict:
                o.default_factory = given if given is None or callable(given) else self.wrong()
            else:
                o.__setstate__(given)
        for last in (False, True):          # what brings back old values comes after the values
            for o, parts in self.running:
                if (type(o) is Token) == last:
                    fill_shell(o, parts, self.context)
        for o, items in self.dicts:
            if type(o) is collections.OrderedDict:
                for key, value in items:
                    Unordered(o, self.hashable(key), value)
            else:
                for key, value in items:
                    PyDict_SetItem(o, self.hashable(key), value)
        for o, items in self.sets:
            for key in items:
                set.add(o, self.hashable(key))
        for o, maker, state in self.iterators:
            natives.set_place(o, maker, state)
        # Whether something is an iterator can be seen when its class is filled.
        for o, code, state, place, resume, flags, values, delegates, handled, name, qualname, extra in self.bodies:
            check_generator(code, state, place, resume, values, delegates)
            _core.fill_generator(o, state, place, resume, flags, values, delegates, handled, name, qualname, extra)
            if state == 2:
                self.generators.append(o)
        return 0

    cdef int fill_class(self, cls, list items) except -1:
        cdef PyObject *found
        cdef bint slots = False
        meta = type(cls)
        for name, value in items:
            if name == "__abstractmethods__":
                cls.__abstractmethods__ = value
                continue
            found = k_class_lookup(<PyObject *>meta, <PyObject *>name) if meta is not type else NULL
            if found != NULL and k_is_data(found):
                k_class_put(<PyObject *>cls, <PyObject *>name, <PyObject *>value)
                slots = slots or name.startswith("__")
            else:
                type.__setattr__(cls, name, value)
        if slots:
            class_bases.__set__(cls, class_bases.__get__(cls))      # which looks at all names that stand for slots
        return 0
