# Cells (part of function.pyx).
@cython.final
@cython.auto_pickle(False)
cdef class Cell:
    """A variable that inner functions share."""

    def __init__(self, contents=None):
        pass    # the arguments were used by cell_new

    @property
    def cell_contents(self):
        cdef PyObject *o
        if self.value.tag == T_UNDEF and (resolve_empty_cell == NULL or not resolve_empty_cell(<PyObject *>self)):
            raise ValueError("Cell is empty")
        o = value_object(&self.value)
        if o == NULL:
            raise MemoryError
        result = <object>o
        Py_DECREF(o)
        return result

    @cell_contents.setter
    def cell_contents(self, value):
        cdef Value old = self.value
        value_borrowed(&self.value, <PyObject *>value)
        value_clear(&old)

    @cell_contents.deleter
    def cell_contents(self):
        value_clear(&self.value)

    def __richcmp__(self, other, int op):
        cdef Cell a, b
        cdef int left, right
        if type(self) is not Cell or type(other) is not Cell:
            return NotImplemented
        a = <Cell>self
        b = <Cell>other
        if a.value.tag != T_UNDEF and b.value.tag != T_UNDEF:
            return compare(a.cell_contents, b.cell_contents, op)
        left = a.value.tag != T_UNDEF
        right = b.value.tag != T_UNDEF
        return compare(left, right, op)

    __hash__ = None

    def __repr__(self):
        cdef size_t address = <size_t><PyObject *>self
        if self.value.tag == T_UNDEF:
            return f"<cell at {address:#x}: empty>"
        contents = self.cell_contents
        return (f"<cell at {address:#x}: {type_name_of(contents):.80s} object at "
                f"{<size_t><PyObject *>contents:#x}>")


cdef object compare(a, b, int op):
    if op == 0:
        return a < b
    if op == 1:
        return a <= b
    if op == 2:
        return a == b
    if op == 3:
        return a != b
    if op == 4:
        return a > b
    return a >= b


cdef Cell new_cell(const Value *content):
    cdef Cell cell = <Cell>allocate_cell(get_slots(Cell), empty_args, NULL)
    if content != NULL:
        value_copy(&cell.value, content)
    return cell


cdef object cell_new(TypeSlots *cls, PyObject *args, PyObject *kwargs):
    """``cell([contents])``, the constructor that the guest sees."""
    cdef Cell cell
    positional = <object>args
    if kwargs != NULL and <object>kwargs:
        raise TypeError("cell() takes no keyword arguments")
    if len(positional) > 1:
        raise TypeError(f"cell expected at most 1 argument, got {len(positional)}")
    cell = <Cell>allocate_cell(cls, empty_args, NULL)
    if positional:
        cell.cell_contents = positional[0]
    return cell
