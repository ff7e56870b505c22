# Callbacks of weak references that guests make.
from kimi_runtime.objects.context cimport RunContext

# What stands as callback of a weak reference, as the guest gave it.
cdef object given_callback(found)
# The guest that has made a weak reference with such a callback; None when it was the host.
cdef RunContext guest_of_callback(found)
