"""The hot tier: bytecode that runs often becomes machine code.

``region`` what is compiled together · ``splicing`` which callees are part of it · ``build``, ``lowering`` and ``objects`` from
bytecode to the ``form`` · ``passes`` on it · ``llvm`` the back end · ``compiler`` joins them · ``queue`` when · ``settings`` what
the host says · ``events`` what was done. The core's side is ``vm/hot.pxi``.
"""
from .settings import JIT, REMEDY, available

__all__ = ["JIT", "REMEDY", "available"]
