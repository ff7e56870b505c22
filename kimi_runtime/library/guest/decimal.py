"""Decimal arithmetic. The current context belongs to the guest, and so do the three templates of contexts."""
import numbers as _numbers
from _decimal import *
from _decimal import __libmpdec_version__, __version__
from _decimal import setcontext as _setcontext

_numbers.Number.register(Decimal)

DefaultContext = Context(
    prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[],
    traps=[InvalidOperation, DivisionByZero, Overflow])
BasicContext = Context(
    prec=9, rounding=ROUND_HALF_UP, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[],
    traps=[InvalidOperation, DivisionByZero, Overflow, Underflow, Clamped])
ExtendedContext = Context(
    prec=9, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[], traps=[])


def setcontext(context, /):
    """Set a new default context."""
    if context is DefaultContext or context is BasicContext or context is ExtendedContext:
        context = context.copy()
        context.clear_flags()
    return _setcontext(context)


setcontext(DefaultContext)
