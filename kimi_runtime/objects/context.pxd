# What one run (or session) of a guest has to itself: its streams, its modules, its builtins.
#
# The context lives as long as its builtins dictionary: `print` and `__import__` in it are ContextFunctions that hold it.
from cpython.ref cimport PyObject


cdef class OutputStream:        # the guest's sys.stdout and sys.stderr
    cdef list parts             # what was written, unless there is a target
    cdef object target          # object of the host with a write method, or None
    cdef object target_write    # its bound write method
    cdef str name
    cdef bint is_closed

    cdef int put(self, str text) except -1
    cdef int check_open(self) except -1


cdef class RunContext:
    cdef OutputStream out, err
    cdef object input           # what the host gave as standard input; see objects/streams.pyx
    cdef object stdin           # the guest's own stream on it, made when first asked for
    cdef dict modules           # the guest's sys.modules
    cdef dict sources           # dotted name -> (source, is package, file name), or None
    cdef dict host_modules      # name -> module object, or None
    cdef tuple argv
    cdef readonly size_t serial # tells contexts apart
    cdef dict sys_dict          # dictionary of the guest's sys module, once it was imported


cdef class ContextFunction:
    cdef PyObject *vectorcall
    cdef RunContext context
    cdef str name
    cdef str doc
    cdef object bound           # what the function works on, for those that the gate makes


# A builtin that belongs to a context; the function gets the ContextFunction as its callable.
cdef ContextFunction new_context_function(RunContext context, str name, str doc, void *vectorcall)
# The context of the running guest frame, or None.
cdef RunContext current_context()
cdef size_t current_serial()
# The object that print writes to: the guest's sys.stdout at this moment. None when the guest has set it to None.
cdef object current_stdout(RunContext context)
# The guest's sys.stdin at this moment; None when the guest has set it to None or deleted it.
cdef object current_stdin(RunContext context)
