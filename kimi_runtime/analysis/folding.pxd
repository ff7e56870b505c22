from kimi_runtime.syntax.nodes cimport Node

cdef object NOT_CONSTANT
cdef object fold(Node e)
