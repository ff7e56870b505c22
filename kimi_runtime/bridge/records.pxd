# What is data although its class is somebody's code: see records.pyx.
from kimi_runtime.bridge.conversion cimport Converter, Level

cdef object data_into_guest(value, Converter c, Level *up)
cdef object data_out_of_guest(value, Converter c, Level *up)
