# Tracebacks of guest frames as real traceback objects of the host.
#
# Each guest frame that an exception leaves adds one entry whose frame is a *shadow*: a frame object of the host on a
# code object without real instructions, which carries our file name, function name and positions such that
# tb_lasti == 2 * pc. CPython's `traceback` module then prints our lines and carets by itself.
from cpython.ref cimport PyObject
from libc.stdint cimport uint32_t

from kimi_runtime.bytecode.code cimport Code

# Puts an entry for instruction pc in front of exc.__traceback__, after dropping the entries that code of the host (the
# Cython modules of this package too) put there since the exception left the last guest frame. Never fails: without memory the
# entry is left out.
# exc, globals (dict, or NULL) borrowed; no exception may be set.
cdef void add_traceback(PyObject *exc, Code code, PyObject *globals, uint32_t pc) noexcept
# Only drops them.
cdef void drop_host_entries(PyObject *exc) noexcept
# Puts an entry for a line, without columns, in front: a frame that has not started yet, or one that only looks on.
cdef void add_traceback_line(PyObject *exc, Code code, PyObject *globals, int line) noexcept
# Drops the frames that are kept for reuse, and with them the namespaces they hold. For the end of a run.
cdef void clear_shadow_frames() noexcept
# A line of a source, stripped; empty when there is none.
cdef str source_line(source, str filename, int line)
