# cython: binding=False
"""From the objects of a guest to bytes: see ``tags.pxi`` for their order.

What lies within each other is written by recursion up to a depth, and waits in a queue beyond it. A value that cannot be saved is
met without a note of the way to it, which would cost as much as the writing; the writer then goes the same way again with notes.
"""
from cpython.dict cimport PyDict_Next
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kimi_runtime.bytecode.code cimport Code
from kimi_runtime.objects.function cimport Cell, Function
from kimi_runtime.vm.values cimport PyTypeObject, Py_None, Py_True, Py_TYPE

import collections
import functools
import types
from weakref import ReferenceType

from .. import _core
from ..aio.core import ContextVar, parts_to_save, saved_number
from ..bridge.exposed import rule_of_proxy
from ..bridge.functions import HostFunction, callable_behind
from ..bridge.gate import is_made
from ..bridge.late_calls import callback_within
from ..syntax.source import Evaluated
from . import natives
from .codes import code_form, code_mark
from .natives import Unsaved

cdef enum:
    BEFORE_TABLE = 8                # objects that are looked for among the builtins one by one

include "tags.pxi"
include "writer_tables.pxi"
include "writer_stream.pxi"
include "writer_parts.pxi"


cdef class Writer(PartsWriter):
    """Writes the objects of one guest.

    Args:
        context, builtins: of the guest.
        root: the namespace of its program: the first object.
        shared: a list that gets what cannot change, for a fork in the same process; or None.
        savers: functions of the host, by the classes of its objects that they save; or None.
        tracing: notes the way to each object.
    """
    cdef list queue                 # objects and their numbers by turns
    cdef dict kinds                 # class -> kind; or (kind of payload, descriptors of slots)
    cdef dict sources               # (text, name) -> what is written for it
    cdef dict builtins              # id -> name
    cdef int asked                  # how often, before there was that table
    cdef dict builtins_dict
    cdef object root
    cdef dict library, own_library  # see natives.library_names; made when needed
    cdef dict module_names          # id of the namespace of a module of the guest's -> module
    cdef dict shared_places
    cdef int depth, shells
    cdef bint tracing
    cdef list path
    cdef dict paths

    def __cinit__(self, context, builtins, root, list shared=None, dict savers=None, bint tracing=False):
        self.savers = savers
        self.queue = []
        self.kept = []
        self.kinds = {}
        self.classes = {}
        self.sources = {}
        self.context = context
        self.with_decimal = natives.uses_decimal(context)
        self.builtins_dict = builtins
        self.builtins = None
        self.root = root
        self.shared = shared
        self.shared_places = {}
        self.tracing = tracing
        self.path = []
        self.paths = {}
        self.module_names = None
        for name, module in context.modules.items():
            if type(module) is types.ModuleType and name != "__main__" and not natives.is_library(name):
                if self.module_names is None:
                    self.module_names = {}
                self.module_names[id(vars(module))] = module
        self.add(<PyObject *>root, S_SHELL)

    def write(self, names, head):
        """Writes plain data that is to be read first, the namespace, and what else there is to save. Returns the bytes; raises Unsaved."""
        self.value(<PyObject *>names, NOW)
        self.states[0] = S_FULL
        self.names(self.root, ("__builtins__",))
        self.value(<PyObject *>head, NOW)
        cdef Py_ssize_t at = 0
        cdef PyObject *o
        while at < PyList_GET_SIZE(self.queue):
            o = PyList_GET_ITEM(self.queue, at)
            number = <object>PyList_GET_ITEM(self.queue, at + 1)
            at += 2
            if self.states[<Py_ssize_t>number] == S_SHELL:
                if self.tracing:
                    self.path[:] = self.paths.get(number, ())
                self.body(o, number, NOW)
        return self.data[:self.used]

    def where(self):
        """The way to the object at which writing stopped, as a program would write it."""
        return "".join(self.path).lstrip(".") or "the program"

    # ---- values ------------------------------------------------------------------------------------------
    cdef int value(self, PyObject *o, int how) except -1:
        cdef PyTypeObject *t = Py_TYPE(o)
        cdef Py_ssize_t number
        cdef double real
        if t == &PyUnicode_Type:
            return self.text(o)
        if t == &PyLong_Type:
            return self.integer(<object>o)
        if o == Py_None:
            return self.tag(T_NONE)
        if t == &PyBool_Type:
            return self.tag(T_TRUE if o == Py_True else T_FALSE)
        if t == &PyFloat_Type:
            self.tag(T_FLOAT)
            real = PyFloat_AS_DOUBLE(o)
            return self.raw(&real, 8)
        if t == &PyTuple_Type and PyTuple_GET_SIZE(<object>o) == 0:
            return self.tag(T_EMPTY)
        number = self.find(o)
        if number < 0:
            return self.fresh(o, t, how)
        if self.states[number] == S_BEGUN:
            raise Unsaved("it is needed to make itself")
        if how == WHOLE and self.states[number] == S_SHELL and self.is_hashed_by_contents(<object>o):
            self.tag(T_NOW)
            self.varint(number)
            return self.body(o, number, WHOLE)
        self.tag(T_REF)
        return self.varint(number)

    cdef int text(self, PyObject *o) except -1:
        cdef Py_ssize_t number = self.find(o), size = 0
        cdef const char *data
        if number >= 0:
            self.tag(T_REF)
            return self.varint(number)
        if self.shared is not None and not k_interned(o):
            return self.share(<object>o)
        self.add(o, S_FULL)
        self.tag(T_NAME if k_interned(o) else T_STR)
        if PyUnicode_IS_ASCII(o):
            data = PyUnicode_AsUTF8AndSize(<object>o, &size)
            self.varint(size)
            return self.raw(data, size)
        encoded = (<str>o).encode("utf-8", "surrogatepass")
        size = len(encoded)
        self.varint(size)
        return self.raw(<const char *><bytes>encoded, size)

    cdef int name(self, text) except -1:
        """A text that may be gone afterwards."""
        self.kept.append(text)
        return self.text(<PyObject *>text)

    cdef int share(self, o) except -1:
        """For a fork: the object itself."""
        self.tag(T_SHARED)
        place = self.shared_places.get(id(o))
        if place is None:
            place = self.shared_places[id(o)] = len(self.shared)
            self.shared.append(o)
        return self.varint(place)

    cdef int fresh(self, PyObject *raw, PyTypeObject *t, int how) except -1:
        """An object that comes for the first time."""
        cdef object o = <object>raw
        cdef int kind = self.kind_of(o, <object><PyObject *>t)
        cdef Py_ssize_t number
        if kind == K_LIST or kind == K_DICT or kind == K_SET:
            if kind == K_DICT and o is self.builtins_dict:
                return self.tag(T_BUILTINS)
            if kind == K_DICT and self.module_names is not None and id(o) in self.module_names:
                module = self.module_names[id(o)]
                self.tag(T_MODULE_NAMES)
                return self.value(<PyObject *>module, LATER)
            number = self.add(raw, S_SHELL)
            self.tag(T_LIST if kind == K_LIST else T_DICT if kind == K_DICT else T_SET)
        elif kind == K_TUPLE:
            number = self.add(raw, S_SHELL)
            self.tag(T_TUPLE)
            self.varint(PyTuple_GET_SIZE(o))
        elif kind == K_OBJECT:
            number = self.begin(raw)
            self.tag(T_OBJECT)
            self.value(<PyObject *>t, LATER)
            self.states[number] = S_SHELL
        else:
            self.shells += 1
            if self.shells > MOST_SHELLS:
                raise Unsaved("objects that need each other to be made lie too deep within each other")
            number = self.shell(o, kind, how)
            self.shells -= 1
            if number < 0:
                return 0
        if how == LATER or (how == NOW and self.depth >= MOST_DEPTH):
            self.queue.append(o)
            self.queue.append(number)
            if self.tracing:
                self.paths[number] = list(self.path)
            return 0
        if self.depth > MOST_DEPTH + 100:
            raise Unsaved("what is hashed lies too deep within each other")
        return self.body(raw, number, how)

    cdef Py_ssize_t begin(self, PyObject *o) except -1:
        """A number for an object whose shell is being written."""
        return self.add(o, S_BEGUN)

    cdef bint is_hashed_by_contents(self, o) except -1:
        cdef object cls = type(o)
        return cls is tuple or cls is frozenset or (self.kind_of(o, cls) in (K_OBJECT, K_INSTANCE) and cls.__hash__ is not object.__hash__)

    cdef int kind_of(self, o, cls) except -1:
        kind = self.kinds.get(cls)
        if kind is None:
            kind = self.kinds[cls] = self.classify(o, cls)
        return kind

    cdef int classify(self, o, cls) except -1:
        kind = KINDS.get(cls)
        if kind is not None:
            return kind
        if _core.is_generator(o):
            return K_GENERATOR
        if issubclass(cls, type):
            return K_CLASS
        if issubclass(cls, BaseException):
            return K_EXCEPTION
        if issubclass(cls, ReferenceType):
            return K_WEAK
        if saved_number(cls) is not None:
            self.classes[cls] = "", natives.slot_descriptors(cls) if is_made(cls) else ()
            return K_RUNNING
        if not is_made(cls) or rule_of_proxy(cls) is not None:
            return K_OTHER
        base, names = natives.base_of(cls)
        if base is None:
            return K_OTHER
        self.classes[cls] = base, names
        # Objects of library modules, and members of their enumerations, go by their names.
        if cls.__module__ != "__main__" and natives.is_library(cls.__module__):
            return K_INSTANCE
        return K_OBJECT if base == "object" else K_INSTANCE

    # ---- shells ------------------------------------------------------------------------------------------
    cdef Py_ssize_t shell(self, o, int kind, int how) except? -2:
        """The number of an object whose body has to follow; -1 when there is none."""
        cdef PyObject *raw = <PyObject *>o
        cdef Py_ssize_t number
        if kind == K_BYTES:
            if self.shared is not None:
                self.share(o)
                return -1
            self.add(raw, S_FULL)
            self.tag(T_BYTES)
            self.varint(len(o))
            self.raw(<const char *><bytes>o, len(o))
            return -1
        if kind == K_CODE:
            return self.code(o)
        if kind == K_FUNCTION:
            return self.function(o)
        if kind == K_CELL:
            number = self.add(raw, S_SHELL)
            self.tag(T_CELL)
            return number
        if kind == K_FROZENSET:
            number = self.begin(raw)
            self.tag(T_FROZENSET)
            self.keys_of(tuple(o))
            self.states[number] = S_FULL
            return -1
        if kind == K_BYTEARRAY:
            self.add(raw, S_FULL)
            self.tag(T_BYTEARRAY)
            data = bytes(o)
            self.varint(len(data))
            self.raw(<const char *><bytes>data, len(data))
            return -1
        if kind == K_COMPLEX:
            self.tag(T_COMPLEX)
            self.real(o.real)
            self.real(o.imag)
            return -1
        if kind == K_ELLIPSIS or kind == K_NOT_IMPLEMENTED or kind == K_TRACEBACK:
            # What a program prints of a traceback later begins where it was saved.
            self.tag(T_ELLIPSIS if kind == K_ELLIPSIS else T_NOT_IMPLEMENTED if kind == K_NOT_IMPLEMENTED else T_NONE)
            return -1
        if kind == K_RANGE or kind == K_SLICE:
            number = self.begin(raw)
            self.tag(T_RANGE if kind == K_RANGE else T_SLICE)
            for each in (o.start, o.stop, o.step):
                self.part(each, NOW, ".<part>")
            self.states[number] = S_FULL
            return -1
        if kind == K_CLASS:
            return self.cls(o)
        if kind == K_INSTANCE:
            return self.instance(o)
        if kind == K_EXCEPTION:
            return self.exception(o)
        if kind == K_GENERATOR:
            return self.generator(o)
        if kind == K_MODULE:
            return self.module(o)
        if kind == K_RUNNING:
            return self.running(o)
        if kind == K_WEAK:
            self.weak(o)
            return -1
        if kind == K_HOST_FUNCTION:
            self.host_function(o)
            return -1
        if kind == K_METHOD or kind == K_PROPERTY or kind == K_BUILTIN or kind == K_DESCRIPTOR:
            self.bound(o, kind)
            return -1
        if kind == K_STATICMETHOD or kind == K_CLASSMETHOD:
            number = self.begin(raw)
            self.tag(T_STATICMETHOD if kind == K_STATICMETHOD else T_CLASSMETHOD)
            self.part(o.__func__, LATER, ".__func__")
            self.states[number] = S_SHELL
            return number
        if kind == K_NAMESPACE:
            number = self.add(raw, S_SHELL)
            self.tag(T_NAMESPACE)
            return number
        if kind == K_CACHED:
            return self.cached(o)
        if kind == K_DEQUE or kind == K_ORDERED or kind == K_DEFAULT or kind == K_PARTIAL:
            number = self.add(raw, S_SHELL)
            self.tag(T_DEQUE if kind == K_DEQUE else T_ORDERED if kind == K_ORDERED else T_DEFAULT if kind == K_DEFAULT else T_PARTIAL)
            if kind == K_DEQUE:
                self.integer(-1 if o.maxlen is None else o.maxlen)
            return number
        self.other(o, type(o))
        return -1

    cdef int part(self, o, int how, label) except -1:
        """A part of an object; label says for the way how a program would get it."""
        if self.tracing:
            self.path.append(label)
            self.value(<PyObject *>o, how)
            self.path.pop()
            return 0
        return self.value(<PyObject *>o, how)

    cdef object builtin_name(self, PyObject *o):
        """The name of one of the guest's builtins, of several the last; None for other objects. A small program asks about an object
        or two, for which making a table would be most of the work."""
        cdef PyObject *key = NULL
        cdef PyObject *value = NULL
        cdef PyObject *found = NULL
        cdef Py_ssize_t place = 0
        if self.builtins is None and self.asked < BEFORE_TABLE:
            self.asked += 1
            while PyDict_Next(self.builtins_dict, &place, &key, &value):
                if value == o:
                    found = key
            return None if found == NULL else <object>found
        if self.builtins is None:
            self.builtins = {id(each): name for name, each in self.builtins_dict.items()}
        return self.builtins.get(<size_t>o)

    cdef int known(self, o) except -1:
        """Writes what every guest has: builtins, and names of library modules. Whether it was that."""
        name = self.builtin_name(<PyObject *>o)
        if name is not None:
            self.add(<PyObject *>o, S_FULL)
            self.tag(T_BUILTIN)
            self.text(<PyObject *>name)
            return 1
        if self.library is None:
            self.library, self.own_library = natives.library_names(self.context)
        found = self.library.get(id(o)) or self.own_library.get(id(o))
        if found is None:
            return 0
        self.add(<PyObject *>o, S_FULL)
        self.tag(T_LIBRARY)
        self.text(<PyObject *>found[0])
        self.text(<PyObject *>found[1])
        return 1

    cdef int keys_of(self, tuple items) except -1:
        self.varint(len(items))
        for each in items:
            self.key(each)
        return 0

    cdef int key(self, key) except -1:
        cdef object cls = type(key)
        if cls is str:
            return self.text(<PyObject *>key)
        if cls is not int and not natives.hashes_natively(key):
            raise Unsaved(f"a key of it, a {class_qualname(cls)}, has a __hash__ or __eq__ of the program's, which would "
                          "have to run when it is loaded")
        return self.part(key, WHOLE, ".<key>")

    cdef int bound(self, o, int kind) except -1:
        cdef Py_ssize_t number
        if kind == K_METHOD and rule_of_proxy(o.__self__) is not None:
            return self.other(o, type(o))
        if kind == K_METHOD:
            number = self.begin(<PyObject *>o)
            self.tag(T_METHOD)
            self.part(o.__func__, LATER, ".__func__")
            self.part(o.__self__, LATER, ".__self__")
        elif kind == K_PROPERTY:
            number = self.begin(<PyObject *>o)
            self.tag(T_PROPERTY)
            for each, label in ((o.fget, ".fget"), (o.fset, ".fset"), (o.fdel, ".fdel"), (o.__doc__, ".__doc__")):
                self.part(each, LATER, label)
        elif kind == K_DESCRIPTOR:
            if self.known(o):
                return 0
            number = self.begin(<PyObject *>o)
            self.tag(T_DESCRIPTOR)
            self.part(o.__objclass__, LATER, ".__objclass__")
            self.name(o.__name__)
        else:
            if self.known(o):
                return 0
            owner = o.__self__
            if owner is None or isinstance(owner, types.ModuleType):
                raise Unsaved(f"it is the native function {o.__name__}")
            number = self.begin(<PyObject *>o)
            self.tag(T_NATIVE_METHOD)
            self.part(owner, LATER, ".__self__")
            self.name(o.__name__)
        self.states[number] = S_FULL
        return 0

    cdef int host_function(self, o) except -1:
        functions = self.context.functions or {}
        for name, function in functions.items():
            if function is o:
                self.add(<PyObject *>o, S_FULL)
                self.tag(T_HOST_FUNCTION)
                return self.text(<PyObject *>name)
        if not self.known(o) and not self.host_object(o):
            raise Unsaved(f"it is the host function {o.__name__}, which is not among the runtime's functions")
        return 0

    cdef Py_ssize_t module(self, o) except? -2:
        cdef Py_ssize_t number
        for name, module in self.context.modules.items():
            if module is o:
                if natives.is_library(name):
                    self.add(<PyObject *>o, S_FULL)
                    self.tag(T_MODULE)
                    self.text(<PyObject *>name)
                    return -1
                if self.module_names is None or id(vars(o)) not in self.module_names:
                    break
                number = self.add(<PyObject *>o, S_SHELL)
                contents = vars(o)
                self.add(<PyObject *>contents, S_FULL)
                self.tag(T_SOURCE_MODULE)
                self.text(<PyObject *>name)
                return number
        if not self.known(o):
            raise Unsaved("it is a module of the host")
        return -1

    # ---- code --------------------------------------------------------------------------------------------
    cdef Py_ssize_t code(self, Code o) except? -2:
        if self.shared is not None:
            self.share(o)
            return -1
        cdef PyObject *raw = <PyObject *>o
        cdef object source = o.source
        found = natives.library_code(self.context, o.filename, o)
        if found is not None:
            module, (mark, ordinal) = found
            self.add(raw, S_FULL)
            self.tag(T_LIBRARY_CODE)
            self.text(<PyObject *>module)
            self.varint(mark)
            self.varint(ordinal)
        else:
            if type(source) is not Evaluated:
                source = natives.source_of(self.context, o.filename, source)
                if source is None:
                    raise Unsaved("it is code that was compiled from a syntax tree")
            number = self.begin(raw)
            self.tag(T_CODE)
            key = (id(source), o.filename)
            entry = self.sources.get(key)
            if entry is None:
                if type(source) is Evaluated:
                    entry = (source.text, o.filename, source.mode, source.flags, source.level)
                else:
                    entry = (source, o.filename)
                self.sources[key] = entry
                self.kept.append(source)
            self.value(<PyObject *>entry, NOW)
            self.states[<Py_ssize_t>number] = S_FULL
            line, mark = code_mark(o)
            self.varint(line)
            self.varint(mark)
        return -1

    cdef Py_ssize_t function(self, Function o) except? -2:
        cdef PyObject *raw = <PyObject *>o
        cdef Py_ssize_t number
        cdef object each
        if o.globals is not self.root and self.known(o):
            return -1
        number = self.begin(raw)
        self.tag(T_FUNCTION)
        self.part(o.code, LATER, ".__code__")
        module = None if o.globals is self.root else natives.library_namespace(self.context, o.globals)
        if module is not None:
            self.tag(T_LIBRARY_NAMES)
            self.text(<PyObject *>module[0])
            self.tag(T_TRUE if module[1] else T_FALSE)
        else:
            self.part(o.globals, LATER, ".__globals__")
        if o.closure is None:
            self.varint(0)
        else:
            self.varint(len(o.closure))
            for i, each in enumerate(o.closure):
                self.part(each, LATER, f".<{o.code.free_names[i]}>" if i < len(o.code.free_names) else ".__closure__")
        self.states[number] = S_SHELL
        return number

    cdef int function_body(self, Function o) except -1:
        cdef int parts = parts_of_function(o)
        cdef object attrs = None if o.attrs == NULL else <object>o.attrs
        self.tag(parts)
        if parts & P_DEFAULTS:
            self.part(o.defaults, NOW, ".__defaults__")
        if parts & P_KWDEFAULTS:
            self.part(o.kwdefaults, NOW, ".__kwdefaults__")
        if parts & P_NAME:
            self.part(o.name, NOW, ".__name__")
        if parts & P_QUALNAME:
            self.part(o.qualname, NOW, ".__qualname__")
        if parts & P_MODULE:
            self.part(o.module, NOW, ".__module__")
        if parts & P_DOC:
            self.part(o.doc, NOW, ".__doc__")
        if parts & P_ANNOTATIONS:
            self.part(o.annotations, NOW, ".__annotations__")
        if parts & P_REST:
            self.part(o.type_params, NOW, ".__type_params__")
            self.part(attrs, NOW, ".__dict__")
        return 0

    cdef Py_ssize_t generator(self, o) except? -2:
        cdef Py_ssize_t number = self.begin(<PyObject *>o)
        parts = _core.generator_parts(o)
        self.tag(T_GENERATOR)
        self.part(parts[0], LATER, ".<function>")
        self.part(parts[1], LATER, ".gi_code")
        self.states[number] = S_SHELL
        return number

    cdef int generator_body(self, o) except -1:
        cdef uint64_t form
        _, code, state, place, resume, flags, values, delegates, handled, name, qualname, extra = _core.generator_parts(o)
        self.varint(state)
        self.value(<PyObject *>name, NOW)
        self.value(<PyObject *>qualname, NOW)
        if state == 3:
            return 0
        form = code_form(code)
        self.raw(&form, 8)
        self.varint(place)
        self.varint(resume)
        for each in flags:
            self.tag(T_TRUE if each else T_FALSE)
        self.tag(T_TRUE if delegates else T_FALSE)
        self.registers(values, code.co_varnames)
        self.part(handled, NOW, ".<handled>")
        return self.part(extra, LATER, ".<hook>")

    cdef int registers(self, list values, names) except -1:
        """Tags and contents by turns."""
        cdef Py_ssize_t i
        self.varint(len(values) // 2)
        for i in range(0, len(values), 2):
            self.varint(values[i])
            self.part(values[i + 1], NOW, f".<{names[i // 2]}>" if i // 2 < len(names) else ".<value>")
        return 0

    # ---- classes and instances ---------------------------------------------------------------------------
    cdef Py_ssize_t cls(self, o) except? -2:
        cdef Py_ssize_t number
        if not is_made(o) or class_contents(o).get("__module__") != "__main__":
            if self.known(o):
                return -1
        host = rule_of_proxy(o) is not None
        if host and self.shared is not None:
            self.share(o)
            return -1
        if host or not is_made(o):
            raise Unsaved(f"{class_qualname(o)} is a class of the host")
        contents = class_contents(o)
        number = self.begin(<PyObject *>o)
        self.tag(T_CLASS)
        self.part(type(o), LATER, ".__class__")
        self.name(class_name(o))
        self.name(class_qualname(o))
        self.part(contents.get("__module__"), LATER, ".__module__")
        bases = class_bases(o)
        self.varint(len(bases))
        for i, each in enumerate(bases):
            self.part(each, LATER, f".__bases__[{i}]")
        if "__slots__" in contents:         # which may be an iterator that is used up
            slots = natives.slots_of(o, contents)
            self.varint(len(slots) + 1)
            for each in slots:
                self.name(each)
        else:
            self.varint(0)
        self.part(contents.get("__doc__"), LATER, ".__doc__")
        self.states[number] = S_SHELL
        return number

    cdef int class_body(self, o) except -1:
        contents = class_contents(o)
        skip = MADE_BY_TYPE | natives.made_members(o, contents)
        items = [item for item in contents.items() if item[0] not in skip]
        self.varint(len(items))
        for name, value in items:
            self.value(<PyObject *>name, NOW)
            self.part(value, NOW, f".{name}")
        return 0

    cdef Py_ssize_t instance(self, o) except? -2:
        cdef object cls = type(o)
        cdef Py_ssize_t number
        if cls.__module__ != "__main__" and natives.is_library(cls.__module__):
            if self.known(o):
                return -1
            if natives.is_member(cls, o):
                number = self.begin(<PyObject *>o)
                self.tag(T_MEMBER)
                self.part(cls, LATER, ".__class__")
                self.name(o._name_)
                self.states[number] = S_FULL
                return -1
        base = self.classes[cls][0]
        number = self.begin(<PyObject *>o)
        if base == "object":
            self.tag(T_OBJECT)
            self.part(cls, LATER, ".__class__")
        else:
            self.tag(T_INSTANCE)
            self.part(cls, LATER, ".__class__")
            self.tag(natives.BASE_NUMBERS[base])
            if base == "tuple":
                self.varint(tuple.__len__(o))
            elif base == "frozenset":
                self.keys_of(tuple(frozenset.__iter__(o)))
            elif base not in ("list", "dict", "set", "tzinfo"):
                payload = natives.payload_of(o, base)
                self.kept.append(payload)
                self.value(<PyObject *>payload, NOW)
        self.states[number] = S_SHELL
        return number

    cdef int instance_body(self, PyObject *raw, o) except -1:
        base, slots = self.classes[type(o)]
        if base == "list":
            self.items(list.__iter__(o), list.__len__(o))
        elif base == "tuple":
            for i, each in enumerate(tuple.__iter__(o)):
                self.part(each, NOW, f"[{i}]")
        elif base == "dict":
            self.dict_items(o)
        elif base == "set":
            self.keys_of(tuple(set.__iter__(o)))
        return self.state(raw, slots)

    cdef int items(self, items, Py_ssize_t n) except -1:
        self.varint(n)
        for i, each in enumerate(items):
            self.part(each, NOW, f"[{i}]")
        return 0

    cdef int state(self, PyObject *o, slots) except -1:
        """The attributes of an instance, and the values of its slots."""
        cdef PyTypeObject *t = Py_TYPE(o)
        cdef PyObject **values = NULL
        cdef PyObject *names
        cdef KDictEntry *entries
        cdef int i, at
        cdef Py_ssize_t count
        if slots:
            found = []
            for name, member in slots:
                try:
                    found.append((name, member.__get__(<object>o)))
                except AttributeError:
                    continue
            self.varint(len(found))
            for name, value in found:
                self.value(<PyObject *>name, NOW)
                self.part(value, NOW, f".{name}")
        else:
            self.tag(0)
        if k_type_has_values(t):
            values = k_values(o)
            if values != NULL and not values_work:
                values = NULL
                (<object>o).__dict__
        if values != NULL:
            entries = k_entries(k_type_keys(t))
            count = 0
            while k_value_at(values, <int>count) >= 0:
                count += 1
            self.tag(1)
            self.varint(count)
            for i in range(<int>count):
                at = k_value_at(values, i)
                self.text(entries[at].key)
                if self.tracing:
                    self.part(<object>values[at], NOW, f".{<object>entries[at].key}")
                else:
                    self.value(values[at], NOW)
            return 0
        names = k_instance_dict(o)
        if names == NULL:
            return self.tag(0)
        if Py_REFCNT(names) > 1 or Py_TYPE(names) != &PyDict_Type or self.find(names) >= 0:
            # Somebody else has the dict as well.
            self.tag(2)
            return self.part(<object>names, NOW, "")
        self.tag(1)
        return self.names(<object>names, ())

    cdef int names(self, o, skip) except -1:
        """The items of a dict of names."""
        cdef Py_ssize_t at = 0, count = len(o)
        cdef PyObject *key
        cdef PyObject *value
        for each in skip:
            if each in o:
                count -= 1
        self.varint(count)
        while PyDict_Next(o, &at, &key, &value):
            if skip and <object>key in skip:
                continue
            self.key(<object>key)
            if self.tracing:
                self.part(<object>value, NOW, f".{<object>key}")
            else:
                self.value(value, NOW)
        return 0

    cdef int dict_items(self, o) except -1:
        cdef Py_ssize_t at = 0
        cdef PyObject *key
        cdef PyObject *value
        self.varint(dict.__len__(o))
        while PyDict_Next(o, &at, &key, &value):
            self.key(<object>key)
            if self.tracing:
                label = f"[{<object>key!r}]" if type(<object>key) in (str, int) else "[...]"
                self.part(<object>value, NOW, label)
            else:
                self.value(value, NOW)
        return 0

    cdef Py_ssize_t exception(self, o) except? -2:
        cdef Py_ssize_t number = self.begin(<PyObject *>o)
        self.tag(T_EXCEPTION)
        self.part(type(o), LATER, ".__class__")
        if natives.needs_arguments(type(o)):
            self.tag(1)
            given = natives.arguments_of(o)
            self.kept.append(given)
            self.part(given, NOW, ".args")
        else:
            self.tag(0)
        self.states[number] = S_SHELL
        return number

    cdef int exception_body(self, o) except -1:
        cdef object get = BaseException.__dict__
        self.part(get["args"].__get__(o), NOW, ".args")
        for name, value in natives.members_of(o):
            self.name(name)
            self.kept.append(value)
            self.part(value, NOW, f".{name}")
        self.tag(T_NONE)
        self.part(get["__cause__"].__get__(o), NOW, ".__cause__")
        self.part(get["__context__"].__get__(o), NOW, ".__context__")
        self.tag(T_TRUE if get["__suppress_context__"].__get__(o) else T_FALSE)
        if not is_made(type(o)):
            return self.state(<PyObject *>o, ())
        return self.state(<PyObject *>o, natives.slot_descriptors(type(o)))

    # ---- bodies ------------------------------------------------------------------------------------------
    cdef int body(self, PyObject *raw, Py_ssize_t number, int how) except -1:
        cdef object o = <object>raw
        cdef PyTypeObject *t = Py_TYPE(raw)
        cdef Py_ssize_t i, size
        cdef int kind
        cdef PyObject *each
        self.states[number] = S_FULL
        self.depth += 1
        if t == &PyList_Type:
            size = PyList_GET_SIZE(o)
            self.varint(size)
            for i in range(size):
                if self.tracing:
                    self.part(<object>PyList_GET_ITEM(o, i), NOW, f"[{i}]")
                else:
                    self.value(PyList_GET_ITEM(o, i), NOW)
        elif t == &PyTuple_Type:
            for i in range(PyTuple_GET_SIZE(o)):
                each = PyTuple_GET_ITEM(o, i)
                if self.tracing:
                    self.part(<object>each, how, f"[{i}]")
                else:
                    self.value(each, how)
        elif t == &PyDict_Type:
            self.dict_items(o)
        else:
            kind = self.kind_of(o, type(o))
            if kind == K_OBJECT or kind == K_INSTANCE:
                self.instance_body(raw, o)
            elif kind == K_FUNCTION:
                self.function_body(o)
            elif kind == K_CELL:
                full, value = _core.cell_parts(o)
                self.tag(1 if full else 0)
                if full:
                    self.value(<PyObject *>value, NOW)
            elif kind == K_CLASS:
                self.class_body(o)
            elif kind == K_SET:
                self.keys_of(tuple(o))
            elif kind == K_GENERATOR:
                self.generator_body(o)
            elif kind == K_EXCEPTION:
                self.exception_body(o)
            elif kind == K_RUNNING:
                self.running_body(o)
            elif kind == K_MODULE:
                self.names(vars(o), natives.NAMES_OF_IMPORT)
            elif kind == K_STATICMETHOD or kind == K_CLASSMETHOD or kind == K_NAMESPACE or kind == K_CACHED:
                self.names(vars(o), ())
            elif kind == K_DEQUE:
                self.items(list(o), len(o))
            elif kind == K_ORDERED:
                self.dict_items_of(o.items(), len(o))
            elif kind == K_DEFAULT:
                self.part(o.default_factory, NOW, ".default_factory")
                self.dict_items(o)
            elif kind == K_PARTIAL:
                self.part(o.func, NOW, ".func")
                self.part(o.args, NOW, ".args")
                self.part(o.keywords, NOW, ".keywords")
            else:
                raise Unsaved("it has no form outside this process")
        self.depth -= 1
        return 0

    cdef int dict_items_of(self, items, Py_ssize_t n) except -1:
        self.varint(n)
        for key, value in items:
            self.key(key)
            self.part(value, NOW, f"[{key!r}]" if type(key) in (str, int) else "[...]")
        return 0

    # ---- the rest ----------------------------------------------------------------------------------------
    cdef int other(self, o, cls) except -1:
        cdef Py_ssize_t number
        if self.known(o) or self.host_object(o):
            return 0
        lock = natives.free_lock(o)
        if lock is not None:
            self.add(<PyObject *>o, S_FULL)
            return self.tag(T_RLOCK if lock == "RLock" else T_LOCK)
        parts = natives.iterator_parts(o)
        if parts is not None:
            number = self.begin(<PyObject *>o)
            maker, args, state = parts
            self.tag(T_ITERATOR)
            self.name(maker)
            self.varint(len(args))
            for each in args:
                self.kept.append(each)
                self.part(each, LATER, "")
            self.value(<PyObject *>state, NOW)
            self.states[number] = S_FULL
            return 0
        taken = natives.take_apart(o)
        if taken is None:
            raise Unsaved(natives.why_not(o))
        kind, parts = taken
        how = LATER if kind in natives.library_objects.OPEN_KINDS else WHOLE
        number = self.begin(<PyObject *>o)
        self.tag(T_NATIVE)
        self.name(kind)
        self.varint(len(parts))
        for each, label in parts:
            self.kept.append(each)
            self.part(each, how, label)
        self.states[number] = S_FULL
        return 0
