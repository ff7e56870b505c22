# cython: binding=False
"""Values that are data although their class is somebody's code: data classes, enumerations, fractions, paths.

Nothing of the class crosses but its name. A data class becomes a ``Record``, which has the fields and no behaviour; a member of
an enumeration becomes its value; what is text by nature becomes text. No code of a guest runs: of its instances the storage is
read, by descriptors that belong to C types. Code of the host may run, where the host's own object is asked for its fields.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.bridge.conversion cimport Converter, Level
from kimi_runtime.objects.context cimport RunContext
from kimi_runtime.objects.slots cimport DISALLOW_INSTANTIATION, IMMUTABLE_TYPE, PyType_Modified, TypeSlots, get_slots

import _datetime as datetime        # without the Python twin of it, which takes longer to load
import sys
import types
from io import BytesIO

from kimi_runtime.bridge.gate import let_through

cdef extern from "Python.h":
    int Py_ReprEnter(object o) except -1
    void Py_ReprLeave(object o)
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL

cdef extern from *:
    """
    /* The dictionary of an instance without a look-up by name, which may be the class's affair. NULL when it has none. */
    static PyObject *k_instance_dict(PyObject *o) {
        PyObject *found = PyObject_GenericGetDict(o, NULL);
        if (found == NULL) PyErr_Clear();
        return found;
    }
    """
    PyObject *k_instance_dict(PyObject *o) noexcept
    void Py_DECREF(PyObject *o) noexcept

cdef type member_type = types.MemberDescriptorType
cdef object mro_of_type = type.__dict__["__mro__"].__get__
cdef object dict_of_type = type.__dict__["__dict__"].__get__
cdef object name_of_type = type.__dict__["__name__"].__get__
cdef object MISSING = object()
cdef tuple PLAIN_BASES = (int, str, bytes, float, tuple, list, dict, set, frozenset, bytearray, complex)


@cython.final
@cython.auto_pickle(False)
cdef class Record:
    """What became of an instance of a data class on its way between host and guest: the name of its class, and its fields.

    The fields are attributes; they cannot be set. Two records are equal when name, fields and values are.

        >>> import dataclasses, kimi_runtime as kr
        >>> @dataclasses.dataclass
        ... class Point:
        ...     x: int
        ...     y: int
        >>> kr.run("(p.x + p.y, p)", {"p": Point(1, 2)}).value
        (3, Point(x=1, y=2))
    """
    cdef str name
    cdef dict fields

    def _asdict(self):
        """The fields as a dictionary."""
        return dict(self.fields)

    def __getattr__(self, name):
        cdef PyObject *found
        name = name if type(name) is str else str.__str__(name)
        found = PyDict_GetItemWithError(self.fields, name)
        if found == NULL:
            raise AttributeError(f"'{self.name}' record has no attribute '{name}'")
        return <object>found

    def __setattr__(self, name, value):
        raise AttributeError(f"'{self.name}' records are read-only")

    def __delattr__(self, name):
        raise AttributeError(f"'{self.name}' records are read-only")

    def __eq__(self, other):
        if type(other) is not Record:
            return NotImplemented
        return self.name == (<Record>other).name and self.fields == (<Record>other).fields

    def __hash__(self):
        return hash((self.name, tuple(self.fields.items())))

    def __repr__(self):
        if Py_ReprEnter(self):
            return f"{self.name}(...)"
        try:
            return f"{self.name}({', '.join([f'{name}={value!r}' for name, value in self.fields.items()])})"
        finally:
            Py_ReprLeave(self)

    def __dir__(self):
        return ["_asdict", *self.fields]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        from kimi_runtime import _core
        copy = _core.host_module("copy")
        cdef Record made = new_record(self.name)
        memo[id(self)] = made
        made.fields.update(copy.deepcopy(self.fields, memo))
        return made

    def __sizeof__(self):
        return 48

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{self.name}' records: take the fields by _asdict()")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{self.name}' records: take the fields by _asdict()")


cdef Record new_record(str name):
    cdef Record made = Record.__new__(Record)
    made.name = name
    made.fields = {}
    return made


def make_record(str name not None):
    """A record without fields as yet: for what reads it from a message."""
    return new_record(name)


def parts_of_record(Record record not None):
    """The name and the fields of a record, which are its own dictionary."""
    return record.name, record.fields


# ---- storage -------------------------------------------------------------------------------------------
cdef object in_class(cls, str name):
    """What a class or a base has in its dictionary under a name, or MISSING."""
    for each in mro_of_type(cls):
        # A mappingproxy, whose look-up by an exact str asks nobody.
        contents = dict_of_type(each)
        if name in contents:
            return contents[name]
    return MISSING


cdef object stored(value, str name):
    """A field of an instance: from its dictionary, or its slot. MISSING when it is in neither."""
    cdef PyObject *raw = k_instance_dict(<PyObject *>value)
    cdef PyObject *found
    if raw != NULL:
        contents = <object>raw
        Py_DECREF(raw)
        if type(contents) is dict:
            found = PyDict_GetItemWithError(contents, name)
            if found != NULL:
                return <object>found
    slot = in_class(type(value), name)
    if type(slot) is member_type:
        try:
            return slot.__get__(value)
        except AttributeError:
            return MISSING
    return MISSING


cdef list field_names(cls):
    """The names of the fields of a data class, or None when it is none."""
    cdef list names
    declared = in_class(cls, "__dataclass_fields__")
    if type(declared) is dict:
        # Class variables and arguments of __init__ alone are declared too; they are no fields.
        names = [name for name, each in (<dict>declared).items() if type(name) is str and is_field(each)]
        return names
    return None


cdef bint is_field(declared) except -1:
    kind = stored(declared, "_field_type")
    name = MISSING if kind is MISSING else stored(kind, "name")
    return type(name) is str and name == "_FIELD"


cdef object record_of(value, list names, Converter c, Level *up, bint of_guest):
    """A data class's instance as a record; NotImplemented when a guest's has lost a field."""
    cdef list held = []
    for name in names:
        found = stored(value, name)
        if found is MISSING:
            if of_guest:
                return NotImplemented
            found = getattr(value, name, MISSING)   # a default that is kept in the class, a property
            if found is MISSING:
                continue
        held.append((name, found))
    return filled_record(value, name_of_type(type(value)), held, c, up)


cdef Record filled_record(value, str name, held, Converter c, Level *up):
    """The record that stands for a value: with its class's name and its fields, pairs of a name and what is to be converted."""
    cdef Record made = new_record(name)
    cdef Py_ssize_t before = c.size
    c.count(64 + 24 * len(held))
    c.remember(<PyObject *>value, made)
    for field, found in held:
        made.fields[field] = c.part(<PyObject *>found, field, up)
    c.note_size(<PyObject *>value, before)
    return made


# ---- both directions -------------------------------------------------------------------------------------
cdef object data_into_guest(value, Converter c, Level *up):
    """A value of the host that is data by its class, or NotImplemented."""
    cls = type(value)
    if cls is Record:
        return copy_record(<Record>value, c, up)
    if isinstance(value, PLAIN_BASES):
        return NotImplemented
    names = field_names(cls)
    if names is None:
        names = names_of_models(cls)
    if names is not None:
        return record_of(value, names, c, up, False)
    if is_loaded("enum", "Enum", cls):
        held = value._value_
        return c.part(<PyObject *>held, "value", up)
    if is_loaded("uuid", "UUID", cls) or is_loaded("pathlib", "PurePath", cls):
        held = str.__str__(str(value))
        return c.convert(<PyObject *>held, up)
    if is_loaded("fractions", "Fraction", cls):
        c.count(64)
        # Without a guest it is on its way to a worker, which makes it one of its guest.
        cls = guest_fraction() if isinstance(c.context, RunContext) else type(value)
        return copied_fraction(cls, value._numerator, value._denominator)
    return NotImplemented


cdef object names_of_models(cls):
    """The fields of a class by pydantic or attrs, or None."""
    declared = in_class(cls, "__pydantic_fields__")
    if type(declared) is dict:
        return [name for name in declared if type(name) is str]
    declared = in_class(cls, "__attrs_attrs__")
    if isinstance(declared, tuple):
        return [each.name for each in declared]
    return None


cdef bint is_loaded(str module, str name, cls) except -1:
    """Whether a class is, or derives from, one of a module that is loaded."""
    home = sys.modules.get(module)
    base = getattr(home, name, None)
    return isinstance(base, type) and issubclass(cls, base)


cdef Record copy_record(Record value, Converter c, Level *up):
    return filled_record(value, value.name, value.fields.items(), c, up)


cdef object data_out_of_guest(value, Converter c, Level *up):
    """A value of a guest that is data by its class, or NotImplemented."""
    cls = type(value)
    if cls is Record:
        return copy_record(<Record>value, c, up)
    if isinstance(cls, type) and not issubclass_plainly(cls):
        names = field_names(cls)
        if names is not None:
            return record_of(value, names, c, up, True)
        if type(in_class(cls, "_member_map_")) is dict:
            found = stored(value, "_value_")
            return NotImplemented if found is MISSING else c.part(<PyObject *>found, "value", up)
        name = name_of_type(cls)
        if name == "UUID":
            found = stored(value, "int")
            if type(found) is int and 0 <= found < 1 << 128:
                text = f"{found:032x}"
                return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
        elif name == "Fraction":
            return fraction_of_guest(value, c)
        elif name in ("PosixPath", "PurePosixPath"):
            return path_of_guest(value, c)
    return NotImplemented


cdef bint issubclass_plainly(cls) except -1:
    """Whether a class derives from a plain type, without asking its metaclass."""
    for each in mro_of_type(cls):
        if each in PLAIN_BASES:
            return True
    return False


cdef dict host_classes = {}


cdef object host_class(str module, str name):
    """A class of the host's that values become, loaded when the first one does."""
    from kimi_runtime import _core
    found = host_classes.get(name)
    if found is None:
        found = host_classes[name] = getattr(_core.host_module(module), name)
    return found


cdef object fraction_of_guest(value, Converter c):
    top, bottom = stored(value, "_numerator"), stored(value, "_denominator")
    if type(top) is not int or type(bottom) is not int or bottom <= 0:
        return NotImplemented
    c.count(128 + top.bit_length() // 7 + bottom.bit_length() // 7)
    return copied_fraction(host_class("fractions", "Fraction"), top, bottom)


cdef object guest_fraction():
    """The class that guests have, which is one for all."""
    from kimi_runtime import _core
    suspended = _core.suspend_meter()           # it stays for the process
    try:
        return library_module("fractions").Fraction
    finally:
        _core.resume_meter(suspended)


cdef object copied_fraction(cls, top, bottom):
    """A fraction in lowest terms already."""
    made = object.__new__(cls)
    contents = dict_of_type(cls)
    contents["_numerator"].__set__(made, int(top))
    contents["_denominator"].__set__(made, int(bottom))
    return made


cdef object path_of_guest(value, Converter c):
    pieces = stored(value, "_raw_paths" if sys.version_info >= (3, 12) else "_parts")
    if type(pieces) is not list or not all([type(each) is str for each in pieces]):
        return NotImplemented
    text = str(host_class("pathlib", "PurePosixPath")(*pieces))
    c.count(56 + 4 * len(text))
    return text


cdef object library_module = None
cdef object zone_data = None


def use_library(modules, zones):
    """Says where modules of the shared library, and the data of time zones, are had by their names."""
    global library_module, zone_data
    library_module, zone_data = modules, zones


def fixed_zone(moment, zone):
    """The offset that a zone has at a moment, as a ``timezone`` with the zone's name at that moment.

    Args:
        moment: a datetime, whose own zone is not looked at.
        zone: a tzinfo of the host.

    Returns:
        The timezone; None when the zone has no offset then.
    """
    moment = moment.replace(tzinfo=zone)
    offset, name = moment.utcoffset(), moment.tzname()
    if type(offset) is not datetime.timedelta:
        return None
    return datetime.timezone(offset, name) if type(name) is str else datetime.timezone(offset)


def zone_of_guest(zone):
    """The host's zone of the name that a guest's ZoneInfo has; None when it has none, or the host does not know it."""
    if name_of_type(type(zone)) != "ZoneInfo":
        return None
    key = stored(zone, "_key")
    if type(key) is not str or len(key) > 200:
        return None
    try:
        # What the guest's own zone was read from: a name that the guest chooses opens no other file.
        return host_class("zoneinfo", "ZoneInfo").from_file(BytesIO(zone_data(key)), key)
    except (LookupError, ValueError, OSError, TypeError):
        return None


cdef int patch_types() except -1:
    cdef TypeSlots *slots = get_slots(Record)
    slots.tp_name = b"Record"
    slots.tp_new = slots.tp_vectorcall = NULL
    del (<object>slots.tp_dict)["__new__"]
    slots.tp_flags |= IMMUTABLE_TYPE | DISALLOW_INSTANTIATION
    PyType_Modified(slots)
    let_through(Record)
    return 0


patch_types()
