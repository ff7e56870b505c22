"""``Runtime(isolation="process")``: guests run in worker processes that can do nothing but compute and talk to the host.

    host ── control socket ── template ──fork── worker
      └───────────── channel of each worker ───────┘

- ``launcher`` (host): starts the template once in the process, and asks it for workers.
- ``template``: a program of its own, without threads and without anything of the host's: it takes on the isolation layers, loads
  the interpreter with the whole library, and forks.
- ``worker``: takes on the rest of the layers and runs guests.
- ``kernel``, ``seccomp.h``: the layers' system calls. ``codec``, ``channel``: how values cross.
- ``pool``, ``process_runtime`` (host): workers of one ``Runtime``, and the runs.
"""
