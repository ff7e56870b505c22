# Objects of the host that guests may use as far as the host lists it: see exposed.pyx.

cdef class Rule:
    cdef str name                   # of the proxies' type
    cdef object proxies             # that type, a subclass of Proxy
    cdef dict attrs                 # name -> whether it may be set
    cdef frozenset methods
    cdef object makes               # class of the host that guests may call, or None

cdef class Proxy:
    cdef object target              # the host's object
    cdef Rule rule
    cdef size_t serial              # what its hash is made of
    cdef bint being_made            # by a call of its type, which calls __init__ next
    cdef object __weakref__

cdef class Exposed:
    cdef object target
    cdef Rule rule

# The guest's proxy of a host's object; the same one while it lives. context: of the guest, or None.
cdef Proxy proxy_of(target, Rule rule, context)
# The rule by which instances of a class are exposed, or None.
cdef Rule rule_of(cls)
