# Type parameters and aliases; what parameter lists and `type` statements make. See type_params.pyx.

# bound, constraints, default: functions without arguments that are called when somebody asks, or None.
cdef object inferred_type_var(str name, bound, constraints, default)
cdef object inferred_param_spec(str name, default)
cdef object type_var_tuple(str name, default)
cdef object type_alias(str name, function, tuple type_params)
cdef object generic_base(tuple params)
