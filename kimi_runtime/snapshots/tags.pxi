# What the bytes of a snapshot are made of: shared by writer and reader.
#
# A value is a tag and what belongs to it. Objects have numbers in the order in which their tags come; REF names one. What an object
# cannot be made without (its shell) follows its tag; the rest (its body) follows at once, or, where it may need objects that need this
# one, and where objects lie deep within each other, when its turn comes in a queue. Writer and reader come to the same decision.

cdef enum:
    T_NONE, T_TRUE, T_FALSE, T_ELLIPSIS, T_NOT_IMPLEMENTED
    T_INT               # of up to 64 bits, zigzag
    T_BIG               # length, bytes
    T_FLOAT
    T_COMPLEX
    T_STR               # length, UTF-8 with surrogates
    T_NAME              # the same, interned
    T_BYTES
    T_REF               # number
    T_NOW               # number of an object whose body follows here, and which is the value
    T_SHARED            # of forks: index of an object that both have
    T_EMPTY             # the empty tuple
    T_LIST, T_TUPLE, T_DICT, T_SET, T_FROZENSET, T_BYTEARRAY
    T_OBJECT            # instance of a class of the program whose only base in C is object
    T_INSTANCE          # of other bases
    T_CLASS, T_FUNCTION, T_CELL, T_CODE, T_LIBRARY_CODE
    T_GENERATOR
    T_BUILTIN, T_LIBRARY, T_MEMBER, T_HOST_FUNCTION, T_BUILTINS, T_MODULE, T_SOURCE_MODULE, T_MODULE_NAMES, T_LIBRARY_NAMES
    T_METHOD, T_NATIVE_METHOD, T_DESCRIPTOR, T_PROPERTY, T_STATICMETHOD, T_CLASSMETHOD
    T_RANGE, T_SLICE, T_EXCEPTION, T_LOCK, T_RLOCK
    T_DEQUE, T_ORDERED, T_DEFAULT, T_PARTIAL
    T_ITERATOR, T_WEAK, T_NATIVE
    T_NAMESPACE, T_CACHED, T_HOST, T_HOST_COPY
    T_RUNNING           # of asyncio and contextvars: see aio/snapshots.pxi
    T_SMALL = 0x80      # and above: the integers from 0 to 127

cdef enum:
    NOW, LATER, WHOLE   # WHOLE: what is hashed must be complete

cdef enum:
    S_BEGUN, S_SHELL, S_FULL

cdef enum:
    MOST_DEPTH = 60
    MOST_SHELLS = 300      # shells within shells: classes of classes, methods of methods, ...

# Bodies of functions: which parts differ from what the code says.
cdef enum:
    P_DEFAULTS = 1
    P_KWDEFAULTS = 2
    P_NAME = 4
    P_QUALNAME = 8
    P_MODULE = 16
    P_DOC = 32
    P_ANNOTATIONS = 64
    P_REST = 128            # type_params and __dict__
