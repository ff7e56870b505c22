from kimi_runtime.syntax.nodes cimport Node

cdef str unparse(Node e)
