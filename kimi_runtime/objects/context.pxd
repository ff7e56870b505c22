# What one run (or session) of a guest has to itself: its streams, its modules, its builtins.
#
# The context lives as long as its builtins dictionary: `print` and `__import__` in it are ContextFunctions that hold it.
from cpython.ref cimport PyObject


cdef enum:
    LONGEST_PENDING = 8192      # characters of a line that a callback gets before its end
    MOST_PARTS = 1024           # of collected output, before small ones are joined
    SMALL_PART = 64             # characters


cdef class OutputBudget:
    cdef long long limit, left

    cdef int spend(self, OutputStream stream, str text) except -1
    # Takes so many bytes out of the budget: whether there was room for them.
    cdef bint take(self, Py_ssize_t size)


cdef class OutputStream:        # the guest's sys.stdout and sys.stderr
    cdef list parts             # what was written, unless it goes to the host at once: str, or bytes of UTF-8
    cdef Py_ssize_t compacted   # so many of the parts are large
    cdef object callback        # function of the host that gets the text, or None
    cdef object usual_callback  # the same where a run has none of its own
    cdef list pending           # what the callback has not got yet
    cdef Py_ssize_t pending_size
    cdef bint delivering        # the callback is being called
    cdef bint whole             # what is pending goes to the callback without waiting for the end of a line
    cdef bint broken            # the callback has raised an exception, and gets nothing more
    cdef object target          # object of the host with a write method, or None
    cdef object target_write    # its bound write method
    cdef str name
    cdef bint is_closed
    cdef bint is_cut            # what is written is dropped
    cdef OutputBudget budget    # shared by the streams of a guest, or None: no limit
    cdef object binary          # its `buffer`, made when first asked for
    cdef dict late              # of a session with tasks: number of a run that is over -> what its tasks write, or None
    cdef Py_ssize_t number      # of the run

    cdef int pass_on(self, str text) except -1
    cdef bint is_late(self, str text) except -1
    cdef int put(self, str text) except -1
    cdef int compact(self) except -1
    cdef int deliver(self, bint whole) except -1
    cdef int drop_pending(self) except -1
    cdef int begin_again(self, callback) except -1
    # What was written, for the result of the run: None for nothing. The stream begins anew.
    cdef list take_parts(self)
    cdef int call_host(self, call, str text) except -1
    cdef int check_open(self) except -1


cdef class RunContext:
    cdef object __weakref__
    cdef bint stopped           # by a limit: no guest code of it may run any more
    cdef OutputStream out, err
    cdef object input           # what the host gave as standard input; see objects/streams.pyx
    cdef object stdin           # the guest's own stream on it, made when first asked for
    cdef dict modules           # the guest's sys.modules
    cdef object sources         # dotted name -> (source, is package, file name), or None
    cdef dict host_modules      # name -> module object, or None
    cdef tuple argv
    cdef readonly size_t serial # tells contexts apart
    cdef dict sys_dict          # dictionary of the guest's sys module, once it was imported
    cdef object asyncgen_firstiter, asyncgen_finalizer      # hooks of sys, or None
    cdef int origin_depth       # sys.set_coroutine_origin_tracking_depth
    cdef set warned             # warnings about coroutines that were written, or None
    cdef object allowed         # names of library modules that the guest may import, or None: all that are public
    cdef bint privileged        # its code is the library's: imports the whole catalog, and nothing of a guest's
    cdef RunContext guest       # privileged: the guest it works for, or None for the library that all guests share
    cdef object asyncio         # AsyncState of the guest, or None: see aio/state.pxi
    cdef RunContext inner       # context of the library modules that run in this guest, once there are any
    cdef public dict kept       # what shared library code keeps for this guest, such as its caches; made when needed
    cdef public dict proxies    # of objects of the host: (id of it, id of the rule), and id of it -> weak reference; or None
    cdef public dict functions  # of the host, by the names that the guest calls them by; or None
    cdef public object limits   # Limits of its last run, or None
    cdef public object files    # its FileSystem, once it was needed; before that what the host has given, or None
    cdef public tuple main_source   # (file name, text) of the program, or None
    cdef public object policy   # what the host says of clocks, randomness and environment, or None
    cdef object clock           # GuestClock, or None
    cdef object entropy         # where its random bytes come from: an object of the host with `randbytes`, or None
    cdef public object observer # sees what it displays and calls, or None: see `events`
    cdef public bint displays   # the guest finds `display`: each run has an observer for that
    cdef readonly tuple watchers    # functions, each makes an observer of a run around the one that it gets; or None
    cdef public object profile  # of the Profile that records its runs, or None
    cdef public object hot      # HotPolicy of the core: its code may be compiled; or None
    cdef public dict cells      # of a session: file name -> text of what it ran before, or None
    cdef dict loading           # name of a module that is being run -> what objects/imports.pyx knows of it; or None
    cdef public bint may_await  # its programs may await at their top level, as those of sessions may

    # For the result of a run: what its tasks write when it is over comes here. None where no task can.
    cdef list late_parts(self)
    # A run with this number begins, with these context variables.
    cdef int begin_run(self, Py_ssize_t number, variables) except -1


cdef class ContextFunction:
    cdef PyObject *vectorcall
    cdef RunContext context
    cdef str name
    cdef str doc
    cdef object bound           # what the function works on, for those that the gate makes
    cdef PyObject *home         # the builtins dictionary that it was made for, borrowed; or NULL
    cdef object kept_home       # the same where code counts as the library's by it, so that no other dictionary takes its place


# A builtin that belongs to a context; the function gets the ContextFunction as its callable.
cdef ContextFunction new_context_function(RunContext context, str name, str doc, void *vectorcall)
# Whether a program has left nothing in its context that another guest could find, apart from what `renew` takes away.
cdef bint is_untouched(RunContext context) noexcept
# Makes it the context of another guest.
cdef int renew(RunContext context) except -1
# The context that a builtins dictionary was made for, or None.
cdef void trust_layout() noexcept
cdef RunContext context_of(builtins)
# The guest that code of a context works for: itself, or for library code the guest that runs it.
cdef RunContext guest_context(RunContext context)
# The context of the innermost running frame, be it a guest's or the library's, or None.
cdef RunContext innermost_context()
# The context of the running guest, or None. Frames of the shared library are looked through.
cdef RunContext current_context()
# Whether code with these builtins (borrowed) is that of the library which all guests share.
# Whether code with these builtins (borrowed) is of the library: for all guests, or of modules that each guest has for itself.
cdef bint is_of_library(PyObject *builtins) noexcept
# Whether it is of the part that runs once for all guests.
cdef bint is_of_shared_library(PyObject *builtins) noexcept
# Whether the innermost frame is one of code of the library.
cdef bint by_library() noexcept
# For whom an `__import__` imports that stands in a builtins dictionary (borrowed).
cdef RunContext importing_context(ContextFunction function, PyObject *builtins)
# As begin_finalizer: before a callback of a guest runs that was given to something of the host. `builtins` are the guest's, or NULL.
cdef int begin_callback(RunContext context, PyObject *builtins) noexcept
cdef size_t current_serial()
# Serial number of the library that all guests share; 0 before it was needed.
cdef size_t library_serial()
# The object that print writes to: the guest's sys.stdout at this moment. None when the guest has set it to None.
cdef object current_stdout(RunContext context)
# The guest's sys.stdin at this moment; None when the guest has set it to None or deleted it.
cdef object current_stdin(RunContext context)
# Whether the guest has put objects of its own in the place of its output streams.
cdef bint has_own_streams(RunContext context) noexcept
# Flushes them, as the interpreter does at its end. Returns whether that failed.
cdef bint flush_own_streams(RunContext context) except -1
# The module of the context's main program, whose __dict__ is the program's namespace; None when it does not run.
cdef object main_module(RunContext context)
# Whether it is the `print` of a guest.
cdef bint is_print(value) noexcept
